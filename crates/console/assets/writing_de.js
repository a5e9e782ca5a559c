// Wörter der Wege zu den Editoren.
export default {
  writing: {
    draft: "Aktivitäten mit KI entwerfen",
    edit: "Bearbeiten", add: "Aktivität hinzufügen", add_title: "Eine neue Aktivität", kind: "Art", name: "Name", add_now: "Hinzufügen", add_hint: "Geschrieben wird sie auf der nächsten Seite.",
  },
};
