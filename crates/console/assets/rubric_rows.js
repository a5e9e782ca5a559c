// Parts that are written one below the other: each is moved up and down and taken out, by buttons and by keyboard.
import { acting, button, h, replace, say } from "./dom.js";
import { number } from "./format.js";
import { t } from "./i18n.js";

export class Rows {
  // `items` is changed in place. `row(item, at, set)` is what one shows, `called(item, at)` what it is called, `made()` a new one;
  // fewer than `least` or more than `most` there cannot be.
  constructor({ items, row, called, made, label, changed, least = 0, most = 100, selector = "ol.parts-list" }) {
    Object.assign(this, { items, row, called, made, changed, least, most });
    this.list = h(selector);
    this.adding = button(label, () => this.add(), { look: "quiet", class: "small", icon: "plus" });
    this.node = h("div.stack.tight", this.list, h("div.row", this.adding));
    this.render();
  }

  render() {
    replace(this.list, this.items.map((item, at) => this.part(item, at)));
    this.adding.disabled = this.items.length >= this.most;
  }

  part(item, at) {
    const set = (value) => {
      this.items[at] = value;
      this.changed();
    };
    const what = () => this.called(this.items[at], at);
    const small = (sign, label, act, onclick, disabled) => {
      const does = t(label, { what: what() });
      const props = { type: "button", "data-do": act, disabled, "aria-label": does, title: does, onclick };
      return h("button.button.quiet.small.sign", props, sign);
    };
    const tools = h(
      "div.tools",
      small("↑", "rubric.up", "up", () => this.move(at, -1), at === 0),
      small("↓", "rubric.down", "down", () => this.move(at, 1), at === this.items.length - 1),
      small("×", "rubric.remove", "remove", () => this.remove(at), this.items.length <= this.least),
    );
    return h("li.part", { onkeydown: (event) => this.press(event, at) }, this.row(item, at, set), tools);
  }

  // The part that the keys are pressed in, and not the one that is around it.
  press(event, at) {
    if (event.key === "Enter" && event.target.matches("input") && !event.defaultPrevented) return this.goOn(event, at);
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || !step || event.defaultPrevented) return;
    event.preventDefault();
    const focused = this.controls(at).indexOf(document.activeElement);
    this.move(at, step, focused);
  }

  // Enter goes on to the next, and from the last to a new one.
  goOn(event, at) {
    event.preventDefault();
    if (!event.target.value || event.isComposing) return;
    if (at + 1 < this.items.length) this.controls(at + 1)[0].focus();
    else if (!this.adding.disabled) this.add();
  }

  controls(at) {
    return [...this.list.children[at].querySelectorAll("input, textarea, select, button, summary")];
  }

  // The focus stays on what was pressed, in the part that was moved.
  move(at, step, focused = null) {
    const to = at + step;
    if (to < 0 || to >= this.items.length) return;
    const name = this.called(this.items[at], at);
    this.items.splice(to, 0, ...this.items.splice(at, 1));
    this.done();
    const pressed = this.list.children[to].querySelector(`:scope > .tools [data-do=${step < 0 ? "up" : "down"}]`);
    const other = this.list.children[to].querySelector(`:scope > .tools [data-do=${step < 0 ? "down" : "up"}]`);
    (focused === null ? (pressed.disabled ? other : pressed) : this.controls(to)[focused]).focus();
    say(t("rubric.moved", { what: name, at: number(to + 1), of: number(this.items.length) }), "plain");
  }

  remove(at) {
    const [item] = this.items.splice(at, 1);
    const name = this.called(item, at);
    this.done();
    (this.controlsNear(at)[0] || this.adding).focus();
    const back = acting(t("rubric.undo"), () => this.put(item, at), { look: "quiet", class: "small" });
    say(t("rubric.removed", { what: name }), "plain", back);
  }

  controlsNear(at) {
    return this.items.length ? this.controls(Math.min(at, this.items.length - 1)) : [];
  }

  // Unless the whole was made anew meanwhile.
  put(item, at) {
    if (!this.list.isConnected || this.items.length >= this.most) return;
    this.items.splice(Math.min(at, this.items.length), 0, item);
    this.done();
    this.controls(Math.min(at, this.items.length - 1))[0].focus();
  }

  add() {
    this.items.push(this.made());
    this.done();
    this.controls(this.items.length - 1)[0].focus();
  }

  done() {
    this.render();
    this.changed();
  }
}
