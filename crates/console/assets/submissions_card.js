// What was done to many submissions at once, as a card above their list: how far it is, what was left and why. It is known again after a reload, for
// as long as the tab is there.
import { get, session } from "./api.js";
import { acting, button, h, link, own, replace } from "./dom.js";
import { ago, number } from "./format.js";
import { t } from "./i18n.js";
import { mayPass } from "./many_writes.js";
import { calledOf } from "./names.js";
import { complain, explain } from "./router.js";
import { personOf } from "./submissions_rows.js";

const STORE = "lyceum.submissions";
const MOST_KEPT = 5;
const NAMED_AT_ONCE = 20;
const whose = () => `${session.me?.email} ${session.platform?.uuid}`;

// --- What is kept in the tab: ids, and nothing that anybody wrote

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(STORE)) || [];
  } catch {
    return [];
  }
}

function write(records) {
  try {
    sessionStorage.setItem(STORE, JSON.stringify(records.slice(0, MOST_KEPT)));
  } catch {
    // Then it is known until the page is closed.
  }
}

export const kept = () => read().filter(({ by }) => by === whose());

export function keep(record) {
  record.by = whose();
  const records = read();
  const at = records.findIndex(({ key }) => key === record.key);
  if (at >= 0) records[at] = record;
  else records.unshift(record);
  write(records);
}

export const forget = ({ key }) => write(read().filter((one) => one.key !== key));

// --- Whose they are

const called = new Map();

export function learnNames(items) {
  for (const { id, name } of items) called.set(id, name);
}

function nameOf(id) {
  if (called.has(id)) return called.get(id);
  const found = get(`/v1/submissions/${id}`, { expand: "user" }).then(personOf, () => t("submissions.submission"));
  called.set(id, found);
  return found;
}

// Who was faster, and when, where the service says so.
async function overtakenBy({ actor, at }) {
  const name = actor && (await calledOf(actor));
  return name && at ? ` (${t("submissions.by_whom", { name, when: ago(at) })})` : "";
}

function leftOne({ id, error }) {
  const name = own("span", "…");
  const node = h("li", link(`#/review/${id}`, name));
  Promise.resolve(nameOf(id)).then((found) => (name.textContent = found));
  if (error?.actor) overtakenBy(error).then((said) => said && node.append(h("span.hint", said)));
  return node;
}

// Those that were left for one reason, a few at first.
function leftGroup(why, items) {
  const list = h("ul.sb-left");
  const more = h("div.row");
  let next = 0;
  const load = () => {
    list.append(...items.slice(next, next + NAMED_AT_ONCE).map(leftOne));
    next += NAMED_AT_ONCE;
    replace(more, next < items.length && button(t("more"), load, { look: "quiet", class: "small" }));
  };
  load();
  return h("div.stack.tight", h("p", own("b", why), ` (${number(items.length)})`), list, more);
}

// `items` are {id, why, error?}.
export function leftList(items) {
  const groups = Map.groupBy(items, ({ why }) => why);
  return [...groups].map(([why, those]) => leftGroup(why, those));
}

export class Card {
  constructor(record, view) {
    Object.assign(this, { record, view, signal: view.signal });
    this.heading = h("h2", { tabindex: "-1" });
    this.bar = h("progress", { "aria-label": t("submissions.progress"), max: 1, value: 0 });
    this.text = h("p");
    this.trouble = h("div", { role: "alert" });
    this.acts = h("div.row");
    this.details = h("div.stack");
    this.node = h("section.card.stack.sb-job", h("div.row.spread", this.heading, this.acts), this.bar, this.text, this.trouble, this.details);
  }

  // How far it is.
  progress(done, of) {
    Object.assign(this.bar, { max: of || 1, value: done, hidden: false });
    const said = t("submissions.far", { done: number(done), of: number(of) });
    if (this.text.textContent !== said) this.text.textContent = said;
  }

  stopping(stop) {
    const stopIt = () => stop().then(() => replace(this.acts, h("span.hint", t("submissions.stopping"))), complain);
    replace(this.acts, acting(t("submissions.stop"), stopIt, { look: "quiet" }));
  }

  closing() {
    return button(t("close"), () => this.close(), { look: "quiet" });
  }

  drop() {
    forget(this.record);
    this.node.remove();
  }

  close() {
    const next = this.node.nextElementSibling?.querySelector("h2") || document.querySelector("#main h1");
    this.drop();
    next?.focus();
  }

  // What could not be asked for; nothing is done twice when it is asked for again.
  stuck(error, again) {
    this.bar.hidden = true;
    const isFull = error.code === "limit_reached";
    replace(this.trouble, h("p.trouble", isFull ? t("submissions.too_many_jobs") : explain(error)));
    replace(this.text, mayPass(error) && t("submissions.again_what"));
    replace(this.acts, (isFull || mayPass(error)) && acting(t("again"), () => (replace(this.trouble), again()), { icon: "again" }), this.closing());
  }
}
