// What else is done in the console: a draft, a package, a webhook, a key.
async function on({ page, visit }, hash) {
  await visit(page, hash);
  return page;
}

export async function checkGeneration(context) {
  const { api, report, examined } = context;
  const made = await api("POST", "/v1/courses", {
    name: "Knives",
    language: "en",
    hours: 2,
    ai: { evaluator: { model: "builtin" } },
    description: "Sharpening a knife. Cutting safely. Cleaning boards. Storing blades.",
  });
  const page = await on(context, `#/courses/${made.id}`);
  await examined(page, "an empty course", report);
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog form").waitFor();
  await examined(page, "asking for a draft", report);
  // What waits for somebody to decide about it has a walk of its own (`proposals.mjs`).
  await page.locator('dialog select:has(option[value="append"])').selectOption("append");
  await page.locator("dialog .button.main").click();
  await page.locator(".outline .unit").first().waitFor();
  report.drafted_units = await page.locator(".outline .unit").count();
}

// A stream as it may come: cut anywhere, with a comment in between. A service without streams is asked again and again,
// which the draft above has shown.
export async function checkStream(context) {
  const page = await on(context, "#/");
  context.report.streamed = await page.evaluate(async () => {
    const { states } = await import("/studio/generation.js");
    const pieces = [
      ': hello\n\nevent: progress\ndata: {"status":"pen',
      'ding","progress":{"completed":1}}\n\nevent: done\nda',
      'ta: {"status":"ready","progress":{"completed":2}}\n\n',
    ];
    const real = window.fetch;
    const body = () =>
      new ReadableStream({
        start(flow) {
          for (const piece of pieces) flow.enqueue(new TextEncoder().encode(piece));
          flow.close();
        },
      });
    window.fetch = async () => new Response(body(), { headers: { "content-type": "text/event-stream" } });
    const seen = [];
    for await (const { status, progress } of states("gen_any", new AbortController().signal)) seen.push(`${status} ${progress.completed}`);
    window.fetch = real;
    return seen;
  });
}

export async function checkPackages(context) {
  const { report, examined, settled } = context;
  const page = await on(context, "#/packages");
  const before = await page.locator("tbody tr").count();
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog select").first().waitFor();
  await page.locator("dialog select").first().selectOption({ index: 1 });
  await examined(page, "asking for a package", report);
  await page.locator("dialog .button.main").click();
  await page.waitForFunction(
    (count) => document.querySelectorAll("tbody tr").length > count && document.querySelector("tbody tr .tag.good"),
    before,
  );
  await settled(page);
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.locator("tbody tr").first().locator("button").first().click(),
  ]);
  await tab.waitForURL(/preview/);
  report.preview = tab.url().includes("/preview");
  await tab.close();
}

// Runs in a page: presses a button of the view in the moment in which it is told to make room for the next.
function pressTooLate() {
  const press = (_, observer) => {
    observer.disconnect();
    document.querySelector(".more .button").click();
  };
  new MutationObserver(press).observe(document.getElementById("toasts"), { childList: true });
}

export async function checkWebhooks(context) {
  const { ids, report, examined, settled } = context;
  const page = await on(context, `#/webhooks/${ids.endpoint}`);
  await page.evaluate(pressTooLate);
  await page.locator(".page-head .button.main").click();
  await page.locator(".toast").waitFor();
  report.ping = await page.locator(".toast").innerText();
  await settled(page);
  const rows = await page.locator("tbody tr").count();
  await page.locator(".more .button").click();
  await page.waitForFunction((before) => document.querySelectorAll("tbody tr").length > before, rows);
  report.pages = true;
  await page.locator("tbody .linkish").first().click();
  await page.locator("dialog .payload").waitFor();
  report.payload = JSON.parse(await page.locator("dialog .payload").innerText()).object;
  await page.locator("dialog .history summary").first().click();
  report.receivers_headers = /^date: /m.test(await page.locator("dialog .history details pre").first().innerText());
  await examined(page, "what was sent", report);
  await page.keyboard.press("Escape");
  await page.locator(".page-head .button").nth(1).click();
  await page.locator("dialog .button.danger").click();
  await page.locator("dialog .secret input").waitFor();
  report.secret = (await page.locator("dialog .secret input").inputValue()).slice(0, 6);
  await examined(page, "a secret shown once", report);
  await page.locator("dialog .row.end .button.main").click();
  report.secret_is_gone = !(await page.content()).includes("whsec_");
}

export async function checkKeys(context) {
  const { report, examined, settled } = context;
  const page = await on(context, "#/keys");
  await page.locator(".page-head .button.main").click();
  await page.locator("dialog input").first().fill("Console test");
  await page.locator("dialog input[value='read:submissions']").check();
  await examined(page, "making a key", report);
  await page.locator("dialog .button.main").click();
  await page.locator("dialog .secret input").waitFor();
  report.new_key = (await page.locator("dialog .secret input").inputValue()).slice(0, 5);
  await page.locator("dialog .row.end .button.main").click();
  await settled(page);
  await page.locator("tbody tr").first().locator(".button").last().click();
  await page.locator("dialog .button.danger").click();
  await page.locator("tbody tr").first().locator(".tag.bad").waitFor();
  report.revoked = await page.locator("tbody tr").first().locator("th span").first().innerText();
}

// Somebody of another platform would like to have the person: it opens once they say yes, and the door shows which is which.
export async function checkInvitations(context) {
  const { api, base, browser, friend, report, examined } = context;
  const { email } = await api("GET", "/v1/me");
  const headers = { "x-api-key": friend, "x-learning-platform-code": "friends", "content-type": "application/json" };
  await fetch(`${base}/v1/users`, { method: "POST", headers, body: JSON.stringify({ email, role: "teacher" }) });
  const page = await context.openConsole(browser, base, context.look, report.faults);
  await context.signIn(page, context.key);
  await page.locator(".invitation").waitFor();
  await examined(page, "an invitation", report);
  report.invited = await page.locator(".invitation code").first().innerText();
  await page.locator(".invitation .button.main").click();
  await page.locator(".account .who select").waitFor();
  report.invitation_is_gone = (await page.locator(".invitation").count()) === 0;
  await page.context().close();
  const door = await context.openConsole(browser, base, context.look, report.faults);
  await door.locator("input[type=password]").fill(context.key);
  await door.keyboard.press("Enter");
  await door.locator(".choices .button").first().waitFor();
  await context.settled(door);
  await examined(door, "choosing a platform", report);
  report.choices = (await door.locator(".choices code").allInnerTexts()).filter((text) => text.length < 24);
  await door.context().close();
}
