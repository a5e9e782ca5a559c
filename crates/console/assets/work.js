// Background work: what the service does by itself for this workspace, what failed of it, and how the node is.
import { acting, h, say } from "./dom.js";
import { t, useWords } from "./i18n.js";
import { complain } from "./router.js";
import { Failed } from "./work_failed.js";
import { Health } from "./work_health.js";
import { Now } from "./work_now.js";

const EVERY_MS = 5000;

// While the page is looked at, and for as long as something is under way; and at once when somebody comes back to it.
function keepLooking(now, failed, health, signal) {
  let isAsking = false;
  const look = async () => {
    if (isAsking || document.hidden) return;
    isAsking = true;
    try {
      await Promise.all([now.refresh(), health.look(), failed.follow()]);
    } catch (error) {
      complain(error);
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => (now.isBusy || failed.isBusy) && look(), EVERY_MS);
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

export async function work({ signal }) {
  await useWords("work");
  const [now, failed, health] = [new Now(signal), new Failed(signal), new Health(signal)];
  const all = () => Promise.all([now.refresh(), failed.load(), health.refresh()]);
  const again = () => all().then((read) => read.every(Boolean) && say(t("work.looked")), complain);
  await Promise.all([now.refresh(), health.refresh()]);
  return {
    title: t("nav.work"),
    actions: [acting(t("work.look"), again, { look: "quiet", icon: "again" })],
    body: [h("p.lede", t("work.lede")), now.node, failed.node, health.node],
    after: () => {
      failed.load().catch(complain);
      keepLooking(now, failed, health, signal);
    },
  };
}
