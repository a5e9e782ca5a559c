// Where one is wanted: a workspace may hold a record of anybody, and becomes a place of theirs when they say so.
import { get, post, refresh, session } from "./api.js";
import { acting, code, h, own, say, section } from "./dom.js";
import { t, word } from "./i18n.js";
import { complain } from "./router.js";

const ANSWERS = ["write:invitations", "write:*"];

// Whoever may answer may also read; it is asked of the key alone, because no platform has a say in it. What opens one platform alone
// answers for nobody.
function mayAnswer() {
  return !session.me.key.workspace_id && session.me.scopes.some((scope) => ANSWERS.includes(scope));
}

function invitation(one, answered) {
  const { name } = one.platform;
  const answer = (what, label, said, options) =>
    acting(
      label,
      async () => {
        try {
          await post(`/v1/invitations/${one.id}/${what}`);
          await refresh();
          say(said);
          await answered();
        } catch (error) {
          complain(error);
        }
      },
      options,
    );
  return h(
    "div.invitation",
    h(
      "div.stack.tight",
      own("strong", name),
      // Anybody can call a workspace anything; these two nobody else has.
      h("span.quiet", one.platform.code && [code(one.platform.code), " "], code(one.platform.uuid)),
      h("span.quiet", word("role", one.role), one.invited_by && [" · ", own("span", one.invited_by.email)]),
    ),
    h(
      "div.row",
      answer("accept", t("invitations.accept"), t("invitations.said_accept", { name }), { look: "main", class: "small" }),
      answer("decline", t("invitations.decline"), t("invitations.said_decline", { name }), { look: "quiet", class: "small" }),
    ),
  );
}

// The invitations that wait for an answer, or nothing.
export async function invitations(answered, signal) {
  if (!mayAnswer()) return null;
  const waiting = await get("/v1/invitations", { limit: 20 }, signal).catch(() => null);
  if (!waiting?.data.length) return null;
  return section(
    t("invitations.title"),
    h("p.quiet", t("invitations.what")),
    h(
      "ul.list",
      waiting.data.map((one) => h("li", invitation(one, answered))),
    ),
  );
}
