// Words of the pages of cohorts alone.
export default {
  cohorts: {
    none_title: "Pas encore de groupe", none: "Un groupe est une session d’un cours. Créez-en un avec POST /v1/cohorts, inscrivez des apprenants, démarrez-le.",
  },
  cohort: {
    course: "Cours", active: "En cours", draft: "Pas commencé", completed: "Terminé", archived: "Archivé", students: "Apprenants", starts: "Début",
    runs: "Durée", zone: "Fuseau horaire", of_capacity: "{count} places sur {capacity}", progress: "Progression", score: "Points", last: "Dernière activité", never: "jamais",
    open: "à faire", done: "faite", no_score: "sans points", heat: "Où en est chacun, leçon par leçon", which: "Quel numéro est quelle leçon",
    summary: "{mean} en moyenne. Ont terminé : {finished} sur {all} ; pas commencé : {idle}.", first_only: "Les {count} premiers apprenants sont affichés.", since: "Depuis",
    empty_title: "Personne n’est encore inscrit", empty: "Inscrivez des personnes par leur adresse : POST /v1/cohorts/{id}/students.",
  },
  enrollment: {
    active: "Actif", completed: "Terminé", withdrawn: "Retiré",
  },
};
