// Enrolling people, by what was pasted or by a file: first is shown what was understood, then tried out, then done.
import { ApiError, freshKey, get } from "./api.js";
import { rosterOf, textOf, written } from "./cohort_roster.js";
import { formDialog } from "./dialogs.js";
import { button, field, h, icon, own, replace, say } from "./dom.js";
import { number } from "./format.js";
import { has, t } from "./i18n.js";
import { MOST_ROWS, progressIn, untilClosed, writeMany } from "./many_writes.js";
import { explain, show } from "./router.js";

const PATIENCE_MS = 250;
const SHOWN = 5;
const LISTED = 20;
const LARGEST_FILE = 5 * 1024 * 1024;

const said = (word, count) => t(`cohorts.${word}`, { count: number(count) });
const refusal = (message) => new ApiError(400, { code: "invalid_field", message });

// Some of them, and how many more.
function listOf(items, most, one) {
  const more = items.length - most;
  const first = items.slice(0, most).map((item) => h("li", one(item)));
  return h("ul.plain", first, more > 0 && h("li.quiet", t("cohort.and_more", { count: number(more) })));
}

function trouble(title, items, one) {
  return items.length ? h("div.trouble", icon("warn"), h("div", h("p", title), listOf(items, LISTED, one))) : null;
}

function whyOf({ error }) {
  const known = `cohorts.why_${error.code}`;
  return has(known) ? t(known) : explain(new ApiError(error.status, error));
}

const isIn = ({ error }) => error?.code === "already_exists";

class Enrolling {
  constructor(cohort) {
    this.cohort = cohort;
    this.keys = new Map();
    this.people = h("textarea.field", { rows: 7, dir: "ltr", required: true, spellcheck: "false", autocomplete: "off", oninput: () => this.later() });
    this.file = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv,text/plain", hidden: true, onchange: () => this.load() });
    this.understood = h("p", { role: "status" });
    this.shown = h("div.stack.tight");
    this.result = h("div.stack.tight");
    this.progress = progressIn();
    this.isShownAnew = true;
  }

  open() {
    const choose = button(t("cohorts.choose_file"), () => this.file.click(), { look: "quiet", class: "small" });
    const names = field(t("cohorts.addresses"), this.people, t("cohorts.addresses_hint"));
    const body = h("div.stack", names, h("div.row", choose, this.file), this.understood, this.shown, this.result, this.progress.node);
    this.dialog = formDialog(t("cohorts.enrol_title"), body, t("cohorts.enrol"), () => this.submit());
    this.people.focus();
    this.signal = untilClosed(this.dialog);
    // Whoever was enrolled is seen, also by who gives up on the others.
    this.dialog.addEventListener("close", () => this.isShownAnew || show());
  }

  async load() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    const text = file.size > LARGEST_FILE ? null : await textOf(file);
    if (text === null) {
      replace(this.result, h("p.trouble", icon("warn"), t(file.size > LARGEST_FILE ? "cohorts.file_too_large" : "cohorts.file_no_text")));
      return;
    }
    this.people.value = text;
    this.read();
  }

  // --- What was understood

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), PATIENCE_MS);
  }

  read() {
    clearTimeout(this.timer);
    const text = this.people.value;
    if (this.roster?.text === text) return this.roster;
    this.roster = { text, ...rosterOf(text) };
    this.checked = null;
    replace(this.result);
    const { people, bad, doubles } = this.roster;
    const counts = [said("understood", people.length), doubles.length && said("doubles", doubles.length)];
    this.understood.textContent = text.trim() ? counts.filter(Boolean).join(" ") : "";
    const person = ({ email, name }) => [name && own("b", name), name && " ", h("span", { dir: "ltr" }, email)];
    const line = ({ line: at, text: raw, reason }) =>
      own("span", `${t("cohorts.line", { line: number(at) })} ${raw.slice(0, 80)} – ${t(`cohorts.bad_${reason}`)}`);
    replace(this.shown, people.length ? listOf(people, SHOWN, person) : null, trouble(said("not_understood", bad.length), bad, line));
    return this.roster;
  }

  // --- What comes of it

  // What came of each, of all that were begun.
  async send(people, word, options) {
    const results = [];
    for (let from = 0; from < people.length && !this.signal.aborted; from += MOST_ROWS) {
      const part = people.slice(from, from + MOST_ROWS);
      const rows = part.map(({ email, name }) => ({ id: this.cohort.id, body: name ? { email, name } : { email } }));
      const far = (done) => t(`cohorts.${word}`, { done: number(from + done), of: number(people.length) });
      const told = (done) => this.progress.show(far(done), from + done, people.length);
      told(0);
      const came = await writeMany("enrollStudent", rows, { ...options, key: this.keyOf(rows), told, signal: this.signal });
      results.push(...came.map((one) => ({ ...one, person: part[one.index] })));
    }
    return results;
  }

  // The same rows have the same key: nobody is told to be in already who was enrolled by a try whose answer got lost.
  keyOf(rows) {
    const name = JSON.stringify(rows);
    if (!this.keys.has(name)) this.keys.set(name, freshKey());
    return this.keys.get(name);
  }

  async submit() {
    try {
      const roster = this.read();
      if (!roster.text.trim()) throw this.missing("nobody");
      if (!roster.people.length) throw this.missing("none_understood");
      if (!this.checked) await this.check(roster);
      // Given up before anything was done.
      return this.checked ? await this.enrol(roster) : null;
    } finally {
      this.progress.hide();
    }
  }

  missing(word) {
    this.people.focus();
    return refusal(t(`cohorts.${word}`));
  }

  // Tried out first. Where all can be enrolled nothing is asked.
  async check(roster) {
    const { capacity, student_count: count } = await get(`/v1/cohorts/${this.cohort.id}`);
    const results = await this.send(roster.people, "checking", { dryRun: true });
    if (this.signal.aborted) return;
    const fine = results.filter(({ error }) => !error).map(({ person }) => person);
    const already = results.filter(isIn).length;
    const refused = results.filter((one) => one.error && !isIn(one));
    const room = capacity === null ? fine.length : Math.max(0, capacity - count);
    // A trial keeps nobody, so it takes each for the last one.
    const isTight = fine.length > 0 && room < fine.length;
    this.checked = { fine, already, refused };
    const tight = isTight && h("p.notice", t("cohorts.room", { room: number(room) }));
    replace(this.result, already ? h("p", said("is_in", already)) : null, this.listRefused(refused), tight);
    if (!fine.length && (refused.length || roster.bad.length)) throw refusal(t("cohorts.nobody_left"));
    if (refused.length || roster.bad.length || isTight) throw refusal(`${said("can_be", fine.length)} ${t("cohorts.press_again")}`);
  }

  listRefused(refused) {
    return trouble(said("cannot", refused.length), refused, (one) => own("span", `${one.person.email} – ${whyOf(one)}`));
  }

  async enrol({ bad }) {
    const { fine, already, refused } = this.checked;
    this.isShownAnew = false;
    const results = await this.send(fine, "enrolling", {});
    const left = [...refused, ...results.filter((one) => one.error && !isIn(one))];
    const inAlready = already + results.filter(isIn).length;
    const done = said("enrolled", results.filter(({ error }) => !error).length);
    const told = inAlready ? `${done} ${said("is_in", inAlready)}` : done;
    if (!this.signal.aborted) {
      if (left.length || bad.length) this.keep(left, bad, told);
      this.isShownAnew = true;
    }
    return () => show().then(() => say(told));
  }

  // Who was left is still in the field, with why.
  keep(left, bad, told) {
    this.people.value = [...bad.map(({ text }) => text), ...left.map(({ person }) => written(person))].join("\n");
    this.read();
    replace(this.result, this.listRefused(left));
    throw refusal(`${told} ${t("cohorts.some_left")}`);
  }
}

export const enrol = (cohort) => new Enrolling(cohort).open();
