// A teacher at work: what they do is counted part by part, with the time that it took and what the service was slow with.
import { settled } from "./console_page.mjs";

// What takes the service longer is told of.
const SLOW_MS = 300;
const MOST_SLOW = 12;

// Runs in the page before it does: whether any hand was on a mouse or on the screen.
export function listen() {
  window.pointed = 0;
  performance.setResourceTimingBufferSize(20_000);
  for (const kind of ["pointerdown", "mousedown", "touchstart"]) addEventListener(kind, () => (window.pointed += 1), true);
}

export class Teacher {
  constructor(name, page, hand, report) {
    Object.assign(this, { name, page, hand, report, actions: {}, ms: {} });
    page.on("requestfinished", (request) => this.finished(request));
    report[name] = { actions: this.actions, ms: this.ms };
  }

  get told() {
    return this.report[this.name];
  }

  at(selector, options) {
    return this.page.locator(selector, options);
  }

  // One part of the day. What is no part of the rest, because it is as many as there are works, is counted under a name of its own.
  async part(name, does) {
    const [before, begun] = [this.hand.actions, Date.now()];
    const come = await does();
    this.actions[name] = this.hand.actions - before;
    this.ms[name] = Date.now() - begun;
    return come;
  }

  // From what is done until that is there.
  async took(name, action, shows) {
    const begun = Date.now();
    await action();
    await shows();
    this.ms[name] = Date.now() - begun;
    await settled(this.page);
  }

  async goes(target, pattern) {
    await this.hand.press(target);
    await this.shows(pattern);
  }

  // Until the page that was led to is the one.
  async shows(pattern) {
    await this.page.waitForFunction((wanted) => new RegExp(wanted).test(location.hash) && document.getElementById("main").dataset.shown, pattern);
    await settled(this.page);
  }

  // The list of submissions has answered what was asked of it.
  async listed(few, most = few) {
    const isThere = ([from, to]) => {
      const { length } = document.querySelectorAll(".sb-table tbody tr");
      return length >= from && length <= to && !document.querySelector("#main [aria-busy=true]");
    };
    await this.page.waitForFunction(isThere, [few, most]);
    await settled(this.page);
  }

  finished(request) {
    const { responseEnd } = request.timing();
    if (responseEnd < SLOW_MS || !request.url().includes("/v1/")) return;
    const { pathname, search } = new URL(request.url());
    this.report.slow.push([Math.round(responseEnd), `${request.method()} ${pathname}${search}`.replace(/([a-z]{3})_[0-9a-z]{26}/g, "$1_…")]);
    this.report.slow.sort(([one], [other]) => other - one).splice(MOST_SLOW);
  }
}
