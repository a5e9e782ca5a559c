// What is looked for in a list, and in what order it stands: a field and choices above it. All of it is kept in the address.
import { button, empty, h, replace, select } from "./dom.js";
import { number } from "./format.js";
import { t } from "./i18n.js";
import { problem, show } from "./router.js";
import { setting } from "./settings.js";
import { listen } from "./shortcuts.js";

// So long somebody has to stop typing.
const PATIENCE_MS = 250;
const SORTS = { newest: "", oldest: "created_at", changed: "-updated_at", name: "name" };

// `find` is told what is looked for once somebody has stopped typing, or at once by Enter. Esc clears, `/` leads here.
export function searchField(label, value, find, signal) {
  let timer = 0;
  let last = value;
  const now = () => {
    clearTimeout(timer);
    const wanted = input.value.trim();
    if (wanted !== last) find((last = wanted));
  };
  const input = h("input.field.search", {
    type: "search",
    value,
    dir: "auto",
    maxlength: 255,
    autocomplete: "off",
    "aria-label": label,
    placeholder: label,
    "aria-keyshortcuts": setting("shortcuts") ? "/" : null,
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(now, PATIENCE_MS);
    },
    onkeydown: (event) => {
      if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
      if (event.key === "Escape" && !input.value) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") input.value = "";
      now();
    },
  });
  const enter = () => {
    input.focus();
    input.select();
  };
  listen({ "/": enter }, signal);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  const clear = () => {
    input.value = last = "";
    input.focus();
  };
  return { input, clear };
}

export function sortChoice(sorts, value, onchange) {
  const options = sorts.map((sort) => [SORTS[sort], t(`find.${sort}`)]);
  return select(options, value, { "aria-label": t("find.sort"), onchange: (event) => onchange(event.target.value) });
}

// What a list may be sorted by, of what an address says.
export function sortOf(query, sorts) {
  const wanted = query.get("sort") || "";
  return sorts.some((sort) => SORTS[sort] === wanted) ? wanted : "";
}

// `#/courses?q=heat`: a place with what was chosen there.
export function addressOf(place, asked) {
  const pairs = Object.entries(asked).filter(([, value]) => value);
  return pairs.length ? `${place}?${new URLSearchParams(pairs)}` : place;
}

export function nothingFound(q, clear) {
  return empty(t("find.nothing_title"), q ? t("find.nothing", { q }) : t("find.nothing_chosen"), button(t("find.clear"), clear));
}

export function countOf(count, hasMore) {
  return t("find.count", { count: `${number(count)}${hasMore ? "+" : ""}` });
}

// A list, or several that are looked through together. `draw(source, asked)` makes what shows them, by `pagedTable({..., ...source(query)})`; `sorts`
// are of `SORTS`, `choices` further ones: {name: {label, options}}.
export async function findable({ query, signal, label, sorts = [], choices = {}, draw }) {
  const [place] = location.hash.split("?");
  const asked = { q: query.get("q")?.trim() || "", sort: sortOf(query, sorts) };
  for (const [name, { options }] of Object.entries(choices)) asked[name] = options.some(([value]) => value === query.get(name)) ? query.get(name) : "";
  const host = h("div.stack");
  const status = h("p.hint", { role: "status" });
  let turn = new AbortController();

  const change = (changes) => {
    Object.assign(asked, changes);
    history.replaceState(null, "", addressOf(place, asked));
    return look().catch((error) => {
      if (signal.aborted || error.name === "AbortError") return;
      if (error.status === 401) return show();
      host.removeAttribute("aria-busy");
      replace(status);
      replace(host, problem(error, () => change({})));
    });
  };
  const field = searchField(label, asked.q, (q) => change({ q }), signal);
  const controls = [
    ...Object.entries(choices).map(([name, { label: said, options }]) =>
      select(options, asked[name], { name, "aria-label": said, onchange: (event) => change({ [name]: event.target.value }) }),
    ),
    sorts.length > 1 && sortChoice(sorts, asked.sort, (sort) => change({ sort })),
  ];
  const bar = h("div.filters.find", { role: "search" }, field.input, controls, status);
  const clear = () => {
    field.clear();
    for (const name of Object.keys(choices)) bar.querySelector(`[name="${name}"]`).value = "";
    change({ q: "", ...Object.fromEntries(Object.keys(choices).map((name) => [name, ""])) });
  };

  // What was asked for before is no longer waited for.
  async function look() {
    turn.abort();
    turn = new AbortController();
    const mine = AbortSignal.any([signal, turn.signal]);
    const lists = [];
    const isSifted = Boolean(asked.q) || Object.keys(choices).some((name) => asked[name]);
    const tell = () => {
      const count = lists.reduce((sum, list) => sum + list.count, 0);
      const hasMore = lists.some((list) => list.hasMore);
      replace(status, isSifted ? (count || hasMore ? countOf(count, hasMore) : t("find.nothing_title")) : null);
      status.classList.toggle("unseen", !count && !hasMore);
      return count > 0 || hasMore;
    };
    const source = (more) => {
      const list = { count: 0, hasMore: false };
      lists.push(list);
      const told = (now) => {
        Object.assign(list, now);
        if (host.firstChild && !mine.aborted) tell();
      };
      return { query: { ...more, ...asked }, signal: mine, told };
    };
    host.setAttribute("aria-busy", "true");
    const drawn = await draw(source, asked);
    if (mine.aborted) return;
    const isThere = tell();
    replace(host, isSifted && !isThere ? nothingFound(asked.q, clear) : drawn);
    host.removeAttribute("aria-busy");
    // There is nothing to look through.
    bar.hidden = !isSifted && !isThere;
  }

  await look();
  return h("div.stack", bar, host);
}
