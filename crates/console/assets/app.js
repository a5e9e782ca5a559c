// The frame around the views: who is in, where one can go, and what is shown.
import { can, get, openLink, refresh, session, signIn, signOut } from "./api.js";
import { button, code, h, icon, link, own, replace } from "./dom.js";
import { inTimeZone, number } from "./format.js";
import { preferredLanguage, t, useLanguage, word } from "./i18n.js";
import { forget } from "./names.js";
import { paletteButton } from "./palette_door.js";
import { preferences } from "./preferences.js";
import { configure, show } from "./router.js";
import { applyTheme, setting } from "./settings.js";

const AREAS = [
  ["overview", "#/", null],
  ["review", "#/review", "read:submissions"],
  ["submissions", "#/submissions", "read:submissions"],
  ["courses", "#/courses", "read:courses"],
  ["cohorts", "#/cohorts", "read:courses"],
  ["packages", "#/packages", "read:courses"],
  ["webhooks", "#/webhooks", "read:webhooks"],
  ["sso", "#/sso", "read:workspaces"],
  ["keys", "#/keys", "read:keys"],
  ["members", "#/members", "read:students"],
  ["usage", "#/usage", "read:workspaces"],
  ["work", "#/work", "read:workspaces"],
  ["audit", "#/audit", "read:keys"],
];
// What is shown of each area is fetched when somebody first goes there.
const accepting = () => import("./accept.js");
const accounts = () => import("./account.js");
const activity = () => import("./activity_editor.js");
const assignmentEditor = () => import("./assignment_editor.js");
const audits = () => import("./audit.js");
const bulk = () => import("./bulk.js");
const calibration = () => import("./calibration.js");
const certificate = () => import("./certificate.js");
const cohorts = () => import("./cohorts.js");
const cohortUpdate = () => import("./cohort_update.js");
const courses = () => import("./courses.js");
const courseDraft = () => import("./course_draft.js");
const courseSettings = () => import("./course_settings.js");
const editor = () => import("./editor.js");
const gradebook = () => import("./gradebook.js");
const groups = () => import("./groups.js");
const keys = () => import("./keys.js");
const leaving = () => import("./leaving.js");
const lesson = () => import("./lesson.js");
const members = () => import("./members.js");
const overview = () => import("./overview.js");
const packages = () => import("./packages.js");
const proposals = () => import("./proposals.js");
const redTeam = () => import("./red_team.js");
const regrade = () => import("./regrade.js");
const regrades = () => import("./regrades.js");
const review = () => import("./review.js");
const door = () => import("./sign_in.js");
const sso = () => import("./sso.js");
const standing = () => import("./standing.js");
const statistics = () => import("./statistics.js");
const submissions = () => import("./submissions.js");
const trash = () => import("./trash.js");
const usage = () => import("./usage.js");
const versions = () => import("./history.js");
const webhooks = () => import("./webhooks.js");
const work = () => import("./work.js");
const ROUTES = [
  ["/", overview, "overview", "overview"],
  ["/review", review, "review", "review"],
  ["/review/:id", review, "review", "review"],
  ["/submissions", submissions, "submissions", "submissions"],
  ["/courses", courses, "courses", "courses"],
  ["/courses/:id", courses, "course", "courses"],
  ["/courses/:id/draft", courseDraft, "courseDraft", "courses"],
  ["/courses/:id/settings", courseSettings, "courseSettings", "courses"],
  ["/courses/:id/:lesson", lesson, "lesson", "courses"],
  ["/trash", trash, "trash", "courses"],
  ["/courses/:id/:lesson/edit", editor, "editor", "courses"],
  ["/courses/:id/:lesson/activities/:activity", activity, "activity", "courses"],
  ["/history/:of/:id", versions, "versions", "courses"],
  ["/generations/:id", proposals, "generation", "courses"],
  ["/assignments/:id/edit", assignmentEditor, "assignmentEditor", "courses"],
  ["/assignments/:id/calibration", calibration, "calibration", "courses"],
  ["/assignments/:id/certificate", certificate, "certificate", "courses"],
  ["/assignments/:id/ai", bulk, "bulk", "courses"],
  ["/assignments/:id/redteam", redTeam, "redTeam", "courses"],
  ["/assignments/:id/regrades", regrades, "regrades", "courses"],
  ["/assignments/:id/regrades/:batch", regrade, "regrade", "courses"],
  ["/assignments/:id/statistics", statistics, "ofAssignment", "courses"],
  ["/activities/:id/statistics", statistics, "ofQuiz", "courses"],
  ["/assignments/:id/groups", groups, "groups", "courses"],
  ["/assignments/:id/groups/:member", groups, "group", "courses"],
  ["/cohorts", cohorts, "cohorts", "cohorts"],
  ["/cohorts/:id", cohorts, "cohort", "cohorts"],
  ["/cohorts/:id/gradebook", gradebook, "gradebook", "cohorts"],
  ["/cohorts/:id/standing", standing, "standing", "cohorts"],
  ["/cohorts/:id/update", cohortUpdate, "cohortUpdate", "cohorts"],
  ["/packages", packages, "packages", "packages"],
  ["/packages/:id", packages, "learners", "packages"],
  ["/webhooks", webhooks, "webhooks", "webhooks"],
  ["/webhooks/:id", webhooks, "webhook", "webhooks"],
  ["/keys", keys, "keys", "keys"],
  ["/sso", sso, "connections", "sso"],
  ["/sso/:id", sso, "connection", "sso"],
  ["/usage", usage, "usage", "usage"],
  ["/work", work, "work", "work"],
  ["/members", members, "members", "members"],
  ["/members/:id/erasure", members, "erasure", "members"],
  ["/members/:id/keys", members, "memberKeys", "members"],
  ["/audit", audits, "audit", "audit"],
  ["/account", accounts, "account", "account"],
];
const root = document.getElementById("app");

// The door is fetched when somebody stands before it.
async function signInPage(...how) {
  (await door()).signInPage(...how);
}

async function choosePlatform(...how) {
  (await door()).choosePlatform(...how);
}

function account() {
  const { me, platform } = session;
  const others = me.platforms.filter((one) => one !== platform);
  const choose = others.length
    ? h(
        "select.field",
        {
          "aria-label": t("choose_platform"),
          onchange: (event) => {
            session.choose(me.platforms[Number(event.target.value)]);
            forget();
            enter();
          },
        },
        me.platforms.map((one, at) => h("option", { value: at, selected: one === platform }, `${one.name} (${one.code || one.uuid})`)),
      )
    : null;
  return h(
    "div.account",
    h(
      "div.who",
      choose || own("strong", platform.name),
      h("span.quiet.cut", { title: platform.uuid }, code(platform.code || platform.uuid)),
      h("a.cut", { href: "#/account", dir: "auto" }, me.user?.name || me.user?.email || me.email),
      h("span.quiet", word("role", platform.role)),
      h(
        "details",
        h("summary", t("keys.mine")),
        h(
          "p.scopes-mine",
          me.scopes.map((scope) => [code(scope), " "]),
        ),
      ),
    ),
    preferences(enter),
    // Beside this page, which a key may live in alone.
    h("a", { href: "/docs/guides", target: "_blank", rel: "noopener" }, t("handbook")),
    button(t("sign_out"), () => leave(), { look: "quiet", class: "small", icon: "out" }),
  );
}

function navigation() {
  const item = ([area, href]) => h("li", h("a", { href, "data-area": area }, icon(area), h("span", t(`nav.${area}`))));
  return h("nav.nav", { "aria-label": t("nav_label") }, h("ul", AREAS.filter(([, , scope]) => !scope || can(scope)).map(item)));
}

async function enter() {
  // Said of each platform.
  if (session.me.platforms.length > 1) await refresh().catch(() => null);
  const { language, timezone } = session.me.user || {};
  inTimeZone(timezone);
  if (!setting("language")) await useLanguage(preferredLanguage(language));
  const side = h("div.side", link("#/", icon("courses"), "Lyceum"), paletteButton(), navigation(), account());
  side.firstChild.className = "brand";
  const menu = h(
    "button.button.quiet",
    { type: "button", "aria-expanded": "false", onclick: () => menu.setAttribute("aria-expanded", String(side.classList.toggle("open"))) },
    icon("menu"),
    h("span", t("menu")),
  );
  const home = link("#/", icon("courses"), "Lyceum");
  home.className = "brand";
  const skip = h(
    "a.skip",
    {
      href: "#main",
      onclick: (event) => {
        event.preventDefault();
        document.querySelector("#main h1, #main")?.focus();
      },
    },
    t("skip"),
  );
  replace(
    root,
    skip,
    h("div.frame", h("header.masthead", h("div.top", home, menu), side), h("main.content", { id: "main", tabindex: "-1" })),
  );
  show();
}

// Whoever leaves is led nowhere later; whose session was over is led back to where they were.
async function leave(said) {
  // Where that cannot be fetched nothing is asked, and the browser keeps what was not saved.
  const { mayGo } = said ? {} : await leaving().catch(() => ({}));
  if (mayGo && !(await mayGo())) return;
  await signOut();
  forget();
  if (!said) history.replaceState(null, "", location.pathname);
  signInPage(root, enter, said);
}

// What waits is counted where it can be seen from everywhere. Answers overtake each other: the one that was asked for last counts.
let counted = 0;

async function countWaiting(place) {
  if (!can("read:submissions")) return;
  counted += 1;
  const mine = counted;
  const held = await get("/v1/submissions", { limit: 100, review_status: "open", status: "in_review" }).catch(() => null);
  if (mine !== counted) return;
  place.querySelector(".count")?.remove();
  if (held?.data.length)
    place.append(h("span.count", `${number(held.data.length)}${held.has_more ? "+" : ""}`, h("span.unseen", ` ${t("overview.waiting")}`)));
}

function shown(area) {
  document.querySelector(".side")?.classList.remove("open");
  document.querySelector(".top [aria-expanded]")?.setAttribute("aria-expanded", "false");
  for (const item of document.querySelectorAll("[data-area]")) {
    if (item.dataset.area === area) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
    if (item.dataset.area === "review") countWaiting(item);
  }
}

// Others decide as well: what waits is counted anew after every decision here, and now and then while somebody looks.
const COUNT_EVERY_MS = 30_000;

function recount() {
  const item = session.isOpen && !document.hidden && document.querySelector('[data-area="review"]');
  if (item) countWaiting(item);
}

// A reload goes on where it was: in a tab that was told to stay signed in, and wherever somebody has a session.
async function goOn() {
  const key = session.kept;
  if (!key && !session.mayGoOn) return false;
  try {
    await signIn(key);
  } catch {
    return false;
  }
  if (session.platform) enter();
  else if (session.isPerson) choosePlatform(root, enter);
  else return false;
  return true;
}

const LINK = "#/sign-in/";
const REFUSED = "#/sign-in/sso/";

// Whoever comes back from their organisation and is not in is told why, and may try again to where they wanted.
async function refusedBySso() {
  if (!location.hash.startsWith(REFUSED)) return false;
  const [reason, ...place] = location.hash.slice(REFUSED.length).split("/");
  history.replaceState(null, "", location.pathname);
  const { refusal } = await door();
  await signInPage(root, enter, await refusal(reason), place.length ? `/${place.join("/")}` : "");
  return true;
}

// A link lets in once: its end is taken out of the address, so that nobody finds it there, before it is opened.
async function openedByLink() {
  if (await refusedBySso()) return true;
  if (!location.hash.startsWith(LINK)) return false;
  const token = location.hash.slice(LINK.length);
  history.replaceState(null, "", location.pathname);
  try {
    await openLink(token);
  } catch (error) {
    signInPage(root, enter, error.code === "another_browser" ? "entry.another_browser" : error.status === 401 ? "entry.link_over" : "error.title");
    return true;
  }
  if (session.platform) enter();
  else choosePlatform(root, enter);
  return true;
}

const INVITATION = "#/invitation/";

// An invitation is looked at before it is accepted; it is taken out of the address as well.
async function openedByInvitation() {
  if (!location.hash.startsWith(INVITATION)) return false;
  const token = location.hash.slice(INVITATION.length);
  history.replaceState(null, "", location.pathname);
  const into = () => (session.platform ? enter() : choosePlatform(root, enter));
  const instead = async (said) => (!said && (await goOn())) || signInPage(root, enter, said);
  await (await accepting()).invitationPage(root, token, into, instead);
  return true;
}

async function start() {
  applyTheme();
  await useLanguage(setting("language") || preferredLanguage());
  configure(ROUTES, { unauthorized: () => leave("entry.over"), shown });
  addEventListener("hashchange", async () => {
    if ((await openedByLink()) || (await openedByInvitation())) return;
    if (session.isOpen) show();
  });
  // Where one belongs has changed, and so has what there is to choose from.
  addEventListener("belonging", enter);
  for (const happening of ["decided", "visibilitychange"]) addEventListener(happening, recount);
  setInterval(recount, COUNT_EVERY_MS);
  if (!(await openedByLink()) && !(await openedByInvitation()) && !(await goOn())) signInPage(root, enter);
}

start();
