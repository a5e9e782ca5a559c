// Signs in by an identity provider as people do, from the console's door to the workspace, and is signed out by it. The provider is the npm package
// oidc-provider, as it comes.
//
//   BASE=<address of the service> KEY=<key of an owner> [PICTURES=<folder>] node sso.mjs
//
// The domain school.example is the workspace's already. Prints one JSON object; the caller judges it.
import { createServer } from "node:http";
import Provider from "oidc-provider";
import { examined } from "./axe.mjs";
import { launch, openConsole, settled, signIn, violationsOfPolicy, visit } from "./console_page.mjs";

const { BASE: base, KEY: key, PICTURES: pictures } = process.env;
const SECRET = "a secret of the provider's: a+b/c=";
const LOOK = { viewport: { width: 1440, height: 900 } };
const ADA = "ada";
const OTHER_LOOKS = {
  german: { viewport: { width: 390, height: 844 }, language: "de" },
  arabic: { viewport: { width: 1440, height: 900 }, language: "ar", colorScheme: "dark" },
};

async function api(method, path, body) {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { "x-api-key": key, "x-learning-platform-code": "main", "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(JSON.stringify(told));
  return told;
}

// Whoever signs in there is who they say they are.
function account(_, id) {
  const claims = () => ({ sub: id, email: `${id}@school.example`, email_verified: true, name: "Ada Lovelace", groups: ["staff"] });
  return { accountId: id, claims };
}

function provide(issuer, connection) {
  const client = {
    client_id: "lyceum",
    client_secret: SECRET,
    redirect_uris: [connection.redirect_uri],
    backchannel_logout_uri: connection.backchannel_logout_uri,
    backchannel_logout_session_required: true,
  };
  return new Provider(issuer, {
    clients: [client],
    findAccount: account,
    claims: { openid: ["sub", "sid"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    pkce: { required: () => true },
    cookies: { keys: ["for a test alone"] },
    // Its own guard refuses this machine.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  });
}

async function leave(page, address) {
  await page.locator("details summary").click();
  await page.locator("details input[type=email]").fill(address);
  await page.keyboard.press("Enter");
}

async function atTheProvider(page, issuer) {
  await page.waitForURL(`${issuer}/**`);
  await page.locator("input[name=login]").fill(ADA);
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  // It asks whether we may know.
  await page.locator("button[type=submit]").click();
  await page.waitForURL(`${base}/studio**`);
}

// What comes of asking for something that takes a recent sign-in, as pages of the console ask. A session of one workspace makes no key of one's own, however
// recent it is; but that is looked at afterwards.
function askedForAKey(page) {
  return page.evaluate(async () => {
    const { name } = performance.getEntriesByType("resource").find((one) => one.name.endsWith("/api.js"));
    const { post } = await import(name);
    return post("/v1/api_keys", { name: "Mine" }, null).then(
      () => "made",
      ({ code }) => code,
    );
  });
}

// The provider knows her by its cookie, and has to ask all the same. Whether we may know it need not ask again.
async function anew(page, issuer) {
  // It counts in whole seconds: in the one in which it asked her it need not ask again.
  await page.waitForTimeout(1_100);
  await page.evaluate(() => document.querySelector(".account .button:last-child").click());
  await page.locator("input[type=password]").waitFor();
  await page.locator("details summary").waitFor();
  await leave(page, "ada@school.example");
  await page.waitForURL(`${issuer}/**`);
  await page.locator("input[name=login]").fill(ADA);
  await page.locator("input[name=password]").fill("anything");
  const asked = page.url();
  await page.locator("button[type=submit]").click();
  await page.waitForURL((url) => url.href !== asked);
  if (page.url().startsWith(issuer)) await page.locator("button[type=submit]").click();
  await page.waitForURL(`${base}/studio**`);
  await page.locator(".nav").waitFor({ state: "attached" });
  await settled(page);
}

async function door(browser) {
  const context = await browser.newContext({ locale: "en", ...LOOK });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${base}/studio/`);
  await page.locator("details summary").waitFor();
  return page;
}

async function onePerson(browser, issuer, report) {
  const page = await door(browser);
  await leave(page, "ada@nowhere.example");
  await page.locator("details .trouble").waitFor();
  report.of_no_organisation = await page.locator("details .trouble").innerText();
  await page.goto(`${base}/studio/`);
  await page.locator("details summary").waitFor();
  await leave(page, "ada@school.example");
  await atTheProvider(page, issuer);
  await page.locator(".nav").waitFor({ state: "attached" });
  await settled(page);
  const cookies = await page.context().cookies(base);
  report.cookies = cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }));
  const { data } = await api("GET", "/v1/users?email=ada@school.example");
  report.member = { role: data[0].role, name: data[0].name };
  await page.reload();
  await page.locator(".nav").waitFor({ state: "attached" });
  report.stays = true;
  report.without_being_asked = await askedForAKey(page);
  await anew(page, issuer);
  report.asked_anew = await askedForAKey(page);
  // Signs out there: it is told here.
  await page.goto(`${issuer}/session/end`);
  await page.locator("button[value=yes], button[name=logout]").first().click();
  await page.waitForURL(`${issuer}/session/end/success**`);
  await page.goto(`${base}/studio/`);
  await page.locator("input[type=password]").waitFor();
  report.is_over = true;
  await page.context().close();
}

async function inOtherLooks(browser, connection, report) {
  for (const [name, look] of Object.entries(OTHER_LOOKS)) {
    const page = await openConsole(browser, base, look, report.faults);
    await page.locator("details summary").click();
    await examined(page, `${name}, the door`, report);
    await signIn(page, key);
    for (const place of ["#/sso", `#/sso/${connection.id}`]) {
      await visit(page, place);
      await examined(page, `${name}, ${place}`, report);
    }
    await page.context().close();
  }
}

async function oneAdmin(browser, connection, report) {
  const page = await openConsole(browser, base, LOOK, report.faults);
  await signIn(page, key);
  await visit(page, "#/sso");
  await examined(page, "the connections", report);
  await visit(page, `#/sso/${connection.id}`);
  await page.getByRole("button", { name: "Test it" }).click();
  await page.locator(".tag.good", { hasText: "Nothing is wrong" }).waitFor();
  await examined(page, "the connection", report);
  if (pictures) await page.screenshot({ path: `${pictures}/console-connection.png` });
  await api("PATCH", `/v1/sso_connections/${connection.id}`, { client_secret: "another" });
  await page.getByRole("button", { name: "Test it" }).click();
  await page.locator(".trouble").waitFor();
  report.said_of_a_wrong_secret = await page.locator(".trouble").innerText();
  report.policy.push(...(await violationsOfPolicy(page)));
  await page.context().close();
}

async function refused(browser, report) {
  const page = await door(browser);
  await page.goto(`${base}/v1/sign_in/sso/callback?state=made_up&code=made_up`);
  await page.locator(".trouble").waitFor();
  report.said_of_a_made_up_way_back = await page.locator(".trouble").innerText();
  await page.context().close();
}

const report = { findings: [], faults: [], policy: [] };
let provider;
const server = createServer((request, response) => provider.callback()(request, response));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const issuer = `http://127.0.0.1:${server.address().port}`;
const connection = await api("POST", "/v1/sso_connections", {
  name: "School accounts",
  issuer,
  client_id: "lyceum",
  client_secret: SECRET,
  domains: ["school.example"],
  role_claim: "groups",
  roles: [{ value: "staff", role: "teacher" }],
  just_in_time: true,
});
provider = provide(issuer, connection);
const browser = await launch();
try {
  await onePerson(browser, issuer, report);
  await refused(browser, report);
  await oneAdmin(browser, connection, report);
  await inOtherLooks(browser, connection, report);
} finally {
  await browser.close();
  server.close();
}
console.log(JSON.stringify(report));
process.exit(0);
