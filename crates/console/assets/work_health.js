// How the node that answers is, what to do where it is not well, and what the workspace takes up.
import { can, get, session } from "./api.js";
import { acting, facts, h, link, replace, section, tag } from "./dom.js";
import { bytes, exactly, percent } from "./format.js";
import { has, t } from "./i18n.js";
import { complain } from "./router.js";

const TONES = { ready: "good", degraded: "wait", not_ready: "bad", unreachable: "bad" };
const HANDBOOK = "/docs/guides/operations";
// Where the handbook says what to do.
const PLACES = {
  disk_almost_full: "when-the-disk-is-full",
  database_damaged: "when-a-disk-loses-a-byte",
  not_ready: "a-node-is-down",
  unreachable: "a-node-is-down",
};

async function asked(signal) {
  try {
    return await get("/readyz", {}, signal);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return { status: error.status ? "not_ready" : "unreachable" };
  }
}

export function handbook(place) {
  const href = place ? `${HANDBOOK}#${place}` : HANDBOOK;
  return h("a", { href, target: "_blank", rel: "noopener" }, t("work.what_to_do"));
}

function stateOf({ status, reason }) {
  const name = reason || status;
  const words = has(`work.health_${name}`) ? t(`work.health_${name}`) : `${t("work.health_other")} ${name}`;
  const told = has(`work.node_${status}`) ? t(`work.node_${status}`) : status;
  return [h("p.row", tag(told, TONES[status]), h("span", words)), status !== "ready" && h("p", handbook(PLACES[name]))];
}

function storageOf({ usage, quotas }) {
  if (!usage.measured_at) return h("p.quiet", t("work.unmeasured"));
  const [used, most] = [usage.storage_bytes, quotas.storage_bytes];
  const share = most > 0 ? (100 * used) / most : 100;
  const said = most === null ? t("work.storage_free", { used: bytes(used) }) : t("work.storage_of", { used: bytes(used), most: bytes(most), share: percent(share) });
  return h(
    "div.stack.tight",
    h("p", said),
    most === null ? null : h("progress", { max: 100, value: Math.min(share, 100), "aria-label": t("work.storage") }),
    h("p.hint", t("work.measured", { when: exactly(usage.measured_at) })),
  );
}

// The description of the API says it, which is long: it comes for whoever asks.
function version(signal) {
  const place = h("span", { role: "status" });
  const read = async () => {
    try {
      const { info } = await get("/v1/openapi.json", {}, signal);
      replace(place, h("bdi", info.version));
    } catch (error) {
      complain(error);
    }
  };
  return h("span.row", acting(t("work.show_version"), read, { look: "quiet", class: "small" }), place);
}

export class Health {
  constructor(signal) {
    this.signal = signal;
    this.state = h("div.stack.tight", { role: "status" });
    this.storage = h("div");
    const about = h("div.card.stack", h("h3", t("work.node")), this.state, facts([[t("work.version"), version(signal)]]));
    const usage = h("p", link("#/usage", t("work.to_usage")));
    const takes = h("div.card.stack", h("h3", t("work.storage")), this.storage, usage);
    this.node = section(t("work.health"), h("div.two.even", about, takes));
  }

  async refresh() {
    try {
      await Promise.all([this.look(), this.measure()]);
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  }

  // What is said anew is another thing than before, or nothing is said.
  async look() {
    const fresh = replace(h("div"), stateOf(await asked(this.signal)));
    if (fresh.textContent !== this.state.textContent) replace(this.state, [...fresh.childNodes]);
  }

  async measure() {
    if (!can("read:workspaces")) return;
    replace(this.storage, storageOf(await get(`/v1/workspaces/${session.platform.workspace_id}`, {}, this.signal)));
  }
}
