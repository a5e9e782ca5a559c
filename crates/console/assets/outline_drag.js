// Dragging rows of the outline, by whatever points. What is dragged stands where it stood until it is let go; a line says where it would go.
import { h } from "./dom.js";

const EDGE_PX = 72;
const STEP_PX = 14;
const PARENT = { lesson: "unit", activity: "lesson", unit: null };

function itemAt(y, host) {
  const box = host.getBoundingClientRect();
  const inside = Math.min(Math.max(y, box.top + 1), box.bottom - 1);
  return document.elementFromPoint(box.left + box.width / 2, inside)?.closest("[data-id]");
}

// Where a thing of a kind would go: into which list, and before which of it.
function targetAt(y, host, kind) {
  let item = itemAt(y, host);
  while (item && item.dataset.kind !== kind && item.dataset.kind !== PARENT[kind]) item = item.parentElement.closest("[data-id]");
  if (!item || !host.contains(item)) return null;
  if (item.dataset.kind !== kind) return { parent: item, before: null, line: item.querySelector(`:scope > .item-row`), after: true };
  const box = (kind === "unit" ? item : item.querySelector(":scope > .item-row")).getBoundingClientRect();
  const isAfter = y > box.top + box.height / 2;
  const next = isAfter ? item.nextElementSibling : item;
  const before = next?.dataset.kind === kind ? next : null;
  return { parent: item.parentElement.closest("[data-id]"), before, line: item, after: isAfter };
}

// `begin(item)` says which ids go along; `drop(ids, parent id or null, id before which or null)` is told where they went.
export function listenForDrags(host, { begin, drop }, signal) {
  host.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".grip");
    if (!grip || event.button !== 0) return;
    event.preventDefault();
    drag(event, grip, host, { begin, drop }, signal);
  });
}

function drag(start, grip, host, { begin, drop }, signal) {
  const item = grip.closest("[data-id]");
  const { kind } = item.dataset;
  const ids = begin(item);
  const moving = ids.map((id) => host.querySelector(`[data-id="${id}"]`)).filter(Boolean);
  const marker = h("div.drop-line", { "aria-hidden": "true" });
  const over = new AbortController();
  const within = { signal: AbortSignal.any([over.signal, signal]) };
  let [target, y] = [null, start.clientY];
  let timer = 0;

  const show = () => {
    target = targetAt(y, host, kind);
    if (target && moving.some((one) => one.contains(target.parent))) target = null;
    if (!target) return marker.remove();
    const [box, own] = [target.line.getBoundingClientRect(), host.getBoundingClientRect()];
    marker.style.setProperty("top", `${(target.after ? box.bottom : box.top) - own.top}px`);
    if (!marker.isConnected) host.append(marker);
  };
  const scroll = () => {
    const by = y < EDGE_PX ? -STEP_PX : y > innerHeight - EDGE_PX ? STEP_PX : 0;
    if (by) {
      scrollBy(0, by);
      show();
    }
    timer = requestAnimationFrame(scroll);
  };
  const end = () => {
    over.abort();
    cancelAnimationFrame(timer);
    marker.remove();
    host.classList.remove("dragging");
    for (const one of moving) one.classList.remove("dragged");
  };

  host.classList.add("dragging");
  for (const one of moving) one.classList.add("dragged");
  try {
    grip.setPointerCapture(start.pointerId);
  } catch {
    // The pointer is gone already.
  }
  addEventListener("pointermove", (event) => {
    y = event.clientY;
    show();
  }, within);
  addEventListener("pointerup", () => {
    const to = target;
    end();
    if (to) drop(ids, to.parent?.dataset.id || null, to.before?.dataset.id || null);
  }, within);
  addEventListener("pointercancel", end, within);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    end();
  }, within);
  timer = requestAnimationFrame(scroll);
}
