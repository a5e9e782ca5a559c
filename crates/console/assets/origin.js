// Where a unit or a lesson came from, where AI had a hand in it.
import { tag } from "./dom.js";
import { word } from "./i18n.js";

export function originTag(provenance) {
  return provenance?.origin?.startsWith("ai")
    ? tag(word("origin", provenance.origin), provenance.origin === "ai" ? "wait" : "plain")
    : null;
}
