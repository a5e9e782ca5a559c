// Texts of activities. Under its name an object has a text's words; in its member `html`, under the same name, what the
// exporter made of it, which is what is shown. Nothing else of a document is ever parsed.

const BLOCKS = "p, div, ul, ol, dl, table, pre, blockquote, section, figure, details, hr, h2, h3, h4, h5, h6";

function markupOf(thing, name) {
  const html = thing && thing.html && typeof thing.html === "object" ? thing.html[name] : "";
  return typeof html === "string" ? html : "";
}

// The text in an element of this kind; where that may not hold what the text has, in a box with the class `blocks`.
function asShown(thing, name, tag, props) {
  const html = markupOf(thing, name);
  const box = html ? prose(html) : null;
  const hasBlocks = box !== null && Array.from(box.children).some((child) => child.matches(BLOCKS));
  const holds = /^(dd|li|div)$/.test(tag);
  const own = Object.assign({}, props);
  if (hasBlocks) own.class = [own.class, "prose blocks"].filter(Boolean).join(" ");
  else own.dir = "auto";
  return h(hasBlocks && !holds ? "div" : tag, own, box ? Array.from(box.childNodes) : inline(thing && thing[name]));
}

const isBlocks = (node) => node.classList.contains("blocks");

// A node in words: pictures by their descriptions, formulas by their TeX.
function wordsOf(node) {
  const copy = node.cloneNode(true);
  for (const formula of copy.querySelectorAll("math")) formula.replaceWith((formula.querySelector("annotation") || formula).textContent);
  for (const image of copy.querySelectorAll("img")) image.replaceWith(image.alt);
  for (const played of copy.querySelectorAll("audio, video")) played.replaceWith(played.getAttribute("aria-label") || "");
  return copy.textContent.replace(/\s+/g, " ").trim();
}

// Names a field by a text that no label holds, or that has formulas: browsers leave those out of names.
function nameBy(field, node, isOutside, before) {
  if (isOutside || node.querySelector("math")) field.setAttribute("aria-label", [before, wordsOf(node)].filter(Boolean).join(" "));
}

// Several texts in one line, such as the right answers; of one with blocks the words.
function inLine(texts, between) {
  return texts.flatMap(([thing, name], at) => {
    const node = asShown(thing, name, "bdi");
    return [at ? between : null, isBlocks(node) ? h("bdi", null, String(thing[name])) : node];
  });
}

// Whether there is anything to show.
function says(thing, name) {
  return markupOf(thing, name) !== "" || Boolean(thing && thing[name]);
}
