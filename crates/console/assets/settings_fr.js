// Words of the settings of a course alone.
export default {
  setting: {
    title: "Réglages du cours", about: "Le cours", save: "Enregistrer", saved: "Les réglages du cours sont enregistrés.", yes: "oui", no: "non",
    theirs: "Voici ce qui s’y trouve maintenant, là où cela diffère de ce que vous avez ici :", theirs_same: "Ce qui s’y trouve maintenant est ce que vous avez ici.", take_theirs: "Prendre cela et abandonner le mien", keep_mine: "Enregistrer le mien par-dessus",
    completion: "Quand il est terminé", completion_rule: "Un apprenant l’a terminé quand", rule_everything: "chaque étape est faite", rule_share: "une part des étapes est faite", rule_quizzes: "chaque quiz est réussi", rule_assignments: "chaque devoir est remis",
    completion_percent: "Part en pour cent", completion_passing_percent: "Réussi à partir de, en pour cent", passing_hint: "Laissé vide, c’est la moyenne de ce que demandent les quiz.",
    ai: "Comment l’IA y travaille", ai_instructions: "Consignes pour l’IA", ai_instructions_hint: "Lues avec chaque ébauche, chaque note et chaque réponse du tuteur : ton, niveau, termes.",
    ai_evaluator: "Modèle qui note", model_hint: "Laissé vide, c’est celui du service.",
    tutor: "Le tuteur", tutor_enabled: "Les apprenants peuvent interroger le tuteur", tutor_guard_tasks: "Il garde pour lui les réponses des tâches ouvertes", tutor_scope: "Où il regarde", scope_course: "Dans tout le cours", scope_lesson: "Dans la seule leçon en question",
    tutor_max_hint_level: "Jusqu’où il aide", hint_1: "Une question et le passage à lire", hint_2: "Un indice en plus", hint_3: "Jusqu’au chemin entier, pas à pas",
    tutor_instructions: "Consignes pour le tuteur", tutor_instructions_hint: "Un modèle les lit : n’y écrivez pas de solutions.", tutor_model: "Modèle du tuteur", tutor_model_hint: "Laissé vide, c’est celui qui note.",
  },
};
