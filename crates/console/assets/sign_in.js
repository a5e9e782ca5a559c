// The door: a key, and where it leads to several platforms, which one.
import { ApiError, askForLink, session, signIn, signOut, waysIn } from "./api.js";
import { acting, button, code, field, h, icon, own, replace, toggle } from "./dom.js";
import { useWords, word, t } from "./i18n.js";
import { invitations } from "./invitations.js";
import { canPasskeys, signInByPasskey, wasGivenUp } from "./passkeys.js";
import { preferences } from "./preferences.js";
import { explain } from "./router.js";

function story() {
  return h("div.entry-story", h("p.brand", icon("courses"), "Lyceum"), h("p.big", t("entry.big")), h("p.small", t("entry.small")));
}

export function frame(content, again) {
  return [h("main.entry", { id: "main" }, story(), h("div.entry-form", content, preferences(again)))];
}

function failed(error) {
  if (error instanceof ApiError && error.status === 401)
    return t(error.code === "api_key_expired" ? "entry.expired" : error.code === "api_key_revoked" ? "entry.revoked" : "entry.wrong");
  return explain(error);
}

const organisation = () => import("./sso_door.js");

// A link by mail, where the service can send one. It works in this browser alone; whether somebody has the address is not said.
function byMail() {
  const address = h("input.field", { type: "email", autocomplete: "email", spellcheck: "false", dir: "ltr", required: true });
  const answer = h("div", { role: "status" });
  const ask = acting(
    t("entry.send_link"),
    async () => {
      try {
        await askForLink(address.value.trim());
        replace(answer, h("p.quiet", t("entry.link_sent", { address: address.value.trim() })));
      } catch (error) {
        replace(answer, h("p.trouble", icon("warn"), explain(error)));
      }
    },
    { look: "main" },
  );
  return h(
    "form.stack",
    {
      onsubmit: (event) => {
        event.preventDefault();
        ask.click();
      },
    },
    field(t("account.address"), address, t("entry.link_hint")),
    answer,
    ask,
    h("button.unseen", { type: "submit", tabindex: "-1", "aria-hidden": "true" }),
  );
}

// What somebody is told who came back from their organisation and is not in.
export async function refusal(reason) {
  return (await organisation()).refusal(reason);
}

// By what the device holds; it finds whoever sits there by itself.
function byPasskey(root, entered) {
  const trouble = h("div", { role: "alert" });
  const sign = async () => {
    try {
      replace(trouble);
      await signInByPasskey();
      if (session.platform) entered();
      else choosePlatform(root, entered);
    } catch (error) {
      if (wasGivenUp(error)) replace(trouble, h("p.hint", t("entry.passkey_none")));
      else replace(trouble, h("p.trouble", icon("warn"), error.code === "invalid_passkey" ? t("entry.passkey_unknown") : explain(error)));
    }
  };
  return h("div.stack", acting(t("entry.passkey"), sign, { look: "main", icon: "keys" }), trouble);
}

export async function signInPage(root, entered, said, place = "") {
  await useWords("door");
  const input = h("input.field.mono", {
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    dir: "ltr",
    required: true,
    autocapitalize: "none",
  });
  const stay = toggle(t("entry.stay"), false, () => {});
  const trouble = h("div", { role: "alert" }, said && h("p.trouble", icon("warn"), t(said)));
  const open = acting(
    t("entry.open"),
    async () => {
      try {
        replace(trouble);
        await signIn(input.value);
        if (stay.querySelector("input").checked) session.keep();
        input.value = "";
        if (session.platform) entered();
        else choosePlatform(root, entered);
      } catch (error) {
        replace(trouble, h("p.trouble", icon("warn"), failed(error)));
        input.focus();
      }
    },
    { look: "main" },
  );
  const form = h(
    "form.stack",
    {
      onsubmit: (event) => {
        event.preventDefault();
        open.click();
      },
    },
    field(t("entry.key"), input, t("entry.key_hint")),
    stay,
    trouble,
    open,
    h("button.unseen", { type: "submit", tabindex: "-1", "aria-hidden": "true" }),
  );
  const links = h("div.stack", h("p.quiet", t("entry.by_link"), " ", code("lyceum sign-in --email …")));
  const passkey = h("div");
  const other = h("div");
  waysIn().then(async (ways) => {
    if (ways.includes("mail_link")) replace(links, byMail());
    if (ways.includes("passkey") && canPasskeys()) replace(passkey, byPasskey(root, entered));
    if (ways.includes("sso")) replace(other, await (await organisation()).byOrganisation(place));
  });
  replace(
    root,
    frame(
      [
        h("div.stack", h("h1", { tabindex: "-1" }, t("entry.title")), passkey, links, other, h("p.quiet", t("entry.what")), form),
        h("p.hint", t("entry.for_programs"), " ", h("a", { href: "/docs" }, t("entry.reference"))),
      ],
      () => signInPage(root, entered),
    ),
  );
  document.title = `${t("entry.title")} · Lyceum`;
  input.focus();
}

export async function choosePlatform(root, entered) {
  await useWords("door");
  const { platforms, scopes } = session.me;
  const choice = (platform) =>
    button(
      "",
      () => {
        session.choose(platform);
        entered();
      },
      { class: "platform" },
    );
  const rows = platforms.map((platform) => {
    const node = choice(platform);
    replace(
      node,
      h("span.stack.tight", own("span", platform.name), h("span.quiet", platform.code && [code(platform.code), " "], code(platform.uuid))),
      h("span.quiet", word("role", platform.role)),
    );
    return node;
  });
  const heading = h("h1", { tabindex: "-1" }, t("choose_platform"));
  const body = platforms.length
    ? [h("p.quiet", t("entry.choose_what")), h("div.choices", rows)]
    : [
        h("p", t("entry.nowhere")),
        button(t("sign_out"), async () => {
          await signOut();
          signInPage(root, entered);
        }),
      ];
  const waiting = h("div");
  invitations(() => choosePlatform(root, entered)).then((shown) => shown && replace(waiting, shown));
  replace(
    root,
    frame(
      [
        h(
          "div.stack",
          heading,
          body,
          waiting,
          h(
            "p.hint",
            `${t("keys.scopes")}: `,
            scopes.map((scope) => [code(scope), " "]),
          ),
        ),
      ],
      () => choosePlatform(root, entered),
    ),
  );
  heading.focus();
}
