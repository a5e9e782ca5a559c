// Words of drafting with AI alone.
export default {
  making: {
    draft_lessons: "Rédiger des leçons avec l’IA", draft_text: "Rédiger le texte avec l’IA", draft_activities: "Rédiger des activités avec l’IA", draft_content: "Rédiger le contenu avec l’IA", waiting: "Des propositions de l’IA vous attendent",
    open: "Rédiger avec l’IA", title: "Rédiger un programme", brief: "Ce que doit être le cours",
    brief_hint: "Pour qui, ce qu’il faut savoir faire ensuite, ce qui ne doit pas manquer.", hours: "Heures", content: "Combien", outline: "Le plan",
    full: "Le plan et tous les textes", mode: "Ce qui est déjà là", append: "reste, l’ébauche vient à la suite", replace: "les ébauches de l’IA sont remplacées",
    replace_hint: "Ce qu’une personne a écrit ou modifié, et ce que des apprenants ont utilisé, reste toujours. Ce qui a été gardé vous est indiqué.", start: "Commencer",
    running: "L’IA rédige", progress: "Avancement de l’ébauche",
    steps: "{done} étapes sur {total} faites. Rien n’apparaît dans le cours avant que tout soit là.", cancel: "Abandonner",
    canceled: "Abandonné. Les étapes terminées sont gardées pour le prochain essai.", ready: "L’ébauche est là.", kept_title: "L’ébauche est là, et ceci a été gardé",
    kept: "Éléments gardés : {count}. Tout le reste de ce que l’IA avait rédigé a été remplacé.", kept_more: "et {count} de plus",
  },
  piece: {
    unit: "Unité", lesson: "Leçon", activity: "Activité", assignment: "Devoir",
  },
  kept: {
    in_use: "des apprenants l’ont utilisé", edited: "une personne l’a fait ou modifié",
  },
  generation: {
    error: "L’ébauche a échoué", canceled: "Abandonnée",
  },
};
