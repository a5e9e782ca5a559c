// Grading blind on the desk: what AI says is hidden, or shown all the same.
import { ApiError } from "./api.js";
import { say } from "./dom.js";
import { confirmDialog } from "./dialogs.js";
import { t } from "./i18n.js";
import { hideAi, showAi } from "./review_data.js";
import { complain } from "./router.js";

// The same submission with what AI says, or without.
async function turn(desk, action, said) {
  const now = await action().catch((error) => {
    throw error.status === 409 ? new ApiError(409, { message: t("blind.over") }) : error;
  });
  desk.queue.put(now);
  return () => {
    if (said) say(said);
    desk.open(now.id, { focus: true });
  };
}

export function reveal(desk) {
  const { current } = desk;
  confirmDialog(t("blind.show_title"), t("blind.show_what"), t("blind.show"), () => turn(desk, () => showAi(current)));
}

// What lies open on the desk may have been read: that nobody can take back.
export function hide(desk) {
  const { current } = desk;
  const go = () => turn(desk, () => hideAi(current), t("blind.taken"));
  if (current.score === null) return go().then((then) => then(), complain);
  confirmDialog(t("blind.take_title"), t("blind.take_what"), t("blind.take"), go, "main");
}
