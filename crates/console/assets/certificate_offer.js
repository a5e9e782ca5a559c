// Whether a certificate is worth a try, by what people graded already: said before anybody grades for one.
import { facts, h, section } from "./dom.js";
import { number, percent } from "./format.js";
import { t } from "./i18n.js";

function chanceOf({ chance, min_confidence: least }) {
  if (chance === null) return t("certificate.offer_unknown");
  const told = percent(Math.round(chance * 100));
  return least === null ? t("certificate.offer_unlikely", { chance: told }) : t("certificate.offer_from", { chance: told, least: number(least) });
}

function advice({ examples, needed, least_offered: least }) {
  if (needed === null) return t("certificate.offer_never");
  if (!examples) return t("certificate.offer_no_examples");
  return least === null ? t("certificate.offer_none") : t("certificate.offer_least", { share: percent(least) });
}

export function offerCard(found) {
  const { at_hand: waiting, needed, missing, examples, disagreements, tries } = found;
  const chances = tries.map((one) => [
    t("certificate.offer_try", { tests: number(one.tests), borne: number(one.disagreements_borne) }),
    chanceOf(one),
  ]);
  return section(
    t("certificate.offer"),
    h(
      "div.card.stack.offer",
      h("p.quiet", t("certificate.offer_what")),
      facts([
        [t("certificate.offer_waiting"), number(waiting)],
        needed !== null && [t("certificate.offer_needed"), number(needed)],
        missing > 0 && [t("certificate.offer_missing"), number(missing)],
        examples > 0 && [t("certificate.offer_examples"), t("place_of", { at: number(disagreements), of: number(examples) })],
      ]),
      examples > 0 && facts(chances, "dl.facts.column"),
      h("p", advice(found)),
    ),
  );
}
