// Dialogs: a form to fill in, a question before something is done for good, a secret that is shown once.
import { acting, button, h, icon, replace, say } from "./dom.js";
import { t } from "./i18n.js";
import { explain } from "./router.js";

function open(title, body, actions) {
  const heading = h("h2", { id: "dialog-title", tabindex: "-1" }, title);
  const node = h("dialog.dialog", { "aria-labelledby": "dialog-title" }, heading, body, h("div.row.end", actions));
  const before = document.activeElement;
  node.addEventListener("close", () => {
    node.remove();
    if (before?.isConnected && before !== document.body) before.focus();
    // What was pressed is gone where the page was shown anew: its heading has the focus, unless something else has it by now.
    else if (document.activeElement === document.body) document.querySelector("#main h1")?.focus({ preventScroll: true });
  });
  document.body.append(node);
  node.showModal();
  return node;
}

// What was refused, where a control of the form has the name of it: `at` of who looked before asking, or what the service says.
function fieldOf({ at, fields }, form) {
  const name = at || Object.keys(fields || {})[0]?.split(/[.[]/)[0];
  return name ? form.querySelector(`[name="${CSS.escape(name)}"]`) : null;
}

// A form; what `submit` throws is shown in it, and what was typed stays. What it returns is done once the dialog is closed:
// before that nothing outside of it can take the focus.
export function formDialog(title, body, label, submit, look = "main") {
  const trouble = h("div", { role: "alert" });
  let refused = null;
  const run = async () => {
    try {
      replace(trouble);
      refused?.removeAttribute("aria-invalid");
      const then = await submit();
      node.close();
      if (typeof then === "function") then();
    } catch (error) {
      refused = fieldOf(error, form);
      refused?.setAttribute("aria-invalid", "true");
      // Where it is seen beside what has the focus, also in a form that is longer than the screen.
      const at = refused?.closest(".field-row");
      if (at) at.after(trouble);
      else form.lastElementChild.before(trouble);
      replace(trouble, h("p.trouble", icon("warn"), explain(error)));
      refused?.focus();
    }
  };
  const form = h(
    "form.stack",
    {
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        go.click();
      },
    },
    body,
    trouble,
    h("button.unseen", { type: "submit", tabindex: "-1", "aria-hidden": "true" }),
  );
  const go = acting(label, run, { look });
  const node = open(title, form, [button(t("cancel"), () => node.close(), { look: "quiet" }), go]);
  node.querySelector("input, textarea, select")?.focus();
  return node;
}

export function confirmDialog(title, text, label, action, look = "danger") {
  return formDialog(title, h("p", text), label, action, look);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(t("copied"));
  } catch {
    say(t("copy_failed"), "bad");
  }
}

// Nobody can read it again: it stands in this dialog and nowhere else.
export function secretDialog(title, text, secret) {
  const output = h("input.field.mono", {
    readonly: true,
    value: secret,
    dir: "ltr",
    "aria-label": title,
    onfocus: (event) => event.target.select(),
  });
  const body = h(
    "div.stack",
    h("p", text),
    h(
      "div.secret",
      output,
      button(t("copy"), () => copy(secret), { icon: "copy" }),
    ),
  );
  const node = open(title, body, [
    button(
      t("secret_kept"),
      () => {
        output.value = "";
        node.close();
      },
      { look: "main" },
    ),
  ]);
  output.focus();
}

export function infoDialog(title, body) {
  const node = open(title, body, [button(t("close"), () => node.close(), { look: "main" })]);
  node.querySelector("h2").focus();
  return node;
}
