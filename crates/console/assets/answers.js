// Answers that are known by their ids: whose each is, when it came, and the way to it.
import { get } from "./api.js";
import { acting, h, link, own, replace } from "./dom.js";
import { when } from "./format.js";
import { t } from "./i18n.js";
import { complain } from "./router.js";

const AT_ONCE = 20;

// What is gone by now is no part of the list.
async function read(id, signal) {
  try {
    return await get(`/v1/submissions/${id}`, { expand: "user" }, signal);
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

// A list of links, twenty at first; `href` says where one leads to.
export async function answerList(ids, href, signal) {
  const list = h("ul.list");
  const more = h("div.more");
  const row = ({ id, user, submitted_at: at }) =>
    h("li.row.spread", link(href(id), own("span", user?.name || user?.email || t("student"))), h("span.hint", when(at)));
  let next = 0;
  const load = async () => {
    const found = await Promise.all(ids.slice(next, next + AT_ONCE).map((id) => read(id, signal)));
    next += AT_ONCE;
    list.append(...found.filter(Boolean).map(row));
    replace(more, next < ids.length && acting(t("more"), () => load().catch(complain), { look: "quiet" }));
  };
  await load();
  return h("div", list, more);
}
