// Words of the page of members.
export default {
  members: {
    sessions: "Sessions", sessions_title: "Where {name} is signed in", sessions_what: "Of whoever belongs elsewhere as well this workspace hears nothing. Ending all shuts out every session that began before now, and those that your programs handed out; they sign in again and are in.", sessions_none: "No session that this workspace knows of.", sessions_end: "End", sessions_end_all: "End all", sessions_ended: "Every session of {name} has ended here.", session_ended: "Ended.",
    lede: "Who belongs here. What each does stands under their name in every history.", role: "Role", since: "Since", until: "Until", none_title: "Nobody yet", none: "Invite somebody.",
    invite: "Invite somebody", address_mailed: "They get a mail with a link to come in.", address_shown: "This service sends no mail: you are shown a link to hand on.",
    sent: "An invitation is on its way to {email}.", link_title: "The invitation of {name}", link_what: "Hand it on yourself: it lets in whoever opens it, once, as this member, for seven days. It is shown this once.",
    invited: "Invited, not here yet", invited_what: "A link works for seven days, once. Whoever is here by sessions of your own programs need not accept.", nobody_invited_title: "Nobody waits", nobody_invited: "Everybody who was invited is here.",
    state_not_sent: "No invitation sent", state_pending: "Waiting", state_expired: "Its time is over", state_accepted: "Accepted",
    mail_pending: "mail on its way", mail_sent: "mail sent", mail_failed: "mail did not arrive", mail_dropped: "not sent",
    send: "Send invitation", link: "Make a link", withdraw: "Withdraw",
    change_role: "Change role", role_title: "What {name} may do here", role_hint: "Owners and admins run the workspace; teachers see to courses, students and grades; students learn.", change: "Change", role_changed: "{name} is {role} now.",
    take_out: "Take out", take_out_title: "Take {name} out?", take_out_what: "They are out with their next click, and so are their sessions and the keys that were made for them here. What they did stays, and they can be brought back from the trash for a while.", taken_out: "{name} is out.",
    keys: "Keys", key: "Make a key", key_title: "A key for {name}", key_what: "What is done with it is done as {name}. They see it among their keys and may end it.",
    services: "Service accounts", service_what: "A program acts under its own name, and nobody else's. It never signs in; give it a key.", service_new: "New service account", service_make: "Make", service_made: "{name} is there. Make a key for it.", no_service_title: "No program yet", no_service: "Programs that act here under a name of their own are listed here.",
    every_role: "Every role", suspended: "Suspended", erased: "Erased", rename: "Change name", rename_title: "What {name} is called", rename_hint: "The name stands in every history, also of what was done before.", renamed: "It is {name} now.", happened: "What happened to them", acted: "What they did", export: "Export their data", erase: "Erase their data", more_for: "More for {name}", receipt: "Receipt",
    taken_out_all: "Members who were taken out",
  },
};
