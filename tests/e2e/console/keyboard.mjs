// Going through a page by Tab alone, as who has no mouse does.
const MOST_STOPS = 250;

// To the first element of the selector that Tab comes to, from where the focus is.
export async function tabTo(page, selector, key = "Tab") {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press(key);
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`Tab does not come to ${selector}`);
}

export async function pressAt(page, selector, key = "Enter") {
  await tabTo(page, selector);
  await page.keyboard.press(key);
}
