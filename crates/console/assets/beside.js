// AI beside what is being written: asked here, shown here, and put into the place of what is there only when somebody accepts it.
import { get, post } from "./api.js";
import { acting, button, h, icon, replace, say } from "./dom.js";
import { briefFields } from "./drafting.js";
import { generationPanel } from "./generation.js";
import { t, useWords, word } from "./i18n.js";
import { everything } from "./lists.js";
import { pieceOf } from "./proposal.js";
import { complain, explain, show } from "./router.js";
import { sheet } from "./sheets.js";

// Opens in `place`. `path` is where it is asked for, `save` saves what was typed: what is proposed is held against that.
export async function beside(place, { path, save, signal }) {
  await Promise.all([...["proposals", "making", "versions", "activity"].map(useWords), ...["versions.css", "proposals.css"].map(sheet)]);
  const node = h("section.card.ask-beside", { "aria-label": t("proposals.open"), tabindex: "-1" });
  const close = () => replace(place);
  const titled = (...inside) =>
    replace(node, h("div.row.spread", h("h2", t("proposals.open")), button(t("close"), close, { look: "quiet", class: "small", icon: "close" })), inside);
  const form = () => {
    const asked = briefFields();
    const trouble = h("div", { role: "alert" });
    const start = async () => {
      try {
        await save();
        running(await post(path, asked.read()));
      } catch (error) {
        replace(trouble, h("p.trouble", icon("warn"), explain(error)));
      }
    };
    titled(h("div.stack", h("p.hint", t("proposals.nothing_changes")), asked.nodes, trouble, h("div.row", acting(t("making.start"), start, { look: "main", icon: "spark" }))));
    node.querySelector("textarea").focus();
  };
  const again = () => h("div.row", button(t("proposals.ask_again"), form, { icon: "again" }));
  const over = ({ status, error }) => {
    titled(h("div.stack", h("h3", word("generation", status)), h("p", { dir: "auto" }, error ? error.message : t("making.canceled")), again()));
    node.focus();
  };
  const running = (generation) => {
    titled(generationPanel(generation, signal, (now) => ready(now).catch(complain), over));
    node.focus();
  };
  const ready = async ({ id }) => {
    const { data } = await everything(`/v1/generations/${id}/pieces`, {}, signal);
    const piece = await get(`/v1/pieces/${data[0].id}`, {}, signal);
    await save();
    titled(shown(piece));
    node.focus();
    say(t("proposals.there_now"));
  };
  const shown = (piece) => {
    const decided = async (now, said) => {
      if (now.status === "accepted") await show();
      else titled(shown(await get(`/v1/pieces/${piece.id}`, {}, signal)), again());
      say(said);
    };
    return pieceOf(piece, { signal, decided });
  };
  replace(place, node);
  form();
}
