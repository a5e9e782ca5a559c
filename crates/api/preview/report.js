// The pane beside the course: what an LMS would have recorded by now. Reads a runtime, and never writes to it.

const WORDS = {
  "not attempted": "Not attempted", incomplete: "Incomplete", completed: "Completed", passed: "Passed", failed: "Failed", browsed: "Browsed",
  unknown: "Not known yet", correct: "Right", incorrect: "Wrong", wrong: "Wrong", neutral: "Neutral", unanticipated: "Unexpected",
};
const SHOWN = 120;
const MOST_CALLS = 500;
// Sentences that whoever listens may still be hearing.
const HEARD = 4;

const find = (id) => document.getElementById(id);
const word = (value) => WORDS[value] || value;
const counted = (number) => new Intl.NumberFormat("en").format(number);

function h(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

function clock(total) {
  const two = (value) => String(Math.floor(value) % 60).padStart(2, "0");
  return Math.floor(total / 3600) + ":" + two(total / 60) + ":" + two(total);
}

// What came from the package: in its own direction, and as it is.
const said = (value) => h("bdi", null, value);
const raw = (value) => h("code", { dir: "ltr" }, value);

function shortened(value) {
  return value.length <= SHOWN ? value : value.slice(0, SHOWN) + "… (" + counted(value.length) + " characters)";
}

export class Report {
  constructor() {
    this.calls = [];
    this.values = new Map();
    this.waiting = false;
    this.runtime = null;
    find("only-errors").addEventListener("change", () => this.drawCalls());
  }

  // A session begins; the list of calls goes on, for whoever compares.
  begin(runtime) {
    this.runtime = runtime;
    find("mode").hidden = !runtime.review;
    this.draw();
  }

  forget() {
    this.calls = [];
    this.draw();
  }

  note(call) {
    // 2004 has a code for what was never written; a package asks to find that out, and that is no fault.
    const empty = this.runtime.dialect.is2004 && call.code === "403";
    this.calls.push({ ...call, fault: call.code !== "0" && !empty });
    if (this.calls.length > MOST_CALLS) this.calls.shift();
    if (this.waiting) return;
    this.waiting = true;
    // Not an animation frame: a tab in the background has none.
    setTimeout(() => {
      this.waiting = false;
      this.draw();
    }, 50);
  }

  draw() {
    this.drawValues();
    this.drawAnswers();
    this.drawObjectives();
    this.drawCalls();
  }

  value(name) {
    return (name && this.runtime.value(name)) || "";
  }

  drawValues() {
    const { names, suspendLimit, is2004 } = this.runtime.dialect;
    const suspended = this.value("cmi.suspend_data").length;
    const rows = [
      [is2004 ? "Completion" : "Status", names.completion, word(this.value(names.completion)), "status"],
      is2004 ? ["Success", names.success, word(this.value(names.success)), "status"] : null,
      ["Score", names.score + ".raw", this.score(names.score), "score"],
      is2004 ? ["Progress", names.progress, this.share(names.progress), "progress", Number(this.value(names.progress)), 1] : null,
      ["Bookmark", names.location, this.value(names.location) || "None", "bookmark"],
      ["Time spent", names.session, clock(this.runtime.total + this.runtime.sessionSeconds), "time"],
      ["Saved characters", "cmi.suspend_data", counted(suspended) + " of " + counted(suspendLimit), "suspend", suspended, suspendLimit],
    ];
    const list = find("values");
    for (const [label, element, text, key, filled, whole] of rows.filter(Boolean)) {
      this.drawValue(list, { label, element, text, key, filled, whole });
    }
  }

  // Rows are made once and changed in place, so that nobody loses their place in them.
  drawValue(list, { label, element, text, key, filled, whole }) {
    let row = this.values.get(key + label);
    if (!row) {
      const value = h("dd", { "data-value": element });
      const bar = whole ? h("progress", { max: whole, "aria-label": label }) : null;
      const holder = h("div", { class: "value " + key }, h("dt", null, label, " ", raw(element)), value);
      if (bar) holder.append(h("dd", { class: "bar" }, bar));
      list.append(holder);
      row = { value, bar, text: null };
      this.values.set(key + label, row);
    }
    if (row.text !== text) {
      row.value.replaceChildren(said(text));
      if (key === "status" && row.text !== null) this.announce(label + ": " + text);
      row.value.parentNode.dataset.word = this.value(element);
      row.text = text;
    }
    if (row.bar) row.bar.value = filled || 0;
  }

  // One after the other: what comes a moment later does not take the word from what was not heard yet.
  announce(text) {
    const heard = find("said");
    heard.append(h("p", null, text));
    if (heard.childElementCount > HEARD) heard.firstElementChild.remove();
  }

  score(name) {
    const points = this.value(name + ".raw");
    if (points === "") return "None yet";
    const most = this.value(name + ".max");
    return points + (most ? " of " + most : "");
  }

  share(name) {
    const value = this.value(name);
    return value === "" ? "None yet" : new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 }).format(Number(value));
  }

  drawAnswers() {
    const { names } = this.runtime.dialect;
    const rows = this.entries("cmi.interactions", (at) => {
      const patterns = this.entries(at + "correct_responses", (pattern) => this.value(pattern + "pattern"));
      const result = this.value(at + "result");
      const took = this.value(at + "latency");
      return h("tr", null,
        h("td", null, said(this.value(at + "description") || this.value(at + "id")), h("span", { class: "under" }, this.value(at + "type"), took ? " · " + took : "")),
        h("td", null, raw(shortened(this.value(at + names.response) || "—")), patterns.length ? h("span", { class: "under" }, "Right: ", raw(shortened(patterns.join(" · ")))) : null),
        h("td", { "data-word": result }, word(result)));
    });
    this.fill("answers", rows);
  }

  drawObjectives() {
    const rows = this.entries("cmi.objectives", (at) => {
      const status = this.value(at + (this.runtime.dialect.is2004 ? "completion_status" : "status"));
      const scaled = this.value(at + "score.scaled");
      const score = scaled === "" ? this.value(at + "score.raw") : this.share(at + "score.scaled");
      return h("tr", null, h("td", null, raw(this.value(at + "id"))), h("td", { "data-word": status }, word(status)), h("td", null, score || "—"));
    });
    this.fill("objectives", rows);
  }

  entries(list, row) {
    return Array.from({ length: this.runtime.count(list) }, (_, index) => row(list + "." + index + "."));
  }

  fill(id, rows) {
    const table = find(id);
    table.tBodies[0].replaceChildren(...rows);
    table.parentNode.hidden = rows.length === 0;
    find(id + "-empty").hidden = rows.length > 0;
    find(id + "-count").textContent = counted(rows.length);
  }

  drawCalls() {
    const errors = this.calls.filter((call) => call.fault);
    const shown = find("only-errors").checked ? errors : this.calls;
    find("calls").replaceChildren(...shown.map(line).reverse());
    find("calls").parentNode.hidden = shown.length === 0;
    find("calls-empty").hidden = shown.length > 0;
    find("calls-empty").textContent = this.calls.length ? "No errors." : "None yet.";
    find("calls-count").textContent = counted(this.calls.length);
    find("errors-count").textContent = counted(errors.length);
  }
}

// Newest first, with what an LMS would answer.
function line({ at, review, method, args, result, code, text, fault }) {
  const given = args.map((argument) => JSON.stringify(shortened(argument))).join(", ");
  const answered = result === "true" ? "" : " → " + JSON.stringify(shortened(String(result)));
  return h("li", { class: fault ? "error" : null, "data-method": method, "data-review": review, "data-code": code },
    h("time", { datetime: at.toISOString() }, at.toLocaleTimeString("en-GB")), " ", raw(method + "(" + given + ")" + answered),
    fault ? h("span", { class: "fault" }, "Error " + code + ": " + text) : null);
}
