// Signing in by one's organisation: which one it is hangs on what is behind the @ of the address.
import { ApiError, departBySso } from "./api.js";
import { acting, field, h, icon, replace } from "./dom.js";
import { has, t, useWords, word } from "./i18n.js";
import { explain } from "./router.js";

// Why somebody who came back is not let in; in a word of the service's, which stands in the address.
export async function refusal(reason) {
  await useWords("sso");
  return has(`sso_refusal.${reason}`) ? word("sso_refusal", reason) : t("sso.not_in");
}

export async function byOrganisation(place) {
  await useWords("sso");
  const address = h("input.field", { type: "email", autocomplete: "username", spellcheck: "false", dir: "ltr", required: true });
  const trouble = h("div", { role: "alert" });
  const leave = acting(
    t("sso.go"),
    async () => {
      try {
        replace(trouble);
        location.assign(await departBySso(address.value.trim(), place));
      } catch (error) {
        const isNone = error instanceof ApiError && error.status === 404;
        replace(trouble, h("p.trouble", icon("warn"), isNone ? t("sso.none_here") : explain(error)));
        address.focus();
      }
    },
    { look: "quiet" },
  );
  const onsubmit = (event) => {
    event.preventDefault();
    leave.click();
  };
  return h(
    "details",
    h("summary", t("sso.by_organisation")),
    h(
      "form.stack",
      { onsubmit },
      field(t("account.address"), address, t("sso.address_hint")),
      trouble,
      leave,
      h("button.unseen", { type: "submit", tabindex: "-1", "aria-hidden": "true" }),
    ),
  );
}
