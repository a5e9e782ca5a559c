// What the player's views promise beyond being reachable: cards that are remembered, recordings that never block,
// a language that follows the learner, an end that is one.
//
//   node views.mjs <package.zip or folder of a SCORM 2004 package> <folder with chimes.wav, jupiter.webm, jupiter.vtt>
//
// Prints one JSON line per promise; exits 0 only if all are kept.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { act, contentOf, goToStep, launch, openCourse, stepsOf } from "./course_page.mjs";
import { contents, open } from "./package_files.mjs";
import { serve } from "./server.mjs";

const LOOK = { viewport: { width: 1280, height: 860 } };
const AUDIO = { src: "media/chimes.wav", type: "audio/wav" };
const VIDEO = { src: "media/jupiter.webm", type: "video/webm", captions: [{ src: "media/jupiter.vtt", language: "en", label: "English" }] };

// An answer as servers give it: without parts of files there is no seeking in them.
function part(body, name, range) {
  const contentType = { wav: "audio/wav", webm: "video/webm", vtt: "text/vtt" }[name.split(".").pop()];
  const from = Number((range || "").match(/^bytes=(\d+)-/)?.[1]);
  if (!(from >= 0)) return { body, contentType, headers: { "accept-ranges": "bytes" } };
  const headers = { "accept-ranges": "bytes", "content-range": `bytes ${from}-${body.length - 1}/${body.length}` };
  return { status: 206, body: body.subarray(from), contentType, headers };
}

// Moves a recording as a learner's hand on its slider would, and waits until it is there.
async function seek(page, selector, share) {
  await page.waitForFunction((wanted) => document.querySelector(wanted)?.readyState > 0, selector);
  await page.locator(selector).evaluate((media, to) => new Promise((done) => {
    media.addEventListener("seeked", done, { once: true });
    setTimeout(done, 10_000);
    media.currentTime = media.duration * to;
  }), share);
}

class Stage {
  constructor(browser, origin, pack, media) {
    Object.assign(this, { browser, origin, pack, media, steps: stepsOf(pack.course), faults: [] });
  }

  at(kind, wanted = () => true) {
    return this.steps.findIndex((step) => step.kind === kind && wanted(step));
  }

  open(stored, before) {
    return openCourse(this.browser, this.origin, LOOK, this.faults, stored, before);
  }

  // The package as it is, but with `change` done to the content of one step, and with recordings in it.
  openWith(step, change, stored) {
    return this.open(stored, (page) => this.change(page, step, change));
  }

  // The same of a package that is open already.
  async with(page, step, change) {
    await this.change(page, step, change);
    await page.reload();
    await page.locator("[data-action=start]").waitFor();
  }

  async change(page, step, change) {
    await page.route(`**/${step.file}`, async (route) => {
      const document = structuredClone(this.pack.documents.get(step.lesson));
      change(step.id === step.lesson ? document : document.activities[step.id]);
      await route.fulfill({ contentType: "text/javascript", body: `lyceumRegister("content",${JSON.stringify(step.lesson)},${JSON.stringify(document)});` });
    });
    await page.route("**/media/*", async (route) => {
      const name = route.request().url().split("/").pop();
      const body = await readFile(join(this.media, name)).catch(() => null);
      await (body ? route.fulfill(part(body, name, route.request().headers().range)) : route.fallback());
    });
  }
}

const PROMISES = {
  async "cards are sorted, and the unknown ones come again"(stage) {
    const page = await stage.open();
    const at = stage.at("flashcards");
    const { cards } = contentOf(stage.pack, stage.steps[at]);
    await goToStep(page, at);
    for (const [place] of cards.entries()) {
      await page.locator("[data-action=flip]").click();
      await page.locator(place === 1 ? "[data-action=card-unknown]" : "[data-action=card-known]").click();
    }
    if ((await page.locator(".still li").allInnerTexts()).join() !== cards[1].front) return "the summary does not name what is unknown";
    if (!(await page.locator(`[data-step="${at}"].done`).count())) return "a deck that was gone through is not done";
    await page.locator("[data-action=card-practise]").click();
    if ((await page.locator(".face").innerText()) !== cards[1].front) return "another card comes again";
    await page.locator("[data-action=flip]").click();
    if ((await page.locator(".face").innerText()) !== cards[1].back) return "the card has no back";
    await page.locator("[data-action=card-known]").click();
    if (await page.locator("[data-action=card-practise]").count()) return "there is still something to practise";
    return (await page.locator(".dots, .still").count()) ? "the deck is not through" : null;
  },

  async "a podcast is done when almost all was heard, and goes on where it was left"(stage) {
    const at = stage.at("podcast");
    const page = await stage.openWith(stage.steps[at], (content) => { content.audio = AUDIO; });
    await goToStep(page, at);
    await page.locator(".speed").selectOption("1.5");
    if ((await page.locator("audio").evaluate((audio) => audio.playbackRate)) !== 1.5) return "the speed does not change";
    await seek(page, "audio", 0.4);
    await goToStep(page, at + 1);
    await goToStep(page, at);
    await page.waitForFunction(() => Math.abs(document.querySelector("audio").currentTime - document.querySelector("audio").duration * 0.4) < 0.2);
    await seek(page, "audio", 0.95);
    await page.locator(`[data-step="${at}"].done`).waitFor({ state: "attached" });
    await page.locator("[data-action=chapter]").first().click();
    return (await page.evaluate(() => document.activeElement.tagName)) === "H3" ? null : "a chapter leads nowhere";
  },

  async "a video has captions and chapters, and can be marked as done"(stage) {
    const at = stage.at("video");
    const page = await stage.openWith(stage.steps[at], (content) => Object.assign(content, VIDEO));
    await goToStep(page, at);
    const track = await page.locator("video track").evaluate((node) => [node.kind, node.srclang, node.label].join(" "));
    if (track !== "captions en English") return `the track is ${track}`;
    await page.locator("[data-action=chapter]").nth(1).click();
    await page.waitForFunction(() => document.querySelector("video").currentTime >= 1.9);
    await page.locator("[data-action=done]").click();
    const focused = await page.evaluate(() => document.activeElement.dataset.action);
    if (focused !== "next" && focused !== "finish") return `the focus went to ${focused}`;
    return (await page.locator(`[data-step="${at}"].done`).count()) ? null : "it is not done";
  },

  async "a recording that cannot be played is in nobody's way"(stage) {
    const at = stage.at("podcast");
    const faults = stage.faults.length;
    const page = await stage.openWith(stage.steps[at], (content) => { content.audio = { src: "media/missing.wav", type: "audio/wav" }; });
    await goToStep(page, at);
    await page.locator(".failed:visible").waitFor();
    stage.faults.length = faults;
    await page.locator("[data-action=next]").click();
    return (await page.locator(`[data-step="${at}"].done`).count()) ? null : "Next does not count";
  },

  async "a picture that cannot be had leaves its description"(stage) {
    const at = stage.at("lesson");
    const faults = stage.faults.length;
    const page = await stage.openWith(stage.steps[at], (content) => { content.html = '<p><img src="media/missing.png" alt="A hill" width="4" height="3"></p>'; });
    await goToStep(page, at);
    await page.locator(".lost-picture").waitFor();
    stage.faults.length = faults;
    return (await page.locator(".lost-picture").innerText()) === "A hill" ? null : "nothing is left of it";
  },

  async "what a text marks has its word, and a note leads to and fro"(stage) {
    const at = stage.at("lesson");
    const page = await stage.openWith(stage.steps[at], (content) => {
      content.html = '<div class="callout tip"><p>Look up.</p></div><ul><li><span class="task done" role="img">\u2611</span> seen</li><li><span class="task" role="img">\u2610</span> found</li></ul>'
        + '<p>A star<sup><a id="t9-1-1" href="#t9-1">1</a></sup></p><section class="footnotes"><ol><li><span id="t9-1"></span><p>Far away. <a class="note-back" href="#t9-1-1">\u21a9</a></p></li></ol></section>';
    });
    await goToStep(page, at);
    const words = await page.evaluate(() => [".callout.tip > .callout-name", ".footnotes > .callout-name"].map((one) => document.querySelector(one)?.textContent)
      .concat([".task.done", ".task:not(.done)", ".note-back"].map((one) => document.querySelector(one)?.getAttribute("aria-label"))));
    if (new Set(words.filter(Boolean)).size !== words.length) return `it says ${JSON.stringify(words)}`;
    await page.locator("#t9-1-1").click();
    if (!page.url().endsWith("#t9-1") || !(await page.locator(".callout.tip").isVisible())) return "the number leads away";
    await page.locator(".note-back").click();
    return page.url().endsWith("#t9-1-1") && (await page.locator(".callout.tip").isVisible()) ? null : "the arrow leads away";
  },

  async "a formula that is too wide is moved by the keyboard, and no other is stopped at"(stage) {
    const at = stage.at("lesson");
    const page = await stage.openWith(stage.steps[at], (content) => {
      const formula = (times) => `<span class="formula"><math dir="ltr"><mrow>${"<mn>1000</mn><mo>+</mo>".repeat(times)}<mn>1</mn></mrow></math></span>`;
      content.html = `<p>A ${formula(1)} and ${formula(200)}.</p><math display="block"><mi>x</mi></math>`;
    });
    await goToStep(page, at);
    const [short, wide, alone] = await page.locator("math").all();
    await wide.and(page.locator("[tabindex='0']")).waitFor();
    if ((await short.getAttribute("tabindex")) !== null || (await alone.getAttribute("tabindex")) !== null) return "the keyboard stops at every formula";
    return (await page.evaluate(() => document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth)) ? "the page scrolls sideways" : null;
  },

  async "words from right to left are read so, also behind a formula"(stage) {
    const at = stage.at("quiz", (step) => contentOf(stage.pack, step).questions.some((q) => q.html.prompt.includes("<math")));
    const formula = contentOf(stage.pack, stage.steps[at]).questions.map((q) => q.html.prompt.match(/<span class="formula".*?<\/math><\/span>/)).find(Boolean)[0];
    const page = await stage.openWith(stage.steps[at], (content) => { content.questions[0].html.prompt = `${formula} \u0633\u0646\u0629`; });
    await goToStep(page, at);
    const direction = await page.locator(".prompt").first().evaluate((node) => getComputedStyle(node).direction);
    return direction === "rtl" ? null : `it is read ${direction}`;
  },

  async "a question shows all that a lesson does, and its fields are named by it"(stage) {
    const page = await stage.open();
    const at = stage.at("quiz", (step) => contentOf(stage.pack, step).questions.some((q) => /<table/.test(q.html.prompt)));
    const { questions } = contentOf(stage.pack, stage.steps[at]);
    await goToStep(page, at);
    const field = page.locator(`[data-question="${questions.findIndex((q) => /<table/.test(q.html.prompt))}"]`);
    for (const wanted of [".prompt strong", ".prompt math", ".prompt table", ".option math"]) {
      if (!(await field.locator(wanted).first().isVisible())) return `there is no ${wanted}`;
    }
    const invalid = await page.evaluate(() => Array.from(document.querySelectorAll("legend, label, p, span, button")).filter((node) => node.querySelector("p, ul, ol, table, pre, div, fieldset")).map((node) => node.outerHTML.slice(0, 80)));
    if (invalid.length) return `blocks stand in ${invalid[0]}`;
    if (await page.locator("label a, label button, button a, label [tabindex]").count()) return "something is pressed within what is pressed";
    if (!(await field.getAttribute("aria-label")).match(/[?\u061f]$/)) return "the question does not name its group";
    const names = await field.locator("input").evaluateAll((inputs) => inputs.map((input) => input.getAttribute("aria-label") || input.labels[0]?.textContent));
    if (new Set(names).size !== names.length || names.some((name) => !name)) return `the options are called ${JSON.stringify(names)}`;
    const code = page.locator(".option:has(pre)").first();
    if (!(await code.count())) return null;
    await code.locator("pre").click();
    if (!(await code.locator("input").isChecked())) return "an option is not chosen by its code";
    await code.locator("pre").click();
    return (await code.locator("input").isChecked()) ? "a second press does not take it back" : null;
  },

  async "a quiz asks as many of its questions as it says, and as often"(stage) {
    const at = stage.at("quiz", (step) => step.graded);
    const questions = Array.from({ length: 8 }, (_, n) => ({ id: `p${n}`, type: "true_false", prompt: `Is ${n} a number?`, answer: true, scored: true, points: 1 }));
    const page = await stage.openWith(stage.steps[at], (content) => Object.assign(content, { questions, questions_per_attempt: 3, max_attempts: 2, shuffle: false }), { "cmi.learner_preference.language": "en-US" });
    const asked = () => page.locator(".question").evaluateAll((all) => all.map((one) => one.dataset.question).join());
    await goToStep(page, at);
    const first = await asked();
    if (first.split(",").length !== 3) return `it asks ${first}`;
    await page.reload();
    await page.locator("[data-action=start]").waitFor();
    await goToStep(page, at);
    if ((await asked()) !== first) return "a reload asks something else";
    if (!(await page.locator(".facts").first().innerText()).includes("Attempt 1 of 2")) return "nobody knows how often they may try";
    const answer = async (value) => {
      for (const field of await page.locator(`.question input[value="${value}"]`).all()) await field.check({ force: true });
      await page.locator("[data-action=submit]").click();
    };
    await answer(1);
    if ((await page.locator(".ring .big").innerText()) !== "0%") return "three wrong answers are worth something";
    await page.locator("[data-action=retry]").click();
    await answer(0);
    if ((await page.locator(".ring .big").innerText()) !== "100%") return "what was not asked counts";
    const told = await page.locator(".result").innerText();
    if (!told.includes("Attempts: 2 of 2") || (await page.locator("[data-action=retry]").count())) return "there is no end to it";
    await goToStep(page, at - 1);
    await goToStep(page, at);
    return (await page.locator("[data-action=retry], [data-action=submit]").count()) ? "looking away gives another attempt" : null;
  },

  async "a line stays a line, and the LMS hears words"(stage) {
    const at = stage.at("quiz", (step) => step.graded && contentOf(stage.pack, step).questions[0].type === "cloze");
    const step = stage.steps[at];
    const page = await stage.openWith(step, (content) => { content.questions[0].html.prompt = "One<br>\nTwo"; });
    await goToStep(page, at);
    if ((await page.locator(".prompt").first().innerText()) !== "One\nTwo") return "its lines are one";
    await act(page, step, contentOf(stage.pack, step));
    const data = await page.evaluate(() => window.written);
    const told = Object.entries(data).filter(([name]) => /interactions\.\d+\.(description|correct_responses|learner_response)/.test(name)).map(([, value]) => value);
    const marked = told.filter((value) => /\*\*|<\w|!\[|\u0060|[$]/.test(value));
    if (!told.length || marked.length) return `it hears ${JSON.stringify(marked.slice(0, 3))}`;
    return /html|math|One/.test(data["cmi.suspend_data"]) ? "the state has texts in it" : null;
  },

  async "media of the library are played and opened where they stand"(stage) {
    const lesson = stage.at("lesson");
    const chimes = '<audio controls preload="metadata" src="media/chimes.wav" aria-label="Chimes"></audio>';
    const film = '<video controls playsinline preload="metadata" src="media/jupiter.webm" aria-label="Jupiter" width="320" height="180"></video>';
    const page = await stage.openWith(stage.steps[lesson], (content) => { content.html = `<p>${chimes}</p><p>${film}</p><p><a href="media/sheet.pdf" target="_blank" rel="noopener noreferrer">Sheet</a></p>`; });
    await goToStep(page, lesson);
    await page.waitForFunction(() => Array.from(document.querySelectorAll(".prose audio, .prose video")).every((media) => media.readyState > 0));
    const sizes = await page.locator(".prose :is(audio, video)").evaluateAll((all) => all.map((media) => media.getBoundingClientRect()).map((box) => [Math.round(box.width), Math.round(box.height)]));
    if (sizes.length !== 2 || sizes[0][0] < 200 || Math.abs(sizes[1][0] / sizes[1][1] - 16 / 9) > 0.1) return `they take ${JSON.stringify(sizes)}`;
    if (!(await page.locator(".prose a .unseen").innerText()).trim()) return "nobody hears that a file opens in a new tab";
    const cards = stage.at("flashcards");
    await stage.with(page, stage.steps[cards], (content) => {
      content.cards.splice(1);
      Object.assign(content.cards[0], { front: "Chimes", back: "Look", hint: "", html: { front: chimes, back: "Look" } });
    });
    await goToStep(page, cards);
    await page.locator(".face audio").click({ position: { x: 120, y: 20 } });
    return (await page.locator(".face audio").isVisible()) ? null : "a card is turned by whoever wants to hear it";
  },

  async "a card holds what no button may, and is turned wherever it is pressed"(stage) {
    const at = stage.at("flashcards");
    const page = await stage.openWith(stage.steps[at], (content) => {
      content.cards.splice(1);
      Object.assign(content.cards[0], { front: "x^2", back: "Look", hint: "" });
      content.cards[0].html = { front: '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>', back: '<ul><li>a</li></ul><p><a href="https://example.org/">Look</a></p>' };
    });
    await goToStep(page, at);
    if (!(await page.locator(".face math").isVisible())) return "the front has no formula";
    await page.locator(".flashcard").click({ position: { x: 12, y: 12 } });
    if (!(await page.locator(".face ul").isVisible())) return "it is not turned at its edge";
    // A status is told a moment after its line was emptied, so that the same words are heard twice.
    if (!(await page.locator("[role=status]", { hasText: "Look" }).waitFor({ state: "attached", timeout: 5000 }).then(() => true, () => false))) return "nobody hears what is on the back";
    await page.locator(".face a").click({ trial: true });
    await page.locator(".face li").click({ force: true });
    return (await page.locator(".face math").isVisible()) ? null : "it is not turned back at its text";
  },

  async "a lesson in another language is marked, and read in its direction"(stage) {
    const page = await stage.open();
    const at = stage.at("lesson");
    const own = stage.pack.course.language;
    const other = own === "ar" ? "en" : "ar";
    await page.route("**/content/course.js", async (route) => {
      const outline = structuredClone(stage.pack.course);
      outline.units[0].steps.find((step) => step.kind === "lesson").language = other;
      await route.fulfill({ contentType: "text/javascript", body: `lyceumRegister("course",${JSON.stringify(outline.id)},${JSON.stringify(outline)});` });
    });
    await page.reload();
    await page.locator("[data-action=start]").waitFor();
    await goToStep(page, at);
    const marked = await page.locator(".body-inner").evaluate((body) => [body.lang, body.dir].join());
    if (marked !== (other === "ar" ? "ar,rtl" : "en,ltr")) return `the lesson is ${marked}`;
    const said = await page.locator(".body-inner .eyebrow").first().evaluate((words) => [words.lang, getComputedStyle(words).direction].join());
    if (said !== (own === "ar" ? "ar,rtl" : "en,ltr")) return `the interface within it is ${said}`;
    const names = [await page.locator("h1").getAttribute("lang"), await page.locator(`[data-step="${at}"] .step-name`).getAttribute("lang")];
    if (names.join() !== [other, other].join()) return `its name is ${names}`;
    await goToStep(page, at + 1);
    return (await page.locator(".body-inner").getAttribute("lang")) === own ? null : "the next step is marked as well";
  },

  async "a quantity keeps its order in names and in lists to choose from"(stage) {
    const explainer = stage.at("explainer");
    const words = "\u0639\u0646\u062f 74 \u00b0C \u0623\u0648 \u0639\u0627\u0645 2024";
    const page = await stage.openWith(stage.steps[explainer], (content) => { Object.assign(content.sections[0], { heading: words, html: `<figure><figcaption>${words}</figcaption></figure>` }); });
    await goToStep(page, explainer);
    for (const name of ["h2", "figcaption"]) {
      const [kept, firstX, lastX, text] = await page.locator(`.body ${name}`, { hasText: "74" }).evaluate((node) => {
        const [range, parts] = [document.createRange(), node.querySelectorAll("bdi")];
        const x = (at) => { range.setStart(parts[0].firstChild, at); range.setEnd(parts[0].firstChild, at + 1); return range.getBoundingClientRect().left; };
        return [Array.from(parts, (part) => part.textContent).join(), x(0), x(4), node.textContent];
      });
      if (kept !== "74 \u00b0C" || firstX > lastX || text !== words) return `the ${name} keeps ${kept}, ${firstX} before ${lastX}`;
    }
    const at = stage.at("quiz", (step) => contentOf(stage.pack, step).questions.some((q) => q.type === "matching"));
    const place = contentOf(stage.pack, stage.steps[at]).questions.findIndex((q) => q.type === "matching");
    await stage.with(page, stage.steps[at], ({ questions }) => { Object.assign(questions[place].pairs[0], { left: "\u0645\u0627\u0621", right: "\u0639\u0646\u062f 74 \u00b0C" }); });
    await goToStep(page, at);
    const entries = await page.locator(`[data-question="${place}"] select`).first().locator("option").allTextContents();
    return entries.includes("\u2068\u0639\u0646\u062f \u206674 \u00b0C\u2069\u2069") ? null : `the entries are ${JSON.stringify(entries)}`;
  },

  async "the interface follows the learner's language, the course does not"(stage) {
    const english = await stage.open({ "cmi.learner_preference.language": "en-US" });
    const language = (page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir, document.querySelector("main").lang].join(" "));
    const own = stage.pack.course.language;
    if ((await language(english)) !== `en ltr ${own}`) return `it speaks ${await language(english)}`;
    const strange = await stage.open({ "cmi.learner_preference.language": "xx" });
    return (await strange.evaluate(() => document.documentElement.lang)) === own.split("-")[0] ? null : "it follows a language that it does not speak";
  },

  async "nothing is written after saving and leaving, and the results stay when starting again"(stage) {
    const page = await stage.open();
    const at = stage.at("quiz", (step) => step.graded);
    await goToStep(page, at);
    await act(page, stage.steps[at], contentOf(stage.pack, stage.steps[at]));
    await page.locator(".menu [data-action=restart]").click();
    if (!(await page.locator("[data-step='0'][aria-current]").count())) return "it does not start again at the first step";
    if (!(await page.locator(`[data-step="${at}"].done`).count())) return "the results are gone";
    await page.locator(".menu [data-action=exit]").click();
    await page.locator(".closed").waitFor();
    const before = await page.evaluate(() => window.sets);
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent("pagehide"));
      document.dispatchEvent(new Event("visibilitychange"));
    });
    const [after, ended] = await page.evaluate(() => [window.sets, window.terminated]);
    return after === before && ended === 1 ? null : `${after - before} writes, ${ended} ends`;
  },

  async "the next lesson is there before it is asked for"(stage) {
    const page = await stage.open();
    const later = stage.steps.find((step) => step.file !== stage.steps[0].file);
    const asked = page.waitForRequest(`**/${later.file}`);
    await goToStep(page, 0);
    await asked;
    return null;
  },
};

async function main() {
  const files = await open(process.argv[2]);
  const server = await serve(files.folder, "2004");
  const browser = await launch();
  let broken = 0;
  try {
    const stage = new Stage(browser, server.origin, await contents(files.folder), process.argv[3]);
    for (const [promise, check] of Object.entries(PROMISES)) {
      const fault = (await check(stage).catch((error) => String(error))) || stage.faults.splice(0)[0] || null;
      if (fault) broken += 1;
      console.log(JSON.stringify({ promise, fault }));
      for (const context of browser.contexts()) await context.close();
    }
  } finally {
    await browser.close();
    await server.close();
    await files.remove();
  }
  process.exitCode = broken ? 1 : 0;
}

await main();
