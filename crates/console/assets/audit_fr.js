// Words of the audit trail.
export default {
  audit: {
    lede: "Chaque modification d’une note, d’une clé, d’une appartenance ou d’un réglage, et chaque suppression : écrite en même temps qu’elle, et personne ne peut la modifier ni l’enlever.", when: "Quand", by: "Qui", action: "Quoi", thing: "Sur quoi", change: "De → à", any: "Tous", from: "Du", to: "Au",
    save: "Enregistrer en tableau (CSV)", saved: "Enregistré : {count} entrées.", saved_newest: "Enregistré : les {count} entrées les plus récentes. Resserrez la période pour les plus anciennes.", none_title: "Rien de ce genre", none: "Aucune entrée ne correspond à votre choix.",
    id: "Son identifiant", people: "Personnes qui travaillent ici", programs: "Programmes", learners: "Apprenants", keys: "Vos clés", only: "Cela seulement : {name}", receipt: "Reçu",
  },
  audit_actor: { user: "Une personne", service: "Un programme", visitor: "Quelqu’un avec un jeton à usage unique", system: "Le service lui-même" },
  audit_thing: {
    unit: "Unité", lesson: "Leçon", activity: "Activité", enrollment: "Place dans un groupe", scorm_package: "Paquet", media_file: "Fichier multimédia", batch: "Nouvelle notation", passkey: "Clé d’accès",
    submission: "Copie", assignment: "Devoir", course: "Cours", cohort: "Groupe", user: "Membre", sso_connection: "Authentification unique", api_key: "Clé d’API", webhook_endpoint: "Webhook", workspace: "Espace de travail",
  },
};
