// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "Where your own systems hear of what happens. Every message is signed, and sent again until it arrives.", none_title: "No endpoint yet",
    none: "Instead of asking again and again, let the service tell your system: give it an address and choose the events.", new: "New endpoint",
    make: "Make it", url: "Endpoint", url_hint: "An https address that the service can reach.", description: "What it is for", events: "Events",
    health: "Health", arrived: "{count} of {of} arrived", unused: "Nothing sent yet", on: "On", off: "Switched off", switch_on: "Switch on",
    switch_off: "Switch off", ping: "Send a test", pinged: "The receiver answered: {answer}", rotate: "New secret", rotate_title: "Give it a new secret?",
    rotate_what: "For 24 hours messages carry both signatures, so nothing is lost while you exchange it.", secret: "Signing secret",
    secret_what: "Put it into your receiver now. Nobody can show it again.", deliveries: "Deliveries", all_events: "All events", all: "All deliveries", event: "Event", id: "Id",
    answer: "Receiver said", headers: "Headers of the answer", attempts: "Attempts", next: "Next try", payload: "What was sent", redeliver: "Send again",
    redelivered: "Sent again: {status}.", nothing_yet: "nothing yet", quiet_title: "No deliveries",
    quiet: "Send a test, or wait until something happens that the endpoint listens to.",
    change: "Change", change_title: "Change “{name}”", keep: "Save", changed: "The endpoint is changed.", url_moves: "An https address that the service can reach. What waits goes to the new one.", no_address: "Give it an address that begins with https://.",
    hears_all: "Every event, also kinds that come later", hears_chosen: "Only what I choose", family: "All of “{name}”, also kinds that come later", all_of_it: "all", some_of: "{count} of {of}",
    none_chosen: "Choose at least one event.", no_types: "Your key may not read which other kinds there are.", overtaken: "Somebody has changed it meanwhile. There now: {address}; events: {events}. Save again to put yours over it.",
    delete: "Delete", delete_title: "Delete “{name}”?", delete_what: "It hears of nothing any more. Its secret and the list of what was sent to it go with it, and nobody can bring them back.",
    lost: "Messages on their way that would be lost: {count}.", lost_more: "Messages on their way that would be lost: more than {count}.", deleted: "“{name}” is deleted.",
    recover: "Send again what was missed", recover_what: "What failed, what waits, and what happened while it was off or not there yet. What has arrived is not sent again.", since: "Since", since_hint: "At most 30 days ago, in the time zone {zone}.", since_wrong: "Choose a moment of the last 30 days.",
    recover_go: "Send again", recover_off: "Switch it on to send again what it missed.", recovered: "Sent again: {count}.", recovering: "What was missed since {since}",
    recovery_running: "Being sent again", recovery_done: "All is sent again", recovery_stopped: "Stopped", recovery_failed: "Not all is sent again", sent_so_far: "Sent again so far: {count}.", stop: "Stop", go_on: "Go on",
  },
  delivery: {
    delivered: "Arrived", pending: "On its way", failed: "Failed",
  },
};
