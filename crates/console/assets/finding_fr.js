// Words of looking through lists, and of their order.
export default {
  find: {
    courses: "Trouver un cours", cohorts: "Trouver un groupe", people: "Trouver par nom ou adresse", students: "Trouver un apprenant", deleted: "Trouver par nom",
    learners: "Trouver un apprenant", sort: "Ordre", newest: "Le plus récent d’abord", oldest: "Le plus ancien d’abord", changed: "Modifié en dernier d’abord", name: "Par nom",
    count: "Trouvé : {count}", nothing_title: "Rien n’a été trouvé", nothing: "Rien ici ne contient « {q} ».", nothing_chosen: "Rien ici ne correspond à votre choix.",
    clear: "Tout afficher", key: "Trouver",
  },
};
