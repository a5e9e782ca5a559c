// Mots des chemins vers les éditeurs.
export default {
  writing: {
    draft: "Rédiger des activités avec l’IA",
    edit: "Modifier", add: "Ajouter une activité", add_title: "Une nouvelle activité", kind: "Type", name: "Nom", add_now: "Ajouter", add_hint: "Elle s’écrit à la page suivante.",
  },
};
