// Queues that are no plain list of submissions: what is to be graded blind, and what was decided lately.
import { get } from "./api.js";
import { BLIND, current } from "./review_data.js";

const AT_ONCE = 20;

// One that is gone by now is no part of a queue.
const all = (ids, signal) => Promise.all(ids.map((id) => current(id, signal).catch(() => null)));

// What is to be graded blind has no list of its own: the calibration names it, or the certificate.
export async function loadBlind(queue) {
  const { kind, assignment, items, signal } = queue;
  queue.named ??= BLIND[kind].named(await get(`/v1/assignments/${assignment}/${BLIND[kind].page}`, {}, signal));
  const found = await all(queue.named.splice(0, AT_ONCE), signal);
  items.push(...found.filter((one) => one?.blind));
  queue.hasMore = queue.named.length > 0;
}

// Newest decision first: the events know the order, the submissions how they stand now.
export async function loadDecided(queue) {
  const { items, signal } = queue;
  const page = await get("/v1/events", { type: "submission.reviewed", limit: AT_ONCE, startingAfter: queue.cursor }, signal);
  const known = new Set(items.map((item) => item.id));
  const ids = [...new Set(page.data.map((event) => event.data.object.id))].filter((id) => !known.has(id));
  const found = await all(ids, signal);
  items.push(...found.filter((one) => one?.review_status === "done"));
  queue.cursor = page.next_cursor;
  queue.hasMore = page.has_more;
}
