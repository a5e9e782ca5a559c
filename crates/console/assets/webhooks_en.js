// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "Where your own systems hear of what happens. Every message is signed, and sent again until it arrives.", none_title: "No endpoint yet",
    none: "Instead of asking again and again, let the service tell your system: give it an address and choose the events.", new: "New endpoint",
    make: "Make it", url: "Endpoint", url_hint: "An https address that the service can reach.", description: "What it is for", events: "Events",
    health: "Health", arrived: "{count} of {of} arrived", unused: "Nothing sent yet", on: "On", off: "Switched off", switch_on: "Switch on",
    switch_off: "Switch off", ping: "Send a test", pinged: "The receiver answered: {answer}", rotate: "New secret", rotate_title: "Give it a new secret?",
    rotate_what: "For 24 hours messages carry both signatures, so nothing is lost while you exchange it.", secret: "Signing secret",
    secret_what: "Put it into your receiver now. Nobody can show it again.", deliveries: "Deliveries", all: "All deliveries", event: "Event", id: "Id",
    answer: "Receiver said", attempts: "Attempts", next: "Next try", payload: "What was sent", redeliver: "Send again",
    redelivered: "Sent again: {status}.", nothing_yet: "nothing yet", quiet_title: "No deliveries",
    quiet: "Send a test, or wait until something happens that the endpoint listens to.",
  },
  delivery: {
    delivered: "Arrived", pending: "On its way", failed: "Failed",
  },
};
