// On paper there is what is read and nothing to press, dark on light whatever the screen shows.
const VIEWS = ["lesson", "course", "calibration", "review"];

// Runs in the page: what would be printed though nobody can press it, and colours of the screen.
function printed() {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().height > 1;
  const pressed = [...document.querySelectorAll(".nav, .skip, .button, .menu-button, .add, .desk-bar, .queue, .toasts")].filter(seen);
  const ground = getComputedStyle(document.body).backgroundColor;
  const found = pressed.map((node) => `is printed: ${node.outerHTML.slice(0, 80)}`);
  return ground === "rgb(255, 255, 255)" ? found : [...found, `is printed on ${ground}`];
}

export async function checkPrint({ browser, base, key, report, openConsole, signIn, visit, views }) {
  const page = await openConsole(browser, base, { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }, report.faults);
  await signIn(page, key);
  for (const view of VIEWS) {
    await visit(page, views[view]);
    await page.emulateMedia({ media: "print" });
    report.findings.push(...(await page.evaluate(printed)).map((text) => `print, ${view}: ${text}`));
    await page.emulateMedia({ media: null });
  }
  await page.context().close();
}
