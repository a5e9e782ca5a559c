// Words of what is done to API keys.
export default {
  apikey: {
    change: "Ändern", change_title: "„{name}“ ändern", keep: "Speichern", changed: "„{name}“ ist geändert.", keep_end: "wie bisher: {when}", at: "zu einem Zeitpunkt, den ich wähle", ends_at: "Er läuft ab", zone: "In der Zeitzone {zone}.", past: "Bitte einen Zeitpunkt wählen, der noch kommt.",
    from: "Von wo er benutzt werden darf", from_hint: "Adressen oder Netze wie 203.0.113.0/24, je Zeile eine. Leer gelassen gilt er von überall.", no_address: "„{address}“ ist keine Adresse und kein Anfang eines Netzes wie 203.0.113.0/24.", only_from: "Nur von", last_from: "von", made_by: "Gemacht von {name}",
    locks_out: "Sie sind mit diesem Schlüssel angemeldet. Ist er abgelaufen oder gilt er von hier nicht, öffnet sich hier nichts mehr.", over: "Er ist inzwischen abgelaufen oder widerrufen.",
    rotate: "Austauschen", rotate_title: "„{name}“ austauschen?", rotate_what: "Sie bekommen einen neuen Schlüssel mit demselben Namen, denselben Rechten, demselben Ende und denselben Adressen. Sitzungen, die der alte vergeben hat, enden mit ihm.",
    same_end: "Der neue läuft ab, wenn dieser abläuft: {when}. Ändern Sie das vorher oder nachher.", rotate_own: "Sie sind mit diesem Schlüssel angemeldet. Melden Sie sich mit dem neuen an, bevor dieser endet.",
    old: "Der alte gilt weiter", old_0: "gar nicht", old_3600: "eine Stunde", old_86400: "einen Tag", old_604800: "sieben Tage", old_always: "bis er widerrufen wird",
    of: "Schlüssel von {name}", of_what: "Was damit getan wird, tut {name}. Hier stehen die, die für dieses Mitglied gemacht wurden, und keine anderen.", none: "Für {name} hat noch niemand einen Schlüssel gemacht.",
  },
};
