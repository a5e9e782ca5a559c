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
    chart_money: "Argent par jour ; le tableau ci-dessous a les mêmes nombres", picture: "Ce que montre l’image", csv: "Télécharger le CSV", unpriced: "Appels dont le prix n’est pas connu : {count}. Ils ne sont pas dans l’image.", every_purpose: "Tous les usages", none_of_title: "Aucun appel pour cela", none_of: "L’IA n’a pas été appelée pour cet usage.", of_service: "Celui-ci est fixé par le service ; celui que vous fixez prend sa place.", no_number: "Ce n’est pas un nombre.", failure: "Quand un fournisseur fait défaut", failure_hint: "Il fait défaut pour de bon après une longue attente, ou aussitôt s’il refuse. Ce que le moteur intégré a fait à sa place le dit.", shares: "Ce que peuvent prendre les apprenants", shares_hint: "Les parts sont celles du budget d’un mois ; le personnel peut le dépenser en entier. Qui fait tourner le service les fixe.", learners_percent: "Tous les apprenants ensemble", package_percent: "Ceux d’un paquet", learner_hour: "Remises notées par l’IA en une heure, par apprenant", package_hour: "Remises notées par l’IA en une heure, par paquet",
  },
  feature: {
    grading: "Noter", explaining: "Expliquer", drafting: "Rédiger", checking: "Vérifier les ébauches", tutoring: "Tuteur", speaking: "Voix",
  },
  outcome: {
    answered: "Répondu", invalid: "Inutilisable", refused: "Refusé", unavailable: "Sans réponse",
  },
  failure: { error: "Cela finit par l’erreur", built_in: "Le moteur intégré s’en charge" },
};
