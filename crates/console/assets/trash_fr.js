// Words of the page of what was deleted alone.
export default {
  trash: {
    title: "Ce qui a été supprimé", lede: "Tout ce qui est ici peut être rétabli tel quel, avec tout ce qui en dépendait, jusqu’à sa date.", none_title: "Rien n’a été supprimé", none: "Ce que quelqu’un supprime peut être rétabli d’ici pendant un temps.",
    along: "Ce qui est parti avec", count: "{kind} : {count}", deleted: "Supprimé", until: "Jusqu’au", restore: "Rétablir", restored: "« {name} » est de retour.", open: "Y aller",
    kind: "Genre", every_kind: "Tous les genres", deleted_by: "Supprimé par", by_anybody: "Par quiconque", me: "{name} (vous)", destroy: "Détruire", destroy_title: "{thing} : détruire « {name} » pour de bon ?", destroy_what: "Ensuite, personne ne pourra le rétablir.", destroy_with: "Ensuite, personne ne pourra le rétablir, ni ce qui est parti avec : {parts}.", destroyed: "« {name} » est parti pour de bon.",
  },
  thing: {
    course: "Cours", unit: "Unité", lesson: "Leçon", activity: "Activité", assignment: "Devoir", cohort: "Groupe", submission: "Remise", enrollment: "Place dans un groupe", user: "Membre", scorm_package: "Paquet",
    media_file: "Fichier multimédia",
  },
  kind: {
    courses: "Cours", units: "Unités", lessons: "Leçons", activities: "Activités", assignments: "Devoirs", cohorts: "Groupes", enrollments: "Places dans des groupes", submissions: "Remises", grades: "Notes", attempts: "Tentatives",
    lesson_completions: "Leçons faites", tutor_turns: "Échanges avec le tuteur", scorm_packages: "Paquets", users: "Membres", media_files: "Fichiers multimédias",
  },
};
