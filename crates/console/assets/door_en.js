// Words of the door and of the account.
export default {
  entry: {
    passkey: "Sign in with a passkey", passkey_none: "No passkey was used. If this device has none for this service, come in another way and add one under your name.", passkey_unknown: "This passkey is not known here, or it took too long. Try again, or come in another way.",
    big: "AI proposes. You decide. Nothing is lost.",
    small: "The console speaks to the same API as your programs do. It sees what your key may see, and nothing else.", title: "Sign in",
    what: "With an API key of yours. It stays in this page's memory and is forgotten when you reload or close the page, unless you let this tab keep it.",
    key: "API key", key_hint: "Begins with lyc_k. The first start of the service prints one; make more under API keys.", open: "Open the console", stay: "Stay signed in in this tab, also after a reload",
    choose_what: "Your key opens several. You can change later.",
    nowhere: "This key is fine, but its owner is no member of any platform.", wrong: "No key like this. Is all of it there?",
    expired: "This key is past its end.", revoked: "This key was revoked.", over: "Your key no longer opens anything. Sign in with another one.",
    send_link: "Send me a link", link_sent: "If {address} is known here, a link is on its way. Open it in this browser, within a quarter of an hour.", link_hint: "You get a link that signs you in, in this browser, once.",
    link_over: "This link was used, or its time is over. Ask for another.", another_browser: "Open the link in the browser that you asked for it with.", by_link: "With a link that whoever runs the service gives you; it works once. On its machine it is printed by",
    invited: "You are invited to {name}", invited_what: "{who} would like to have you there. Anybody can give a workspace any name: look at its code, its uuid and who invites you.", invited_nobody: "You are invited", invited_as: "As", invited_until: "Until", join: "Accept and come in", join_hint: "You are signed in in this browser, as {email}.",
    known: "You are known here already, so this link alone does not let you in. Sign in in your own way; the invitation waits for your answer there.", to_sign_in: "Go on to signing in", invitation_over: "This invitation was used, taken back, or its time is over. Ask who invited you for another.",
  },
  account: {
    passkeys: "Passkeys", passkeys_what: "A passkey lets you in by a finger, a face or the code of your device. It never leaves it, and no page but this one can ask for it.", passkey_new: "Add a passkey", passkey_what: "Your device asks you to confirm. Call the passkey by what you find it with again.", passkey_name: "This device", passkey_given_up: "Nothing was added: it was called off, or took too long.", passkey_held: "This device has a passkey of yours already.", passkey_added: "Added. It lets you in from now on.", passkey_remove: "Remove", passkey_remove_title: "Remove the passkey {name}?", passkey_remove_what: "It lets nobody in any more. Delete it on the device as well. Where you are signed in by it you stay.", passkey_removed: "Removed.", passkey_unused: "not yet", passkey_none_title: "No passkey", passkey_none: "Add one, and sign in without a mail.",
    title: "Your account", address: "Address", here_with: "Here with", session: "a session in this browser", key: "the API key", sessions: "Where you are signed in", sessions_what: "A session ends when nobody uses it for half a day, and after a week in any case.", device: "Browser", this: "this one", way: "By", begun: "Since", end: "End", end_title: "End the session of {device}?", end_what: "Whoever sits there is signed out with their next click.", ended: "Ended.", end_others: "Sign out everywhere else", end_others_what: "Every other browser in which you are signed in is signed out. Keys go on.", none_title: "No session", none: "You are here with an API key, and signed in nowhere by a link.",
  },
  sign_in_way: { local_link: "a link of the service's machine", mail_link: "a link by mail", invitation: "an invitation", passkey: "a passkey", sso: "your organisation" },
};
