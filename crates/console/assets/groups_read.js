// The answers of a group, read as far as they are shown.
import { get } from "./api.js";
import { acting, h, own, replace } from "./dom.js";
import { t } from "./i18n.js";
import { complain } from "./router.js";

// As many as are given a judgement at once.
export const MEMBERS_AT_ONCE = 50;
const READ_AT_ONCE = 10;

// What is gone by now is null.
export async function readOne(id, signal) {
  try {
    return await get(`/v1/submissions/${id}`, { expand: "user" }, signal);
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

// A few at a time, in their order.
export async function readEach(ids, signal) {
  const found = [];
  for (let at = 0; at < ids.length; at += READ_AT_ONCE)
    found.push(...(await Promise.all(ids.slice(at, at + READ_AT_ONCE).map((id) => readOne(id, signal)))));
  return found;
}

// A list that is read as far as it is shown; `row` makes an entry of what was read and of what it was read for.
export async function readList(all, atOnce, row, signal) {
  const list = h("ol.answers");
  const more = h("div.more");
  let next = 0;
  const load = async () => {
    const part = all.slice(next, next + atOnce);
    const found = await readEach(part.map(({ id }) => id), signal);
    next += part.length;
    list.append(...part.map((one, at) => h("li.answer", found[at] ? row(found[at], one) : h("p.quiet", t("groups.gone")))));
    replace(more, next < all.length && acting(t("more"), () => load().catch(complain), { look: "quiet" }));
  };
  await load();
  return h("div", list, more);
}

export function nameOf({ user }) {
  return own("span", user?.name || user?.email || t("student"));
}

export function textOf({ content }) {
  return content.text || "";
}
