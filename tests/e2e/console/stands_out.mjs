// Runs in a page, once, behind axe: whether a text stands out from what is behind it takes more time than everything else that axe asks, and most texts
// of a view stood in the one before: the navigation, the rows of a list. What stood out already is not asked about again where it stands in the same
// letters and colours, on the same surfaces: those of everything around it, with the same names and classes, in a page as wide. Only what passed is
// remembered; and where any other surface touches the words, axe is asked each time.
export function rememberWhatStandsOut() {
  const SURFACE = ["background-color", "background-image", "opacity", "filter", "mix-blend-mode", "position", "visibility"];
  const LETTERS = ["color", "font-size", "font-weight", "text-shadow", "-webkit-text-stroke-width"];
  const { rules, checks } = window.axe._audit;
  const rule = rules.find(({ id }) => id === "color-contrast");
  const check = checks["color-contrast"];
  const { matches } = rule;
  const { evaluate } = check;
  const numbers = new Map();
  const places = new WeakMap();
  const painted = new WeakMap();
  const alone = new WeakMap();
  const passed = new Set();

  const stylesOf = (one, names) => names.map((name) => one.getComputedStylePropertyValue(name));
  function numberOf(parts) {
    const text = parts.join("|");
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text);
  }
  function placeOf(one) {
    if (!one) return window.innerWidth;
    if (!places.has(one)) places.set(one, numberOf([placeOf(one.parent), one.props.nodeName, one.attr("class"), ...stylesOf(one, SURFACE)]));
    return places.get(one);
  }
  const wordsOf = (one) => one.children.map(({ props }) => (props.nodeName === "#text" ? props.nodeValue.trim() : "")).join("");
  const hasField = (one) => ["input", "select", "textarea"].includes(one.props.nodeName);
  // One letter and signs alone are judged otherwise than words.
  const kindOf = (words) => [words.length > 1, /[\p{L}\p{N}]/u.test(words)];
  const keyOf = (one) => numberOf([placeOf(one), ...stylesOf(one, LETTERS), ...kindOf(wordsOf(one))]);

  const isPainted = (one) => !/, 0\)$/.test(one.getComputedStylePropertyValue("background-color")) || one.getComputedStylePropertyValue("background-image") !== "none";
  function paintedIn([root]) {
    if (!painted.has(root)) painted.set(root, window.axe.utils.querySelectorAll(root, "*").filter(isPainted).map((one) => [one, one.boundingClientRect]));
    return painted.get(root);
  }
  function linesOf(one) {
    const range = document.createRange();
    return one.children.flatMap(({ props, actualNode }) => {
      if (props.nodeName !== "#text") return [];
      range.selectNodeContents(actualNode);
      return [...range.getClientRects()];
    });
  }
  function ancestorsOf(one) {
    const found = new Set();
    for (let at = one; at; at = at.parent) found.add(at);
    return found;
  }
  const touches = (line, box) => line.left < box.right && line.right > box.left && line.top < box.bottom && line.bottom > box.top;
  const isInside = (line, box) => line.left >= box.left - 1 && line.right <= box.right + 1 && line.top >= box.top - 1 && line.bottom <= box.bottom + 1;
  // The page itself is behind everything, as far as one can scroll.
  const isPage = (one) => ["html", "body"].includes(one.props.nodeName);
  // Whatever is painted is all around the words, or nowhere near them.
  function standsAlone(one) {
    const [lines, around] = [linesOf(one), ancestorsOf(one)];
    const isClear = ([other, box]) => isPage(other) || lines.every((line) => (around.has(other) ? isInside(line, box) : !touches(line, box)));
    return paintedIn(window.axe._tree).every(isClear);
  }
  function isAlone(one) {
    if (!alone.has(one)) alone.set(one, standsAlone(one));
    return alone.get(one);
  }
  const isKnown = (one) => !hasField(one) && passed.has(keyOf(one)) && isAlone(one);

  rule.matches = (node, one, context) => (hasField(one) || wordsOf(one) !== "") && !isKnown(one) && matches(node, one, context);
  // Of rows that are alike the first is judged, and they are all chosen before that.
  check.evaluate = function (node, options, one, context) {
    if (isKnown(one)) return true;
    const standsOut = evaluate.call(this, node, options, one, context);
    if (standsOut === true && !hasField(one) && isAlone(one)) passed.add(keyOf(one));
    return standsOut;
  };
}
