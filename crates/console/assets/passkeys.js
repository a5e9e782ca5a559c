// Passkeys: what the service asks goes to the device of whoever sits there, and what that answers goes back.
import { beginSession, post, startOver } from "./api.js";

// Whether this browser has any to do with passkeys.
export const canPasskeys = () => Boolean(window.PublicKeyCredential && navigator.credentials);

function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}

function text(buffer) {
  const all = Array.from(new Uint8Array(buffer), (one) => String.fromCharCode(one)).join("");
  return btoa(all).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const known = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));

function question({ publicKey: asked }) {
  const put = { ...asked, challenge: bytes(asked.challenge) };
  if (asked.user) put.user = { ...asked.user, id: bytes(asked.user.id) };
  if (asked.allowCredentials) put.allowCredentials = known(asked.allowCredentials);
  if (asked.excludeCredentials) put.excludeCredentials = known(asked.excludeCredentials);
  return { publicKey: put };
}

function answer(credential) {
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const said = Object.fromEntries(parts.filter((part) => response[part]).map((part) => [part, text(response[part])]));
  if (response.getTransports) said.transports = response.getTransports();
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, clientExtensionResults: credential.getClientExtensionResults(), response: said };
}

// Whoever changed their mind, or has none here.
export const wasGivenUp = (error) => ["NotAllowedError", "AbortError"].includes(error.name);
export const isHeldAlready = (error) => error.name === "InvalidStateError";

export async function signInByPasskey() {
  startOver();
  const asked = await post("/v1/sign_in/passkey/begin");
  const credential = answer(await navigator.credentials.get(question(asked.options)));
  return beginSession("/v1/sign_in/passkey", { credential });
}

export async function addPasskey(name) {
  const asked = await post("/v1/passkeys/begin");
  const credential = answer(await navigator.credentials.create(question(asked.options)));
  return post("/v1/passkeys", { name, credential });
}
