// What was typed and the service does not have yet, in this browser's own storage: by platform, person, object and tab. It is
// written while somebody types, and removed once the service has it.
import { session } from "./api.js";

const PREFIX = "lyceum.draft";
const ASK_MS = 150;
// A page that is loaded anew is another tab: what the one before it left behind is nobody's, and is offered.
const tab = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function stored(action) {
  try {
    return action(localStorage);
  } catch {
    return null;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const myId = () => session.me.user?.id || session.me.id;

// The names of all that whoever is in has left here, on whatever platform.
export function unsavedDrafts() {
  const isMine = ([prefix, , person]) => prefix === PREFIX && person === myId();
  return stored((storage) => Object.keys(storage).filter((name) => isMine(name.split(":")))) || [];
}

export function forgetDrafts(names) {
  for (const name of names) stored((storage) => storage.removeItem(name));
}

// The drafts of one object of whoever is in. Who that is is asked now: when a session ends there is nobody to ask.
export function draftsOf(id) {
  const place = [PREFIX, session.platform.uuid, myId(), id].join(":");
  const mine = `${place}:${tab}`;
  return {
    // Whether the browser took it.
    keep: (draft) => stored((storage) => [storage.setItem(mine, JSON.stringify({ ...draft, at: Date.now() }))]) !== null,
    mine,
    drop: (name = mine) => stored((storage) => storage.removeItem(name)),
    // Those that no open tab is still at work on, the latest first.
    left(open) {
      const names = stored((storage) => Object.keys(storage).filter((name) => name.startsWith(`${place}:`))) || [];
      const others = names.filter((name) => !open.has(name.split(":").at(-1)));
      const found = others.map((name) => ({ name, ...parsed(stored((storage) => storage.getItem(name))) }));
      return found.filter((one) => one.fields).sort((one, other) => other.at - one.at);
    },
    any: () => stored((storage) => Object.keys(storage).some((name) => name.startsWith(`${place}:`))) || false,
  };
}

// The tabs of this browser on one object tell each other that they are there. `onOthers` hears of how many there are.
export function company(id, onOthers) {
  const others = new Set();
  const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(`${PREFIX}:${id}`) : null;
  const tell = (what) => channel?.postMessage({ what, tab });
  const leave = () => tell("gone");
  channel?.addEventListener("message", ({ data }) => {
    if (data.what === "gone") others.delete(data.tab);
    else others.add(data.tab);
    if (data.what === "here") tell("too");
    onOthers(others.size);
  });
  addEventListener("pagehide", leave);
  tell("here");
  return {
    // Who of them is at work on it, as far as they answer.
    open: async () => {
      await new Promise((resolve) => setTimeout(resolve, channel ? ASK_MS : 0));
      return others;
    },
    leave() {
      removeEventListener("pagehide", leave);
      leave();
      channel?.close();
    },
  };
}
