// Words of the page of what AI cost alone.
export default {
  usage: {
    month: "Mois", calls: "Appels", in: "Jetons lus", out: "Jetons écrits", tokens: "Jetons", cost: "Coût", money: "Argent", day: "Jour", by_day: "Par jour",
    by_feature: "Par usage", by_model: "Par modèle", chart: "Jetons par jour ; le tableau ci-dessous a les mêmes nombres", as_table: "La même chose en tableau",
    budget: "Budget de ce mois", used_of: "{used} sur {most} ({share})",
    no_budget: "Aucun n’est fixé : l’IA peut dépenser sans limite.", resets: "Repart de zéro : {when}.", every: "Chaque appel",
    what: "Usage", model: "Modèle", sent: "Ce qui est sorti de la maison", outcome: "Issue", latency: "Durée", at: "Quand", none_title: "Aucun appel ce mois-ci",
    none: "Le moteur intégré n’appelle personne et ne coûte rien. Dès qu’un modèle de langage est relié, chaque appel est noté ici.",
    set: "Fixer le budget",
    budget_title: "Que peut dépenser l’IA par mois ?",
    money_usd: "Argent, en dollars",
    set_hint: "Vide, il n’a pas de limite. Une fois épuisé, l’IA ne fait rien jusqu’à ce qu’il reparte de zéro ; les personnes continuent comme toujours.",
    save: "Enregistrer",
    saved: "Le budget est enregistré.",
  },
  feature: {
    grading: "Noter", explaining: "Expliquer", drafting: "Rédiger", checking: "Vérifier les ébauches", tutoring: "Tuteur", speaking: "Voix",
  },
  outcome: {
    answered: "Répondu", invalid: "Inutilisable", refused: "Refusé", unavailable: "Sans réponse",
  },
};
