// Takes a course from its cover to its end with Tab, Enter, Space, arrows and typing alone.
import { contentOf, settled, stepsOf } from "./course_page.mjs";

const MOST_TABS = 250;

// Runs in the page: whether what has the focus shows it, and whether anything lies over it.
function focusSeen() {
  const node = document.activeElement;
  const shown = node.matches("[data-action=flip]") ? node.parentElement : node.closest(".option") || node;
  const style = getComputedStyle(shown);
  const box = shown.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height, 40) / 2];
  const inside = x >= 0 && x < innerWidth && y >= 0 && y < innerHeight;
  const top = inside ? document.elementFromPoint(x, y) : null;
  const word = node.outerHTML.slice(0, 70);
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) return `focus is not to be seen: ${word}`;
  if (!inside) return `focus is out of sight: ${word}`;
  return top && (shown.contains(top) || top.contains(shown)) ? null : `focus is covered: ${word}`;
}

class Keyboard {
  constructor(page, findings) {
    this.page = page;
    this.findings = findings;
    this.tabs = 0;
  }

  press(key) { return this.page.keyboard.press(key); }

  // On with Tab until the element is reached, which then has to show that it has the focus.
  async tabTo(selector) {
    for (let tab = 0; tab < MOST_TABS; tab += 1) {
      if (await this.page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) {
        const fault = await this.page.evaluate(focusSeen);
        if (fault) this.findings.push(`keyboard: ${fault}`);
        return;
      }
      await this.press("Tab");
      this.tabs += 1;
    }
    throw new Error(`the keyboard does not reach ${selector}`);
  }

  async enter(selector) {
    await this.tabTo(selector);
    await this.press("Enter");
  }

  async type(selector, text) {
    await this.tabTo(selector);
    await this.page.keyboard.type(text);
  }

  async choose(field, wanted) {
    const values = await this.page.locator(`${field} input`).evaluateAll((inputs) => inputs.map((input) => Number(input.value)));
    await this.tabTo(`${field} input`);
    await this.press("Space");
    for (let at = 0; at < values.indexOf(wanted); at += 1) await this.press("ArrowDown");
  }

  async tick(field, wanted) {
    const values = await this.page.locator(`${field} input`).evaluateAll((inputs) => inputs.map((input) => Number(input.value)));
    for (const value of values) {
      if (!wanted.includes(value)) continue;
      await this.tabTo(`${field} input[value="${value}"]`);
      await this.press("Space");
    }
  }

  // Moves every item to its place, beginning at the top; each press keeps the focus with the item.
  async order(field, count) {
    const places = () => this.page.locator(`${field} li`).evaluateAll((rows) => rows.map((row) => Number(row.dataset.item)));
    for (let place = 0; place < count; place += 1) {
      while ((await places())[place] !== place) {
        const at = (await places()).indexOf(place);
        await this.back(`${field} li:nth-child(${at + 1}) .up`, field);
        await this.press("Enter");
      }
    }
  }

  // Shift+Tab if the element lies behind, Tab if it lies ahead.
  async back(selector, field) {
    const ahead = await this.page.evaluate(([wanted, inside]) => {
      const node = document.querySelector(wanted);
      const now = document.activeElement;
      return node === now ? 0 : !now.closest(inside) || now.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;
    }, [selector, field]);
    for (let tab = 0; tab < MOST_TABS && !(await this.page.evaluate((wanted) => document.activeElement.matches(wanted), selector)); tab += 1) {
      await this.press(ahead < 0 ? "Shift+Tab" : "Tab");
    }
  }

  async answer(question, at) {
    const field = `fieldset[data-question="${at}"]`;
    const written = { short_text: () => question.accepted_answers[0], numeric: () => String(question.answer), open: () => "word ".repeat(Math.max(12, question.min_words || 0)) };
    if (written[question.type]) return this.type(`${field} input, ${field} textarea`, written[question.type]());
    if (question.type === "single_choice") return this.choose(field, question.options.findIndex((option) => option.correct));
    if (question.type === "true_false") return this.choose(field, question.answer ? 0 : 1);
    if (question.type === "multiple_choice") return this.tick(field, question.options.flatMap((option, place) => (option.correct ? [place] : [])));
    if (question.type === "ordering") {
      await this.tabTo(`${field} button`);
      return this.order(field, question.items.length);
    }
    if (question.type === "cloze") {
      for (const blank of question.blanks) await this.type(`${field} [data-blank="${blank.id}"]`, blank.accepted_answers[0]);
      return undefined;
    }
    for (let pair = 0; pair < question.pairs.length; pair += 1) {
      const select = `${field} .match:nth-child(${pair + 1}) select`;
      const values = await this.page.locator(select).evaluate((node) => Array.from(node.options, (option) => option.value));
      await this.tabTo(select);
      for (let down = 0; down < values.indexOf(String(pair)); down += 1) await this.press("ArrowDown");
    }
    return undefined;
  }

  async step(step, content) {
    if (step.kind === "flashcards") {
      for (let card = 0; card < content.cards.length; card += 1) {
        await this.enter("[data-action=flip]");
        await this.enter("[data-action=card-known]");
      }
    }
    if (step.kind === "quiz") {
      const order = await this.page.locator("fieldset[data-question]").evaluateAll((fields) => fields.map((field) => Number(field.dataset.question)));
      for (const at of order) await this.answer(content.questions[at], at);
    }
    if (await this.page.locator(".body .writing textarea, .kind-assignment .body textarea").count()) await this.type(".body textarea", "I would walk to the hill behind the mill and look.");
    if (await this.page.locator(".body [data-action=submit]:visible").count()) await this.enter(".body [data-action=submit]");
    await this.enter("[data-action=next], [data-action=finish]");
    await settled(this.page);
  }
}

export async function completeByKeyboard(page, pack, findings) {
  const keyboard = new Keyboard(page, findings);
  await keyboard.tabTo(".skip");
  await keyboard.press("Enter");
  await keyboard.enter("[data-action=start]");
  for (const step of stepsOf(pack.course)) {
    await page.locator("article:not(.cover)").waitFor();
    await settled(page);
    await keyboard.step(step, contentOf(pack, step));
  }
  const written = await page.evaluate(() => window.written);
  const result = { tabs: keyboard.tabs, completion: written["cmi.completion_status"], success: written["cmi.success_status"], score: written["cmi.score.raw"] };
  if (result.completion !== "completed") findings.push("keyboard: the course was not completed");
  await page.context().close();
  return result;
}
