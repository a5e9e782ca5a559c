// Views by what is behind the # of the address: what is shown, its heading, and where the focus goes.
import { ApiError } from "./api.js";
import { button, h, hidden, hush, icon, link, replace, say, skeleton } from "./dom.js";
import { t } from "./i18n.js";
import { visit } from "./names.js";

const PATIENCE_MS = 120;
let routes = [];
let leave = null;
let shownPath = null;
let onUnauthorized = () => {};
let onShown = () => {};
let stays = () => false;

export function configure(table, { unauthorized, shown }) {
  routes = table.map(([pattern, load, view, area]) => ({ parts: pattern.split("/").filter(Boolean), load, view, area }));
  onUnauthorized = unauthorized;
  onShown = shown;
}

// Until another view is shown, `asked` says whether who wants to go elsewhere stays.
// `held` is what there is to lose, for who signs out.
export const beforeLeaving = (asked, held) => (stays = Object.assign(asked, { held }));

export const heldBack = () => stays.held;

export function go(hash) {
  if (location.hash === hash) return show();
  location.hash = hash;
}

// The view is told to stop, as it is when another takes its place.
export function stop() {
  leave?.abort();
}

function match(path) {
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  for (const route of routes) {
    const fits = route.parts.length === parts.length && route.parts.every((part, at) => part.startsWith(":") || part === parts[at]);
    if (fits)
      return {
        ...route,
        params: Object.fromEntries(route.parts.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), parts[at]]] : []))),
      };
  }
  return null;
}

// Shows the view of the address; the one before it is told to stop what it has under way.
export async function show() {
  if (stays()) return;
  stays = () => false;
  leave?.abort();
  leave = new AbortController();
  const { signal } = leave;
  const main = document.getElementById("main");
  if (!main) return;
  const [path, query] = location.hash.replace(/^#/, "").split("?");
  // What was said of one page is not said on another.
  if (path !== shownPath) hush();
  shownPath = path;
  const route = match(path || "/");
  main.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => replace(main, h("div.page", { "aria-busy": "true" }, hidden(t("loading")), skeleton(7))), PATIENCE_MS);
  let page;
  try {
    if (!route) throw new ApiError(404, { code: "unknown_view", message: t("unknown_view") });
    onShown(route.area);
    const views = await route.load();
    page = await views[route.view]({ params: route.params, query: new URLSearchParams(query), signal });
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return;
    if (error.status === 401) return onUnauthorized();
    page = failure(error);
  } finally {
    clearTimeout(slow);
  }
  if (signal.aborted) return;
  if (page.own) visit({ href: location.hash.split("?")[0], name: page.title, area: route.area });
  present(main, page);
}

function present(main, { title, above, actions, body, wide, after, own = false }) {
  const heading = h("h1", { tabindex: "-1", dir: own ? "auto" : null }, title);
  const head = h(
    "header.page-head",
    h("div.page-title", above && h("p.above", above), heading),
    actions?.length ? h("div.row", actions) : null,
  );
  main.dataset.shown = location.hash;
  main.removeAttribute("aria-busy");
  replace(main, h("div.page", { class: wide ? "wide" : "" }, head, body));
  document.title = `${title} · Lyceum`;
  scrollTo(0, 0);
  heading.focus({ preventScroll: true });
  after?.();
}

function failure(error) {
  return { title: t("error.title"), body: [problem(error, show)] };
}

// What went wrong in words, and the id by which whoever runs the service finds it in the log.
export function problem(error, again) {
  return h(
    "div.problem",
    icon("warn"),
    h(
      "div",
      h("p.problem-title", explain(error)),
      error.requestId ? h("p.hint", `${t("request_id")} `, h("code", { dir: "ltr" }, error.requestId)) : null,
      h("div.row", again && button(t("again"), again, { icon: "again" }), link("#/", t("nav.overview"))),
    ),
  );
}

// Says that something did not work, unless it was given up because its view makes room for another.
export function complain(error) {
  if (error.name !== "AbortError") say(explain(error), "bad");
}

export function explain(error) {
  if (!(error instanceof ApiError)) {
    console.error(error);
    return t("error.own");
  }
  const known = {
    offline: "error.offline",
    unreachable: "error.unreachable",
    insufficient_scope: "error.scope",
    insufficient_role: "error.role",
    recent_sign_in_required: "error.recent",
    resource_missing: "error.missing",
    rate_limited: "error.rate",
    ai_rate_limited: "error.rate",
    ai_budget_exceeded: "error.budget",
  };
  if (known[error.code]) return t(known[error.code], { scope: error.fields.scope || "" });
  const details = Object.entries(error.fields).map(([name, text]) => `${name}: ${text}`);
  return [error.message, ...details].join(" · ");
}
