// Plays a lesson or an activity with the player that learners have in packages, as the service has it: what is not saved yet is saved
// first. The page in the frame is the service's own; it reports nothing and keeps nothing.
import { post } from "./api.js";
import { h, icon, say } from "./dom.js";
import { infoDialog } from "./dialogs.js";
import { currentLanguage, t, useWords } from "./i18n.js";
import { explain } from "./router.js";

// At this page's own origin, which is the one that its policy lets it frame.
function here(address) {
  const { pathname, search } = new URL(address, location.href);
  return `${pathname}${search}#${currentLanguage()}`;
}

async function saved(saver, wasSaved) {
  if (saver.state !== "saved") await saver.save();
  if (wasSaved && saver.state === "saved") return null;
  return saver.state === "saved" ? h("p.notice", t("try.saved_first")) : h("p.notice.bad", icon("warn"), t("try.not_saved"));
}

export async function tryIt(path, saver, wasSaved) {
  try {
    const [said] = await Promise.all([saved(saver, wasSaved), useWords("try")]);
    const { url } = await post(`${path}/preview`);
    const at = here(url);
    const frame = h("iframe.tried-frame", { src: at, title: t("try.frame"), allow: "autoplay; fullscreen", referrerpolicy: "no-referrer" });
    const apart = h("a", { href: at, target: "_blank", rel: "noopener" }, icon("out"), " ", t("try.apart"));
    const node = infoDialog(t("try.title"), h("div.tried-it", said, h("p.hint", t("try.what"), " ", apart), frame));
    node.classList.add("try-dialog");
  } catch (error) {
    say(explain(error), "bad");
  }
}
