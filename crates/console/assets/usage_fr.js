// Words of the page of what AI cost alone.
export default {
  usage: {
    month: "Mois", calls: "Appels", in: "Jetons lus", out: "Jetons écrits", tokens: "Jetons", cost: "Coût", money: "Argent", day: "Jour", by_day: "Par jour",
    by_feature: "Par usage", by_model: "Par modèle", chart: "Jetons par jour ; le tableau ci-dessous a les mêmes nombres", as_table: "La même chose en tableau",
    budget: "Budget de ce mois", used_of: "{used} sur {most} ({share})",
    no_budget: "Aucun n’est fixé : l’IA peut dépenser sans limite. Les admins en fixent un avec PATCH /v1/workspaces/{id}.", resets: "Repart de zéro : {when}.", every: "Chaque appel",
    what: "Usage", model: "Modèle", sent: "Ce qui est sorti de la maison", outcome: "Issue", latency: "Durée", at: "Quand", none_title: "Aucun appel ce mois-ci",
    none: "Le moteur intégré n’appelle personne et ne coûte rien. Dès qu’un modèle de langage est relié, chaque appel est noté ici.",
  },
  feature: {
    grading: "Noter", explaining: "Expliquer", drafting: "Rédiger", checking: "Vérifier les ébauches", tutoring: "Tuteur", speaking: "Voix",
  },
  outcome: {
    answered: "Répondu", invalid: "Inutilisable", refused: "Refusé", unavailable: "Sans réponse",
  },
};
