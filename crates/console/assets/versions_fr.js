// Words of what something was before.
export default {
  versions: {
    title: "Historique", lede: "Ce que c’était avant d’être modifié. Ce qu’une personne enregistre en dix minutes est une seule modification.",
    list: "Versions", version: "Version {number}", there_now: "Ce qui est là maintenant", you: "Vous", somebody: "Quelqu’un", older: "Les plus anciennes ne sont pas affichées.",
    differences: "Ce qui diffère", shown: "La version {number} est affichée.", since: "ajouté depuis", gone: "retiré depuis", then: "Alors", now: "Maintenant",
    same: "Elle dit la même chose que ce qui est là maintenant.", unseen: "Elle diffère en ce que personne ne lit, comme les identifiants.",
    restore: "Restaurer", restore_what: "Cela redevient ce que c’était alors. Ce qui est là maintenant est aussi gardé comme version.",
    restored: "La version {number} est de retour.",
    none_title: "Rien n’a encore été modifié", none: "Dès qu’une modification est faite, ce que c’était avant apparaît ici.", yes: "oui", no: "non",
    field_name: "Nom", field_summary: "Résumé", field_objectives: "Objectifs", field_duration_minutes: "Minutes", field_language: "Langue",
    field_content: "Texte", field_activities_content: "Contenu", field_instructions: "Consignes", field_max_score: "Points", field_max_attempts: "Tentatives", field_rubric: "Grille d’évaluation",
    field_late_policy: "Retard", field_ai_evaluator: "Notation par IA", field_human_review: "Qui décide", field_release: "Publication des notes", field_feedback: "Commentaires",
    member_options: "Choix", member_blanks: "Trous", member_pairs: "Paires", member_items: "Éléments", member_turns: "Interventions", member_audio: "Enregistrement",
    member_criteria: "Critères", member_description: "Description", member_max_points: "Points au plus", member_weight: "Poids", member_levels: "Niveaux", member_name: "Nom",
    member_tone: "Ton", member_verbosity: "Longueur", member_enabled: "Activé", member_model: "Modèle",
    member_percent_per_day: "Retenue par jour en pour cent", member_floor_percent: "Pas moins de pour cent", member_grace_minutes: "Minutes de grâce",
  },
};
