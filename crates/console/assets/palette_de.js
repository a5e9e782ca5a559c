// Words of the palette alone.
export default {
  palette: {
    title: "Gehen zu, oder tun", input: "Eine Seite, ein Kurs, eine Lektion, eine Gruppe, eine Person, oder was zu tun ist", hint: "↑ ↓ wählen, Enter geht hin, Esc schließt",
    results: "Gefundenes", recent: "Zuletzt", actions: "Auf dieser Seite", pages: "Seiten", courses: "Kurse", lessons: "Lektionen", cohorts: "Gruppen", people: "Personen",
    account: "Ihr Konto", trash: "Was gelöscht wurde", count: "Gefunden: {count}", looking: "Sucht …", nothing: "Nichts gefunden zu „{q}“.",
  },
};
