// A deck: each card is turned over, put aside as known or kept; what is not known yet can be practised again.

function flashcardsView(step, content, player) {
  const cards = list(content.cards);
  if (!cards.length) return nothingView();
  return new Deck(step, cards, player).node;
}

class Deck {
  constructor(step, cards, player) {
    this.step = step;
    this.cards = cards;
    this.progress = player.progress;
    this.player = player;
    this.node = h("section", { class: "flashcards", "aria-label": t("kind_flashcards") });
    this.deal(cards.map((card, at) => at));
  }

  get knownCount() { return this.cards.filter((card, at) => this.isKnown(at)).length; }
  get words() { return String(this.cards[this.order[this.at]][this.turned ? "back" : "front"] || ""); }
  get unknown() { return this.cards.map((card, at) => at).filter((at) => !this.isKnown(at)); }

  isKnown(at) { return this.progress.known(this.step.id).has(at); }

  deal(order, focus) {
    this.order = order;
    this.place = h("p", { class: "eyebrow" });
    this.dots = h("ol", { class: "dots", "aria-hidden": "true" }, order.map(() => h("li")));
    const id = "card-" + this.step.id;
    this.side = h("span", { class: "side", id: id + "-side", lang: uiLang() });
    this.face = h("div");
    // Its reach is the whole card, which may hold what no button may: lists, tables, links.
    this.turn = h("button", { type: "button", class: "flip-hint", "data-action": "flip", "aria-describedby": id + "-side " + id + "-words", lang: uiLang(), onclick: () => this.flip() },
      icon("flip"), h("span", null, t("flip")));
    this.said = h("span", { hidden: true, id: id + "-words" });
    this.card = h("div", { class: "flashcard" }, this.side, this.face, this.turn, this.said);
    this.hint = h("p", { class: "hint centered" });
    this.verdicts = h("div", { class: "card-row" },
      button("card-unknown", t("notYet"), { onclick: () => this.judge(false) }, "flip"),
      button("card-known", t("knewIt"), { onclick: () => this.judge(true) }, "check"));
    this.node.replaceChildren(h("div", { class: "deck-head" }, this.place, this.dots), this.card, this.hint, this.verdicts,
      h("div", { class: "card-row" },
        button("card-prev", t("cardPrev"), { class: "button quiet", onclick: () => this.move(-1) }, "prev"),
        button("card-next", t("cardNext"), { class: "button quiet", onclick: () => this.move(1) }, "next", true)));
    this.goTo(0, focus);
  }

  goTo(place, focus) {
    this.at = place;
    this.turned = false;
    this.draw();
    if (focus) this.turn.focus();
    if (focus || place) announce(this.place.textContent + ". " + t("front") + ": " + this.words);
  }

  draw() {
    const one = this.cards[this.order[this.at]];
    this.place.lang = uiLanguage;
    this.place.textContent = t("cardOf", { n: number(this.at + 1), total: number(this.order.length) });
    this.side.textContent = t(this.turned ? "back" : "front");
    const face = asShown(one, this.turned ? "back" : "front", "div", { class: "face" });
    this.said.textContent = this.words;
    this.face.replaceWith(face);
    this.face = face;
    this.card.classList.toggle("turned", this.turned);
    this.hint.replaceChildren(...(says(one, "hint") && !this.turned ? [t("hint") + ": ", asShown(one, "hint", "bdi")] : []));
    this.verdicts.classList.toggle("waiting", !this.turned);
    for (const choice of this.verdicts.children) choice.disabled = !this.turned;
    Array.from(this.dots.children).forEach((dot, at) => {
      dot.className = (at === this.at ? "here" : "") + (this.isKnown(this.order[at]) ? " known" : "");
    });
  }

  flip() {
    this.turned = !this.turned;
    this.draw();
    announce(t(this.turned ? "back" : "front") + ": " + this.words);
  }

  judge(isKnown) {
    this.progress.setKnown(this.step.id, this.order[this.at], isKnown);
    this.move(1, true);
  }

  move(by, focus) {
    const to = this.at + by;
    if (to >= this.order.length) this.sumUp();
    else this.goTo((to + this.order.length) % this.order.length, focus);
  }

  // The deck is through: what sits, what does not, and the way on.
  sumUp() {
    const { unknown } = this;
    this.player.complete(this.step);
    const title = h("h2", { tabindex: "-1", class: "big small", lang: uiLang() }, unknown.length ? t("deckDone") : t("deckKnown"));
    const all = this.cards.map((card, at) => at);
    this.node.replaceChildren(h("div", { class: "card result" + (unknown.length ? "" : " good") }, title,
      say("p", "knownOf", { n: number(this.knownCount), total: number(this.cards.length) }),
      unknown.length ? h("ul", { class: "still" }, unknown.map((at) => h("li", null, inLine([[this.cards[at], "front"]])))) : null,
      h("div", { class: "card-row" },
        unknown.length && unknown.length < all.length
          ? button("card-practise", t("practise", { n: number(unknown.length) }), { onclick: () => this.deal(unknown, true) }, "flip") : null,
        button("card-again", t("deckAgain"), { class: "button quiet", onclick: () => this.deal(all, true) }, "flip"))));
    title.focus({ preventScroll: true });
    title.scrollIntoView({ block: "nearest" });
  }
}
