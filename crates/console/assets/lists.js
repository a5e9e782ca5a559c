// Lists and tables that come page by page.
import { get, nextFilled } from "./api.js";
import { acting, h, hidden, replace, say } from "./dom.js";
import { number } from "./format.js";
import { currentLanguage, t } from "./i18n.js";
import { complain } from "./router.js";

// Everything of a list, up to `most` pages: for what has to be seen as a whole.
export async function everything(path, query, signal, most = 5) {
  const data = [];
  let startingAfter;
  for (let page = 0; page < most; page += 1) {
    const answer = await get(path, { limit: 100, ...query, startingAfter }, signal);
    data.push(...answer.data);
    if (!answer.has_more) return { data, complete: true };
    startingAfter = answer.next_cursor;
  }
  return { data, complete: false };
}

// The service puts names in order by their letters' code points; where all of them are here, they go as readers of this language look them up.
function inOrder({ data, has_more: hasMore }, { sort } = {}, isFirst) {
  if (sort !== "name" || hasMore || !isFirst) return data;
  const name = (one) => one.name || one.user?.name || one.user?.email || one.email || "";
  return data.toSorted((one, other) => name(one).localeCompare(name(other), currentLanguage(), { numeric: true }));
}

// The first page, and a button for each further one. `add` takes what came and shows it, `told` hears how many there are by now.
async function paged({ path, query, signal, told }, add) {
  const more = h("div.more");
  let cursor;
  let count = 0;
  const load = async () => {
    const answer = await nextFilled(path, query, cursor, signal);
    add(inOrder(answer, query, count === 0 && !cursor));
    cursor = answer.next_cursor;
    count += answer.data.length;
    told?.({ count, hasMore: answer.has_more });
    replace(more, answer.has_more ? acting(t("more"), next, { look: "quiet" }) : null);
    return { count: answer.data.length, found: answer.data.length > 0 || answer.has_more };
  };
  const next = async () => {
    try {
      say(t("more_loaded", { count: number((await load()).count) }));
    } catch (error) {
      complain(error);
    }
  };
  const { found } = await load();
  return { more, found };
}

// Roles are said because a phone shows rows as blocks, and a block is no row to a browser.
function headRow(columns) {
  const cell = (column) =>
    h("th", { scope: "col", role: "columnheader", class: column.class || "" }, column.hiddenLabel ? hidden(column.label) : column.label);
  return h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(cell)));
}

function bodyRow(columns, item) {
  const cell = (column, at) => {
    const [tag, role] = at === 0 ? ["th", "rowheader"] : ["td", "cell"];
    return h(
      tag,
      { role, scope: at === 0 ? "row" : null, class: column.class || "", "data-label": column.hiddenLabel || at === 0 ? "" : column.label },
      column.cell(item),
    );
  };
  return h("tr", { role: "row" }, columns.map(cell));
}

// A table of what is there already. A column is {label, cell(item), class?}; the first one names the row.
export function table(caption, columns, items) {
  const body = h(
    "tbody",
    { role: "rowgroup" },
    items.map((item) => bodyRow(columns, item)),
  );
  const node = h("table.table", { role: "table" }, h("caption", hidden(caption)), headRow(columns), body);
  return {
    node,
    add: (more) => body.append(...more.map((item) => bodyRow(columns, item))),
    prepend: (item) => body.prepend(bodyRow(columns, item)),
  };
}

// A table of a list of the service, or what to do where there is nothing yet.
export async function pagedTable({ caption, columns, nothing, ...source }) {
  const built = table(caption, columns, []);
  const { more, found } = await paged(source, built.add);
  return found ? h("div.card.flush", built.node, more) : nothing;
}

// The same for what is no table.
export async function pagedList({ row, nothing, selector = "ul.list", ...source }) {
  const list = h(selector);
  const { more, found } = await paged(source, (items) => list.append(...items.map((item) => h("li", row(item)))));
  return found ? h("div", list, more) : nothing;
}
