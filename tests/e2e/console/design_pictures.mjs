// The pictures of docs/design.md, of views as they are.
import { visit } from "./console_page.mjs";

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, language: "ar" };

async function outline(page, ids) {
  await visit(page, `#/courses/${ids.course}`);
  const row = page.locator(".item.lesson").nth(1).locator("> .item-row");
  await row.hover();
  await row.locator(".pick input").check();
  await row.locator(".menu-button").click();
  await page.keyboard.press("ArrowDown");
}

async function refusedForm(page, ids) {
  await visit(page, `#/assignments/${ids.knife}/edit`);
  await page.locator("form.editor input[type=number]").first().fill("-1");
  await page.locator(".save-bar .button.main").click();
  await page.locator(".save-bar .trouble").waitFor();
}

async function quiz(page, ids) {
  await visit(page, `#/courses/${ids.course}/${ids.lesson}`);
  await page.getByRole("link", { name: "What stays" }).click();
  await page.locator(".save-state.saved").waitFor();
  await page.locator("details.item > summary").nth(1).click();
}

const PICTURES = {
  outline: [DESK, outline],
  "form-dark": [{ ...DESK, colorScheme: "dark" }, refusedForm],
  activity: [DESK, quiz],
  "phone-arabic": [PHONE, (page) => visit(page, "#/members")],
};

export async function designPictures(camera, ids) {
  for (const [name, [look, prepare]] of Object.entries(PICTURES)) {
    const page = await camera.open(look);
    await prepare(page, ids);
    await camera.shoot(page, `design-${name}`);
    await page.context().close();
  }
}
