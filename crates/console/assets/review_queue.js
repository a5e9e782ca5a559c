// The queue beside the desk: who waits, where one is in it, and the way to the others.
import { acting, h, icon, own } from "./dom.js";
import { number, when } from "./format.js";
import { t } from "./i18n.js";
import { takenOff } from "./late.js";

export function personOf(submission) {
  return submission.user?.name || submission.user?.email || t("student");
}

function row(one, current, open) {
  const onclick = (event) => {
    event.preventDefault();
    open(one.id);
  };
  const score = one.blind ? h("span.quiet", t("blind.word")) : h("span.num", one.score === null ? "–" : number(one.score));
  return h(
    "li",
    h(
      "a.queue-item",
      { href: `#/review/${one.id}`, "data-id": one.id, "aria-current": one.id === current ? "true" : null, onclick },
      h("span.line", own("strong.cut", personOf(one)), score),
      h("span.line.quiet", own("span.cut", one.assignment?.name || ""), when(one.submitted_at || one.created_at, "short")),
      takenOff(one),
    ),
  );
}

function placeIn({ items, hasMore }, here) {
  if (here < 0) return t("review.waiting", { count: number(items.length) });
  return t("review.place", { at: number(here + 1), of: `${number(items.length)}${hasMore ? "+" : ""}` });
}

// Where there is no room the list is behind a button that says where in it one is.
export function queueParts(queue, current, { open, step, more }) {
  const place = placeIn(queue, queue.at(current));
  const onclick = () => show.setAttribute("aria-expanded", String(show.closest(".queue").classList.toggle("open")));
  const show = h("button.queue-toggle", { type: "button", "aria-expanded": "false", onclick }, h("span", place), icon("menu"));
  const beside = (label, drawing, by) =>
    h("button.button.quiet", { type: "button", "aria-label": t(label), onclick: () => step(by) }, icon(drawing));
  return [
    h("p.queue-place", place),
    h("div.queue-line", show, beside("keys.previous", "prev", -1), beside("keys.next", "next", 1)),
    h(
      "ol",
      queue.items.map((one) => row(one, current, open)),
    ),
    queue.hasMore && h("div.more", acting(t("more"), more, { look: "quiet" })),
  ];
}
