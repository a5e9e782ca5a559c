// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "Wo Ihre eigenen Systeme erfahren, was geschieht. Jede Nachricht ist unterschrieben und wird geschickt, bis sie ankommt.", none_title: "Noch kein Empfänger", none: "Statt immer wieder zu fragen, lassen Sie den Dienst Bescheid sagen: Adresse angeben, Ereignisse wählen.", new: "Neuer Empfänger", make: "Anlegen", url: "Empfänger", url_hint: "Eine https-Adresse, die der Dienst erreicht.", description: "Wofür er ist", events: "Ereignisse", health: "Befinden", arrived: "{count} von {of} angekommen", unused: "Noch nichts gesendet",
    on: "An", off: "Abgeschaltet", switch_on: "Einschalten", switch_off: "Abschalten", ping: "Test senden", pinged: "Der Empfänger sagt: {answer}", rotate: "Neues Geheimnis", rotate_title: "Neues Geheimnis ausstellen?", rotate_what: "24 Stunden lang tragen Nachrichten beide Unterschriften, damit beim Tausch nichts verloren geht.", secret: "Geheimnis für Unterschriften", secret_what: "Tragen Sie es jetzt beim Empfänger ein. Niemand kann es noch einmal zeigen.",
    deliveries: "Zustellungen", all: "Alle Zustellungen", event: "Ereignis", id: "Kennung", answer: "Empfänger sagte", attempts: "Versuche", next: "Nächster Versuch", payload: "Was gesendet wurde", redeliver: "Noch einmal", redelivered: "Noch einmal gesendet: {status}.", nothing_yet: "noch nichts", quiet_title: "Keine Zustellungen", quiet: "Senden Sie einen Test, oder warten Sie, bis etwas geschieht.",
  },
  delivery: { delivered: "Angekommen", pending: "Unterwegs", failed: "Fehlgeschlagen" },
};
