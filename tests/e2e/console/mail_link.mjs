// Asks for a link at the door as somebody does who has a mailbox, opens what arrived elsewhere, where it lets nobody in, and where it was asked for.
//
//   BASE=<address of the service> MAILS=<folder of what the mail server took> ADDRESS=<whose mailbox> node mail_link.mjs
//
// Prints one JSON object; the caller judges it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, violationsOfPolicy } from "./console_page.mjs";

const { BASE: base, MAILS: mails, ADDRESS: address } = process.env;
const LOOK = { viewport: { width: 1440, height: 900 } };
const SOON = 20_000;

// What the link ends with that came to the address.
async function arrived() {
  for (const until = Date.now() + SOON; Date.now() < until; ) {
    const names = (await readdir(mails)).filter((name) => /^mail.*\.json$/.test(name));
    const taken = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(mails, name), "utf8"))));
    const mine = taken.find((mail) => mail.to.includes(address));
    if (mine) return new URL(mine.plain.match(/http\S+#\S+/)[0]).hash;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error("no mail came");
}

const open = (page, hash) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

const report = { findings: [], faults: [], policy: [] };
const browser = await launch();
try {
  const asking = await openConsole(browser, base, LOOK, report.faults);
  await asking.locator("input[type=email]").first().fill(address);
  await asking.locator("input[type=email]").first().press("Enter");
  await asking.getByText("on its way").waitFor();
  const hash = await arrived();
  const elsewhere = await openConsole(browser, base, LOOK, report.faults);
  await open(elsewhere, hash);
  await elsewhere.locator(".trouble").waitFor();
  report.elsewhere = await elsewhere.locator(".trouble").innerText();
  await examined(elsewhere, "a link that was opened elsewhere", report);
  await open(asking, hash);
  await asking.locator(".nav").waitFor({ state: "attached" });
  await settled(asking);
  report.came_in = await asking.locator(".who a").innerText();
  report.address = await asking.evaluate(() => location.hash);
  report.policy.push(...(await violationsOfPolicy(asking)));
} catch (error) {
  report.faults.push(String(error.stack));
} finally {
  await browser.close();
}
// Being refused is what some of it is about.
report.faults = report.faults.filter((fault) => !/status of 401/.test(fault));
console.log(JSON.stringify(report));
