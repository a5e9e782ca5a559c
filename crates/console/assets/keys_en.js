// Words of what is done to API keys.
export default {
  apikey: {
    change: "Change", change_title: "Change “{name}”", keep: "Save", changed: "“{name}” is changed.", keep_end: "as it is: {when}", at: "at a moment that I choose", ends_at: "It ends", zone: "In the time zone {zone}.", past: "Choose a moment that is still to come.",
    from: "Where it may be used from", from_hint: "Addresses, or networks such as 203.0.113.0/24, one on each line. Left empty it works from anywhere.", no_address: "“{address}” is no address, and not how a network begins, as 203.0.113.0/24 is.", only_from: "Only from", last_from: "from", made_by: "Made by {name}",
    locks_out: "You are signed in with this key. Once it has ended, or where it may not be used from here, nothing opens here any more.", over: "It has ended meanwhile, or was revoked.",
    rotate: "Rotate", rotate_title: "Rotate “{name}”?", rotate_what: "You get a new key with the same name, scopes, end and addresses. Sessions that the old one handed out end with it.",
    same_end: "The new one ends when this one does: {when}. Change that first, or afterwards.", rotate_own: "You are signed in with this key. Sign in with the new one before this one stops.",
    old: "The old one goes on working", old_0: "not at all", old_3600: "for an hour", old_86400: "for a day", old_604800: "for seven days", old_always: "until it is revoked",
    of: "Keys of {name}", of_what: "What is done with them is done as {name}. Here are those that were made for this member, and no others.", none: "Nobody has made a key for {name} yet.",
  },
};
