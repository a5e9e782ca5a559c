// What AI proposes, piece by piece beside what is there: accepted, changed, discarded. Nothing of the course changes before.
import { ApiError, can, get, post } from "./api.js";
import { confirmDialog } from "./dialogs.js";
import { acting, button, empty, h, icon, link, own, replace, tag } from "./dom.js";
import { number } from "./format.js";
import { generationPanel } from "./generation.js";
import { t, useWords, word } from "./i18n.js";
import { everything } from "./lists.js";
import { pieceOf, reading } from "./proposal.js";
import { complain, show } from "./router.js";
import { listen, shortcutList } from "./shortcuts.js";

const TONES = { proposed: "wait", accepted: "good", discarded: "plain" };
const KEYS = [
  [["↑", "↓"], "proposals.key_move"],
  [["a"], "proposals.key_accept"],
  [["e"], "proposals.key_edit"],
  [["d"], "proposals.key_discard"],
];

// The page of what a draft is for, as far as it is still there.
async function placeOf({ object, id }, signal) {
  const read = {
    course: async () => ({ course: await get(`/v1/courses/${id}`, {}, signal) }),
    unit: async () => get(`/v1/units/${id}`, { expand: "course" }, signal),
    lesson: async () => get(`/v1/lessons/${id}`, { expand: "unit.course" }, signal),
    async activity() {
      const { lesson_id: lesson } = await get(`/v1/activities/${id}`, {}, signal);
      return get(`/v1/lessons/${lesson}`, { expand: "unit.course" }, signal);
    },
  }[object];
  try {
    const found = await read();
    const course = found.course || found.unit?.course;
    return { course, lesson: found.object === "lesson" ? found : null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return {};
    throw error;
  }
}

function above({ course, lesson }) {
  if (!course) return link("#/courses", t("nav.courses"));
  const of = `#/courses/${course.id}`;
  return h("span.dots", link(of, own("span", course.name)), lesson && link(`${of}/${lesson.id}`, own("span", lesson.name)));
}

// It failed or was called off: what is done is kept, and it can go on.
function over({ id, status, error }) {
  const again =
    status === "error" && can("ai:generate")
      ? acting(t("proposals.retry"), () => post(`/v1/generations/${id}/retry`, {}).then(show, complain), { look: "main", icon: "again" })
      : null;
  return h(
    "section.card.stack",
    h("h2", word("generation", status)),
    error ? own("p", error.message) : h("p", t("making.canceled")),
    again && h("div.row", again),
  );
}

// How deep each piece lies in others.
function depths(pieces) {
  const found = new Map();
  for (const one of pieces) found.set(one.id, one.parent_piece_id ? (found.get(one.parent_piece_id) ?? -1) + 1 : 0);
  return found;
}

const isOpen = (piece) => piece.status === "proposed";

// Those with which all that remain are accepted: the outermost.
function outermost(pieces) {
  const open = new Set(pieces.filter(isOpen).map(({ id }) => id));
  return pieces.filter((piece) => open.has(piece.id) && !open.has(piece.parent_piece_id));
}

function rowOf(piece, depth, choose) {
  return h(
    `li.depth-${Math.min(depth, 2)}`,
    h(
      "button.version-button.piece-button",
      { type: "button", "data-piece": piece.id, onclick: () => choose(piece.id) },
      h("span.made", word("piece", piece.kind), piece.target && ` · ${t("proposals.replaces")}`),
      own("span.version-name", piece.name),
      tag(t(`proposals.${piece.status}`), TONES[piece.status]),
    ),
  );
}

// The list beside the piece that is shown. After each decision the list is read anew, and the next open piece is shown.
class Board {
  constructor(generation, pieces, { place, signal }) {
    Object.assign(this, { generation, pieces, place, signal, chosen: null });
    this.aloud = h("p.unseen", { role: "status" });
    this.count = h("p.hint");
    this.all = h("div.row");
    this.list = h("nav.versions.pieces", { "aria-label": t("proposals.list") });
    this.shown = h("section.details", { "aria-label": t("proposals.piece"), tabindex: "-1" });
    this.node = h("div.stack", this.aloud, h("div.row.spread", this.count, this.all), h("div.history", this.list, this.shown));
    this.texts = reading(signal);
    this.draw();
    const first = pieces.find(isOpen) || pieces[0];
    this.choose(first.id, false);
    this.listen();
  }

  listen() {
    const press = (name) => () => this.shown.querySelector(`[data-do="${name}"]`)?.click();
    const step = (by) => () => this.step(by);
    const actions = { ArrowDown: step(1), j: step(1), ArrowUp: step(-1), k: step(-1), a: press("accept"), e: press("edit"), d: press("discard") };
    listen(actions, this.signal);
  }

  draw() {
    const deep = depths(this.pieces);
    const rows = this.pieces.map((piece) => rowOf(piece, deep.get(piece.id), (id) => this.choose(id)));
    replace(this.list, h("ol", rows));
    const open = this.pieces.filter(isOpen).length;
    replace(this.count, open ? t("proposals.open_count", { open: number(open), all: number(this.pieces.length) }) : t("proposals.all_decided"));
    replace(this.all, open && can("write:courses") ? this.acceptAllButton(open) : null);
    this.mark();
  }

  mark() {
    for (const one of this.list.querySelectorAll("[data-piece]")) {
      if (one.dataset.piece === this.chosen) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }

  step(by) {
    const at = this.pieces.findIndex(({ id }) => id === this.chosen);
    const next = this.pieces[at + by];
    if (!next) return;
    this.choose(next.id);
    this.list.querySelector('[aria-current="true"]')?.focus();
  }

  async choose(id, isAsked = true) {
    this.chosen = id;
    this.mark();
    const listed = this.pieces.find((piece) => piece.id === id);
    try {
      const piece = await this.texts(listed);
      // Whoever has chosen another one meanwhile sees that one.
      if (this.chosen !== id || this.signal.aborted) return;
      const inside = this.pieces.filter((one) => isOpen(one) && this.isIn(one, id)).length;
      const shown = pieceOf(piece, { place: this.place, inside, signal: this.signal, decided: (now, said) => this.decided(now, said) });
      replace(this.shown, shown);
      this.shown.scrollTop = 0;
      if (isAsked) replace(this.aloud, t("proposals.shown", { name: piece.name }));
    } catch (error) {
      complain(error);
    }
  }

  isIn(piece, id) {
    const parent = this.pieces.find((one) => one.id === piece.parent_piece_id);
    return Boolean(parent) && (parent.id === id || this.isIn(parent, id));
  }

  async read() {
    const { data } = await everything(`/v1/generations/${this.generation.id}/pieces`, {}, this.signal, 100);
    this.pieces = data;
  }

  // What is open next is shown, and the focus is in the list again.
  async decided(piece, said) {
    await this.read();
    if (this.signal.aborted) return;
    this.draw();
    const at = this.pieces.findIndex(({ id }) => id === piece.id);
    const next = this.pieces.slice(at + 1).find(isOpen) || this.pieces.find(isOpen);
    const stays = piece.status === "proposed" || !next;
    await this.choose(stays ? piece.id : next.id, false);
    replace(this.aloud, said);
    this.list.querySelector('[aria-current="true"]')?.focus();
  }

  acceptAllButton(open) {
    const ask = () => confirmDialog(t("proposals.accept_all"), t("proposals.accept_all_what", { count: number(open) }), t("proposals.accept_all"), () => this.acceptAll(), "main");
    return button(t("proposals.accept_all"), ask, { icon: "check" });
  }

  // One after the other: where one is refused, those before it have landed, and it is shown.
  async acceptAll() {
    let last = null;
    try {
      for (const piece of outermost(this.pieces)) {
        last = piece;
        await post(`/v1/pieces/${piece.id}/accept`, { below: true });
      }
    } catch (error) {
      await this.read();
      this.draw();
      await this.choose(last.id, false);
      throw error;
    }
    return () => this.decided(last, t("proposals.all_decided"));
  }
}

function landed({ course }) {
  const back = course ? link(`#/courses/${course.id}`, own("span", course.name)) : null;
  return empty(t("proposals.landed_title"), t("proposals.landed"), back);
}

export async function generation({ params, signal }) {
  const path = `/v1/generations/${encodeURIComponent(params.id)}`;
  const words = ["proposals", "making", "versions", "activity", "editor", "authoring"].map(useWords);
  const [found] = await Promise.all([get(path, {}, signal), ...words, dressedHere()]);
  const place = await placeOf(found.target, signal);
  const page = { title: t("proposals.title"), wide: true, above: above(place) };
  if (found.status === "pending") {
    return { ...page, body: [h("p.lede", t("proposals.pending")), generationPanel(found, signal, show, show)] };
  }
  if (found.status !== "ready") return { ...page, body: [over(found)] };
  if (!found.review) return { ...page, body: [landed(place)] };
  const { data } = await everything(`${path}/pieces`, {}, signal, 100);
  if (!data.length) return { ...page, body: [empty(t("proposals.gone_title"), t("proposals.gone"))] };
  const board = new Board(found, data, { place, signal });
  const keys = h("details", h("summary", t("proposals.keys")), shortcutList(KEYS));
  const seen = place.course?.status === "published" && h("p.notice", t("proposals.seen_at_once"));
  return { ...page, body: [h("p.lede", t("proposals.lede")), seen, board.node, keys] };
}

async function dressedHere() {
  const { sheet } = await import("./sheets.js");
  await Promise.all(["versions.css", "editor.css", "proposals.css"].map(sheet));
}
