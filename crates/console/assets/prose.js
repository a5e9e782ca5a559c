// Texts as learners see them: the service's own HTML, in a shadow root, so that neither style sheet reaches the other's.
//
// The service has left out whatever could act, and the page's policy runs nothing that is inline. Nothing loads or runs while
// it is made ready here either: a document of a parser has no window.
import { h, isWebAddress } from "./dom.js";
import { t } from "./i18n.js";
import { setting } from "./settings.js";

const DARK = "(prefers-color-scheme: dark)";
// The service's style sheet asks the system; whoever chose here is not asked again.
const CHOSEN = { dark: "all", light: "not all" };
const HEADINGS = "h2, h3, h4, h5, h6";
const SCROLLING = "pre, math, .scroll, .tex.block";
const FILES = ["src", "poster", "href"];
const [page, content] = [new CSSStyleSheet(), new CSSStyleSheet()];
let rules = "";
let styling = null;

async function styles(path) {
  const response = await fetch(path, { credentials: "omit" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

function follow() {
  content.replaceSync(rules.replaceAll(DARK, CHOSEN[setting("theme")] || DARK));
}

// Done when texts look as they should. Where the style sheets do not come they are read without.
export function styled() {
  const load = async () => {
    const [ours, theirs] = await Promise.all(["/studio/prose.css", "/v1/content.css"].map(styles));
    page.replaceSync(ours);
    rules = theirs;
    follow();
  };
  styling ??= load().catch(() => {
    styling = null;
  });
  return styling;
}

addEventListener("theme", follow);

// A file of the library at this page's own origin, which is the one that its policy allows; null for whatever is elsewhere.
function fileHere(address) {
  if (!URL.canParse(address, location.href)) return null;
  const url = new URL(address, location.href);
  return url.pathname.startsWith("/v1/media/") && url.searchParams.has("signature") ? url.pathname + url.search : null;
}

function useOwnOrigin(node) {
  for (const name of FILES) {
    const here = node.hasAttribute(name) && fileHere(node.getAttribute(name));
    if (here) node.setAttribute(name, here);
  }
  if (!node.srcset) return;
  const sizes = node.srcset.split(", ").map((one) => one.split(" "));
  node.srcset = sizes.map(([address, ...size]) => [fileHere(address) || address, ...size].join(" ")).join(", ");
}

// Whoever keeps a picture elsewhere would learn who reads, so it is not loaded: it says what it is, and where.
function inWords(picture) {
  if (!isWebAddress(picture.src)) return picture.alt;
  const { host } = new URL(picture.src);
  const said = t(picture.alt ? "prose.picture" : "prose.picture_only", { host, alt: picture.alt });
  return picture.closest("a") ? said : h("a", { href: picture.src, dir: "auto" }, said);
}

function leadOutside(link) {
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
}

// The largest heading is `level` of the page, and none is left out on the way down.
function outline(text, level) {
  const headings = [...text.querySelectorAll(HEADINGS)];
  const depth = (heading) => Number(heading.localName[1]);
  const least = Math.min(...headings.map(depth));
  let before = level - 1;
  for (const heading of headings) {
    before = Math.min(depth(heading) - least + level, before + 1, 6);
    const { dir, lang } = heading;
    heading.replaceWith(h(`h${before}`, { dir: dir || null, lang: lang || null }, [...heading.childNodes]));
  }
}

// What is to be shown, ready to be put into the page.
function made(html, level) {
  const text = new DOMParser().parseFromString(html, "text/html").body;
  text.querySelectorAll("[src], [srcset], [href], [poster]").forEach(useOwnOrigin);
  for (const picture of text.querySelectorAll("img")) if (!fileHere(picture.src)) picture.replaceWith(inWords(picture));
  text.querySelectorAll("a[href]:not([href^='#'])").forEach(leadOutside);
  for (const table of text.querySelectorAll("table")) {
    const around = h("div.scroll");
    table.replaceWith(around);
    around.append(table);
  }
  outline(text, level);
  return [...text.childNodes];
}

// What is behind a # here is a place in the text and no page of Studio. A note is read from its beginning.
function goInside(event) {
  const link = event.target.closest("a[href^='#']");
  if (!link) return;
  event.preventDefault();
  const found = link.getRootNode().getElementById(link.getAttribute("href").slice(1));
  const place = found?.localName === "span" ? found.closest("li") : found;
  if (!place) return;
  if (place.localName !== "a") place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

// What scrolls sideways can be reached by keyboard, and what does not is no stop on the way.
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries)
    for (const node of target.querySelectorAll(SCROLLING)) {
      if (node.scrollWidth > node.clientWidth) node.setAttribute("tabindex", "0");
      else node.removeAttribute("tabindex");
    }
});

// What has no direction of its own, such as a picture, stands as the text before it begins.
function directionOf(text) {
  const first = text.querySelector(":scope > [dir=auto]");
  if (!first) return "auto";
  return first.matches(":dir(rtl)") ? "rtl" : "ltr";
}

// The element that shows `html`, which is in the language `lang` where that is known.
export function prose(html, { level = 2, lang = null, selector = "div" } = {}) {
  const host = h(selector, { lang });
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [page, content];
  const text = h("div.text", made(html, level));
  text.dir = directionOf(text);
  root.append(text);
  for (const click of ["click", "auxclick"]) root.addEventListener(click, goInside);
  widths.observe(text);
  styled();
  return host;
}

// One of an object's texts, by its place: as HTML where the answer has it, else as it was written.
export function shownText(object, place, written, options = {}) {
  const html = object.html?.[place];
  if (html !== undefined) return prose(html, options);
  return h(options.selector || "div", { class: "lines", dir: "auto", lang: options.lang }, written);
}

// The same in words alone, for where there can be no more than that.
export function words(html) {
  const text = new DOMParser().parseFromString(html, "text/html").body;
  text.querySelectorAll("annotation").forEach((one) => one.remove());
  return text.textContent.trim();
}
