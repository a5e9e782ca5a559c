// An invitation that somebody opens: to where, as what, by whom; they are in when they accept.
import { acceptInvitation, lookAtInvitation } from "./api.js";
import { acting, button, code, facts, h, icon, own, replace } from "./dom.js";
import { exactly } from "./format.js";
import { t, useWords, word } from "./i18n.js";
import { explain } from "./router.js";
import { frame } from "./sign_in.js";

// Calls `into` when somebody is in, and `instead` where they have to sign in, with what is to be said to them.
export async function invitationPage(root, token, into, instead) {
  await useWords("door");
  let invited;
  try {
    invited = await lookAtInvitation(token);
  } catch (error) {
    return instead(error.status === 401 ? "entry.invitation_over" : "error.title");
  }
  show(root, token, invited, { into, instead });
}

function show(root, token, invited, roads) {
  const { platform, invited_by: by } = invited;
  const heading = h("h1", { tabindex: "-1", dir: "auto" }, t("entry.invited", { name: platform.name }));
  const body = h(
    "div.stack",
    heading,
    h("p.quiet", { dir: "auto" }, by ? t("entry.invited_what", { who: by.name ? `${by.name} (${by.email})` : by.email }) : t("entry.invited_nobody")),
    facts([
      [t("nav.overview"), h("span.row", own("span", platform.name), platform.code && code(platform.code), code(platform.uuid))],
      [t("entry.invited_as"), word("role", invited.role)],
      [t("entry.invited_until"), exactly(invited.expires_at)],
    ]),
    invited.lets_in ? joining(token, invited, roads.into) : signingIn(roads.instead),
  );
  const again = async () => {
    await useWords("door");
    show(root, token, invited, roads);
  };
  replace(root, frame([body], again));
  document.title = `${t("entry.invited_nobody")} · Lyceum`;
  heading.focus();
}

function joining(token, invited, into) {
  const trouble = h("div", { role: "alert" });
  const join = async () => {
    try {
      await acceptInvitation(token);
      into();
    } catch (error) {
      replace(trouble, h("p.trouble", icon("warn"), error.status === 401 ? t("entry.invitation_over") : explain(error)));
    }
  };
  return [h("p.hint", t("entry.join_hint", { email: invited.email })), trouble, acting(t("entry.join"), join, { look: "main" })];
}

function signingIn(instead) {
  return [h("p", t("entry.known")), button(t("entry.to_sign_in"), () => instead(), { look: "main" })];
}
