// What a person may ask for: all that is kept of them as a file, and that it be erased. Of the latter there is a receipt, which is a page.
import { ApiError, get, post } from "./api.js";
import { saveFile, fileNameOf } from "./csv.js";
import { formDialog } from "./dialogs.js";
import { button, code, empty, facts, field, h, link, say } from "./dom.js";
import { isErased, receiptOf } from "./erased.js";
import { exactly, number } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { table } from "./lists.js";
import { go } from "./router.js";

const idOf = (one) => one.user_id || one.id;
const called = (one) => one.name || one.email;
const save = (name, what) => saveFile(`${name}.json`, `${JSON.stringify(what, null, 2)}\n`, "application/json");

export async function exportOf(one) {
  await useWords("erasure");
  const body = h("p", t("erasure.export_what"));
  formDialog(t("erasure.export_title", { name: called(one) }), body, t("erasure.export_save"), async () => {
    const found = await post(`/v1/users/${idOf(one)}/export`);
    save(fileNameOf(`person ${called(one)}`), found);
    const count = Object.values(found.tables).reduce((sum, rows) => sum + rows, 0);
    return () => say(t("erasure.exported", { count: number(count) }));
  });
}

// As it is read, however many spaces there are between the words.
const asRead = (text) => text.normalize("NFC").replace(/\s+/g, " ").trim();

function isMeant(typed, one) {
  const said = asRead(typed);
  return said !== "" && (said === asRead(one.name || "") || (one.kind !== "service" && said.toLowerCase() === one.email.toLowerCase()));
}

const points = (title, keys) => h("div.stack.tight", h("h3", t(title)), h("ul.plain", keys.map((key) => h("li", t(key)))));

// Nothing is sent before it was said who is meant.
export async function erase(one) {
  await useWords("erasure");
  const typed = h("input.field", { dir: "auto", autocomplete: "off", spellcheck: "false", oninput: () => typed.removeAttribute("aria-invalid") });
  const hint = one.name && one.kind !== "service" ? t("erasure.type_either", { name: one.name, email: one.email }) : called(one);
  const body = h(
    "div.stack",
    h("p", h("strong", t("erasure.for_good"))),
    points("erasure.goes", ["erasure.goes_who", "erasure.goes_work", "erasure.goes_ways", "erasure.goes_trash"]),
    points("erasure.stays", ["erasure.stays_points", "erasure.stays_audit", "erasure.stays_elsewhere", "erasure.stays_copies"]),
    h("p.hint", t("erasure.export_first")),
    field(t("erasure.type"), typed, hint),
  );
  formDialog(t("erasure.title", { name: called(one) }), body, t("erasure.erase"), async () => {
    if (!isMeant(typed.value, one)) {
      typed.setAttribute("aria-invalid", "true");
      typed.focus();
      throw new ApiError(0, { message: t("erasure.mismatch") });
    }
    await post(`/v1/users/${idOf(one)}/erase`, { confirm: idOf(one) });
    return () => go(receiptOf(idOf(one)));
  }, "danger");
}

function tableOf(receipt) {
  const columns = [
    { label: t("erasure.what"), cell: (one) => word("erased_table", one.table) },
    { label: t("erasure.gone"), class: "num", cell: (one) => number(one.erased) },
    { label: t("erasure.kept"), class: "num", cell: (one) => number(one.kept) },
    // In the words of the service, as the file has them.
    { label: t("erasure.why"), cell: (one) => h("span", { lang: "en", dir: "ltr" }, one.why) },
  ];
  return h("div.card.flush", table(t("erasure.receipt"), columns, receipt.tables).node);
}

// Asked for a second time an erasure gives its receipt and does nothing. So whoever is still there is not asked about at all.
export async function erasure({ params, signal }) {
  const [person] = await Promise.all([get(`/v1/users/${params.id}`, {}, signal), useWords("erasure")]);
  const page = { title: t("erasure.receipt"), above: link("#/members", t("nav.members")) };
  if (!isErased(person)) return { ...page, body: [empty(t("erasure.not_title"), t("erasure.not"))] };
  const receipt = await post(`/v1/users/${params.id}/erase`, { confirm: params.id });
  const pairs = [
    [t("erasure.now"), code(person.name)],
    [t("erasure.at"), exactly(receipt.created_at)],
    [t("erasure.id"), code(receipt.id)],
    [t("erasure.person"), code(receipt.user_id)],
  ];
  return {
    ...page,
    actions: [
      button(t("erasure.save"), () => save(`erasure-${receipt.user_id}`, receipt), { look: "quiet" }),
      button(t("erasure.print"), () => print(), { look: "quiet" }),
    ],
    body: [h("p.lede", t("erasure.done")), facts(pairs), tableOf(receipt)],
  };
}
