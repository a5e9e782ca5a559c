// The nine kinds of question. Each gives: node, answered(), ratio() (0..1, null if nobody can mark it),
// right() (the right answer, to be shown), said() (both SCORM dialects), reveal() and what it locks.

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

function normal(text, exact) {
  const one = String(text === undefined || text === null ? "" : text).normalize("NFC").trim().replace(/\s+/g, " ");
  return exact ? one : one.toLocaleLowerCase();
}

function matchesAny(text, accepted, exact) {
  return list(accepted).some((one) => normal(one, exact) === normal(text, exact));
}

// Free text in 1.2 is 255 characters; 2004 tells short answers from long ones.
function textSaid(response, accepted, exact, long) {
  const flag = "{case_matters=" + (exact ? "true" : "false") + "}";
  const patterns = list(accepted).map(String).filter((one, at, all) => all.indexOf(one) === at).slice(0, 5);
  return {
    classic: { type: "fill-in", patterns: patterns.map((one) => one.slice(0, 255)), response: response.slice(0, 255) },
    modern: {
      type: long ? "long-fill-in" : "fill-in",
      patterns: patterns.map((one) => flag + one.slice(0, 230)),
      response: response.slice(0, long ? 4000 : 250),
    },
  };
}

function listSaid(type, right, response) {
  return {
    classic: { type, patterns: right.length ? [right.join(",")] : [], response: response.join(",") },
    modern: { type, patterns: right.length ? [right.join("[,]")] : [], response: response.join("[,]") },
  };
}

// A shape says it to every eye, whatever colours it tells apart, and the words to everybody else.
function mark(field, right) {
  field.classList.add(right ? "is-right" : "is-wrong");
  const id = field.id + "-mark";
  field.setAttribute("aria-describedby", id);
  field.after(h("span", { class: "field-mark " + (right ? "good" : "bad") }, icon(right ? "check" : "cross"),
    h("span", { class: "unseen", id, lang: uiLang() }, t(right ? "correct" : "incorrect"))));
}

// A label holds no blocks; they are pressed like one all the same.
function optionFace(input, text) {
  const parts = [input, h("span", { class: "mark" }), text];
  nameBy(input, text, isBlocks(text));
  if (!isBlocks(text)) return h("label", { class: "option", for: input.id }, parts);
  const press = (event) => { if (event.target !== input) input.click(); };
  return h("div", { class: "option", onclick: press }, parts);
}

function choiceQuestion(q, ctx, many) {
  const options = list(q.options).map((option, at) => ({ option, at }));
  const shown = ctx.shuffle ? shuffled(options, ctx.seed) : options;
  const inputs = [];
  const node = h("div", { class: "options" }, shown.map(({ option, at }) => {
    const input = h("input", { type: many ? "checkbox" : "radio", name: ctx.name, value: String(at), id: ctx.name + "-" + at });
    inputs.push(input);
    const text = asShown(option, "text", "span", { class: "option-text" });
    const face = optionFace(input, text);
    return h("div", { class: "option-row" }, face, says(option, "feedback") ? asShown(option, "feedback", "p", { class: "option-feedback", hidden: true }) : null);
  }));
  const chosen = () => inputs.filter((input) => input.checked).map((input) => Number(input.value)).sort((a, b) => a - b);
  const right = options.filter(({ option }) => option.correct === true).map(({ at }) => at);
  const texts = (indexes) => indexes.map((at) => String(options[at].option.text));
  return {
    node,
    hint: many ? t("chooseMany") : t("chooseOne"),
    answered: () => chosen().length > 0,
    ratio: () => {
      const mine = chosen();
      if (!many) return right.includes(mine[0]) ? 1 : 0;
      // Right ones less wrong ones: choosing everything gains nothing.
      const hits = mine.filter((at) => right.includes(at)).length;
      return right.length ? Math.max(0, hits - (mine.length - hits)) / right.length : 0;
    },
    right: () => inLine((many ? right : right.slice(0, 1)).map((at) => [options[at].option, "text"]), ", "),
    said: () => {
      // Only 36 one-character names exist in 1.2; beyond that the words themselves are sent.
      if (options.length > LETTERS.length) return textSaid(texts(chosen()).join(", "), [], true, false);
      const letters = (indexes) => indexes.map((at) => LETTERS[at]);
      const said = listSaid("choice", letters(right), letters(chosen()));
      if (!many && right.length > 1) {
        said.classic.patterns = letters(right);
        said.modern.patterns = letters(right);
      }
      return said;
    },
    reveal: () => {
      for (const input of inputs) {
        const row = input.closest(".option-row");
        const at = Number(input.value);
        const good = right.includes(at);
        if (good || input.checked) {
          row.classList.add(good ? "is-right" : "is-wrong");
          const words = " (" + t(good ? "rightOption" : "wrongOption") + ")";
          row.firstChild.append(h("span", { class: "option-mark" }, icon(good ? "check" : "cross"), h("span", { class: "unseen", lang: uiLang() }, words)));
          const name = input.getAttribute("aria-label");
          if (name) input.setAttribute("aria-label", name + words);
        }
        const feedback = row.querySelector(".option-feedback");
        if (feedback && input.checked) feedback.hidden = false;
      }
    },
  };
}

function trueFalseQuestion(q, ctx) {
  const options = [{ text: t("true"), correct: q.answer === true }, { text: t("false"), correct: q.answer === false }];
  const base = choiceQuestion({ options }, Object.assign({}, ctx, { shuffle: false }), false);
  base.said = () => {
    const mine = base.node.querySelector("input[value='0']").checked;
    const word = (value, dialect) => (dialect === "classic" ? (value ? "t" : "f") : String(value));
    const say = (dialect) => ({ type: "true-false", patterns: q.scored ? [word(q.answer === true, dialect)] : [], response: word(mine, dialect) });
    return { classic: say("classic"), modern: say("modern") };
  };
  return base;
}

function textField(ctx, label, props) {
  const input = h("input", Object.assign({ type: "text", id: ctx.name, class: "field", autocomplete: "off", spellcheck: "false", maxlength: "1000" }, props));
  return { input, node: h("p", { class: "field-row" }, h("label", { for: ctx.name, lang: uiLang() }, label), input) };
}

function shortTextQuestion(q, ctx) {
  const { input, node } = textField(ctx, t("yourAnswer"));
  const hit = () => matchesAny(input.value, q.accepted_answers, q.case_sensitive === true);
  return {
    node,
    answered: () => input.value.trim() !== "",
    ratio: () => (hit() ? 1 : 0),
    reveal: () => mark(input, hit()),
    right: () => String(list(q.accepted_answers)[0] || ""),
    said: () => textSaid(input.value.trim(), q.accepted_answers, q.case_sensitive === true, false),
  };
}

// Learners write 3,5 and 3.5, with and without a space for thousands.
function readNumber(text) {
  const plain = String(text).trim().replace(/[\s\u00a0\u202f']/g, "").replace(/\u2212/g, "-").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

function numericQuestion(q, ctx) {
  const { input, node } = textField(ctx, q.unit ? t("yourNumberIn", { unit: q.unit }) : t("yourNumber"), { inputmode: "decimal", class: "field narrow" });
  const tolerance = Math.abs(Number(q.tolerance) || 0);
  const answer = Number(q.answer);
  const hit = () => Math.abs(readNumber(input.value) - answer) <= tolerance + Math.abs(answer) * 1e-9 + 1e-12;
  return {
    node,
    reveal: () => mark(input, hit()),
    answered: () => !Number.isNaN(readNumber(input.value)),
    missing: () => (input.value.trim() === "" ? t("needsAnswer") : t("needsNumber")),
    ratio: () => (hit() ? 1 : 0),
    right: () => number(answer) + (q.unit ? " " + q.unit : ""),
    said: () => ({
      classic: { type: "numeric", patterns: q.scored ? [decimal(answer)] : [], response: decimal(readNumber(input.value)) },
      modern: {
        type: "numeric",
        patterns: q.scored ? [decimal(answer - tolerance) + "[:]" + decimal(answer + tolerance)] : [],
        response: decimal(readNumber(input.value)),
      },
    }),
  };
}

// Puts a node in the place of every {{name}} that is text.
function fillBlanks(node, nodeFor) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("math")) texts.push(walker.currentNode);
  for (const text of texts) {
    const pieces = text.data.split(/\{\{([^{}]+)\}\}/);
    if (pieces.length > 1) text.replaceWith(...pieces.map((piece, at) => (at % 2 ? nodeFor(piece.trim()) : piece)));
  }
}

function clozeQuestion(q, ctx) {
  const blanks = new Map(list(q.blanks).map((blank) => [String(blank.id), blank]));
  const order = [];
  const field = (blank) => {
    const longest = Math.max(4, ...list(blank.accepted_answers).map((one) => String(one).length));
    const input = h("input", {
      type: "text", class: "field blank", autocomplete: "off", spellcheck: "false", maxlength: "250", size: String(Math.min(24, longest + 2)),
      "data-blank": String(blank.id), id: ctx.name + "-" + order.length, "aria-label": t("blank", { n: number(order.length + 1) }),
    });
    order.push({ blank, input });
    return input;
  };
  const node = asShown(q, "text", "p", { class: "cloze" });
  // The exporter marks a blank by its place in the list: {{#0}}. Formulas have none.
  fillBlanks(node, (name) => {
    const listed = name.startsWith("#") && Array.isArray(q.blanks) ? q.blanks[Number(name.slice(1))] : null;
    const blank = listed ? blanks.get(String(listed.id)) : null;
    return !blank || order.some((one) => one.blank === blank) ? "…" : field(blank);
  });
  // A blank the text forgot is still asked for, or nobody could get full marks.
  const forgotten = Array.from(blanks.values()).filter((blank) => !order.some((one) => one.blank === blank)).map(field);
  append(node, forgotten);
  const hit = ({ blank, input }) => matchesAny(input.value, blank.accepted_answers, q.case_sensitive === true);
  const first = order.map(({ blank }) => String(list(blank.accepted_answers)[0] || ""));
  return {
    node,
    hint: t("fillBlanks"),
    answered: () => order.every(({ input }) => input.value.trim() !== ""),
    ratio: () => (order.length ? order.filter(hit).length / order.length : 0),
    right: () => first.join(" · "),
    said: () => {
      const mine = order.map(({ input }) => input.value.trim());
      const said = textSaid(mine.join(", "), [first.join(", ")], q.case_sensitive === true, false);
      said.modern.response = mine.map((one) => one.slice(0, 250)).join("[,]");
      said.modern.patterns = ["{case_matters=" + (q.case_sensitive === true) + "}" + first.map((one) => one.slice(0, 220)).join("[,]")];
      return said;
    },
    reveal: () => order.forEach((one) => mark(one.input, hit(one))),
  };
}

function orderingQuestion(q, ctx) {
  const items = list(q.items).map((item, at) => ({ item, text: String(item.text), at, face: asShown(item, "text", "div", { class: "ordering-text" }) }));
  const looks = (one) => markupOf(one.item, "text") || one.text;
  let order = shuffled(items, ctx.seed);
  // A list that happens to come out right would be answered by doing nothing.
  if (items.length > 1 && order.every((item, at) => looks(item) === looks(items[at]))) order = order.slice(1).concat(order[0]);
  let touched = false;
  let locked = false;
  let revealed = false;
  const node = h("ol", { class: "ordering" });
  const move = (from, by) => {
    const to = from + by;
    if (locked || to < 0 || to >= order.length) return;
    touched = true;
    [order[from], order[to]] = [order[to], order[from]];
    draw();
    const row = node.children[to];
    const wanted = row.querySelector(by < 0 ? ".up" : ".down");
    (wanted.disabled ? row.querySelector("button:not(:disabled)") : wanted).focus();
    announce(t("moved", { item: order[to].text, n: number(to + 1), total: number(order.length) }));
  };
  const hit = (item, at) => looks(item) === looks(items[at]);
  const placed = (right) => h("span", { class: "option-mark" }, icon(right ? "check" : "cross"),
    h("span", { class: "unseen", lang: uiLang() }, " (" + t(right ? "correct" : "incorrect") + ")"));
  const draw = () => {
    node.replaceChildren(...order.map((item, at) => h("li", { "data-item": String(item.at), class: revealed ? (hit(item, at) ? "is-right" : "is-wrong") : null },
      h("span", { class: "ordinal", "aria-hidden": "true" }, number(at + 1)),
      item.face,
      revealed ? placed(hit(item, at)) : null,
      h("button", { type: "button", class: "mini up", disabled: locked || at === 0, "aria-label": t("moveUp", { item: item.text }), onclick: () => move(at, -1) }, icon("up")),
      h("button", { type: "button", class: "mini down", disabled: locked || at === order.length - 1, "aria-label": t("moveDown", { item: item.text }), onclick: () => move(at, 1) }, icon("down")))));
  };
  draw();
  return {
    node,
    hint: t("orderHint"),
    answered: () => touched || items.length < 2,
    missing: () => t("needsOrder"),
    ratio: () => (items.length ? order.filter(hit).length / items.length : 0),
    right: () => inLine(items.map(({ item }) => [item, "text"]), " → "),
    said: () => {
      const letter = (item) => LETTERS[item.at] || "z" + item.at;
      return listSaid("sequencing", items.map(letter), order.map(letter));
    },
    reveal: () => {
      revealed = true;
      draw();
    },
    lock: () => {
      locked = true;
      node.classList.add("locked");
      draw();
    },
  };
}

function matchingQuestion(q, ctx) {
  const pairs = list(q.pairs);
  const rights = shuffled(pairs.map((pair, at) => ({ text: String(pair.right), at })), ctx.seed);
  const isMirrored = RTL_LETTER.test([q.prompt, ...pairs.map((pair) => pair.left + pair.right)].join());
  const selects = pairs.map((pair, at) => h("select", { id: ctx.name + "-" + at, class: "field" },
    h("option", { value: "" }, t("choose")), rights.map((one) => h("option", { value: String(one.at) }, isMirrored ? entryOf(one.text) : one.text))));
  const chosen = (at) => (selects[at].value === "" ? null : Number(selects[at].value));
  const hit = (at) => chosen(at) !== null && String(pairs[chosen(at)].right) === String(pairs[at].right);
  return {
    node: h("div", { class: "matching" }, pairs.map((pair, at) => {
      const left = asShown(pair, "left", "label", { for: selects[at].id });
      if (isBlocks(left)) left.removeAttribute("for");
      nameBy(selects[at], left, isBlocks(left));
      return h("div", { class: "match" }, left, selects[at]);
    })),
    hint: t("matchHint"),
    answered: () => selects.every((select) => select.value !== ""),
    ratio: () => (pairs.length ? pairs.filter((pair, at) => hit(at)).length / pairs.length : 0),
    right: () => pairs.map((pair, at) => [at ? " · " : null, inLine([[pair, "left"], [pair, "right"]], " – ")]),
    said: () => {
      const left = (at) => LETTERS[at] || "z" + at;
      const join = (mark, sep, pick) => pairs.map((pair, at) => left(at) + mark + left(pick(at))).join(sep);
      const say = (mark, sep) => ({ type: "matching", patterns: [join(mark, sep, (at) => at)], response: join(mark, sep, (at) => (hit(at) ? at : chosen(at) || 0)) });
      return { classic: say(".", ","), modern: say("[.]", "[,]") };
    },
    reveal: () => selects.forEach((select, at) => mark(select, hit(at))),
  };
}

function words(text) {
  return (String(text).trim().match(/\S+/g) || []).length;
}

// A large text field with a counter if a length is asked for; used by open questions and reflections.
function writingField(id, label, minWords, text) {
  const least = Math.max(0, Number(minWords) || 0);
  const area = h("textarea", { id, class: "field", rows: "6", maxlength: "20000", "aria-describedby": least ? id + "-count" : null });
  area.value = text || "";
  const count = h("span", { class: "hint", id: id + "-count" });
  const show = () => { count.textContent = t("wordCount", { n: number(words(area.value)), least: number(least) }); };
  area.addEventListener("input", show);
  show();
  const node = h("p", { class: "field-row" }, h("label", { for: id, lang: uiLang() }, label), area, least ? count : null);
  return { node, area, least, enough: () => area.value.trim() !== "" && words(area.value) >= least };
}

function openQuestion(q, ctx) {
  const field = writingField(ctx.name, t("yourAnswer"), q.min_words, "");
  return {
    node: field.node,
    answered: field.enough,
    missing: () => (field.least ? t("writeMore", { n: number(field.least) }) : t("needsAnswer")),
    ratio: () => null,
    right: () => "",
    sample: says(q, "sample_answer"),
    said: () => textSaid(field.area.value.trim(), [], true, true),
  };
}

const QUESTIONS = {
  single_choice: (q, ctx) => choiceQuestion(q, ctx, false),
  multiple_choice: (q, ctx) => choiceQuestion(q, ctx, true),
  true_false: trueFalseQuestion,
  short_text: shortTextQuestion,
  numeric: numericQuestion,
  cloze: clozeQuestion,
  ordering: orderingQuestion,
  matching: matchingQuestion,
  open: openQuestion,
};
