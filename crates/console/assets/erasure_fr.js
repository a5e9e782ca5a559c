// Words of what is kept of a person, and of erasing it.
export default {
  erasure: {
    export_title: "Tout ce qui est conservé sur {name}", export_what: "Un fichier (JSON) avec chaque enregistrement de cet espace de travail qui concerne cette personne, sans secrets. Le journal d’audit note qu’il a été remis.", export_save: "Enregistrer le fichier", exported: "Enregistré. Enregistrements dans le fichier : {count}.",
    title: "Effacer {name} ?", for_good: "Personne ne peut l’annuler. Cela vaut pour cet espace de travail, et aussitôt.",
    goes: "Ce qui part", goes_who: "Le nom, l’adresse et tout ce qui dit de qui il s’agit. Un pseudonyme prend leur place.", goes_work: "Ce qui a été remis, répondu et demandé au tuteur, ainsi que les retours et les motifs des notes.", goes_ways: "Les sessions, les clés créées ici, le rôle et les places dans des groupes.", goes_trash: "Ce qui s’en trouve dans la corbeille.",
    stays: "Ce qui reste", stays_points: "Points, moments et identifiants sous le pseudonyme, pour que chiffres et historiques restent justes.", stays_audit: "Le journal d’audit : il a des identifiants et aucun texte.", stays_elsewhere: "Ce que d’autres espaces de travail conservent.", stays_copies: "Les sauvegardes antérieures et ce que webhooks et fournisseurs d’IA ont reçu : qui fait tourner le service s’en charge.",
    export_first: "Si une copie est souhaitée, enregistrez-la d’abord.", type: "Écrivez qui doit être effacé", type_either: "{name} ou {email}", mismatch: "Ce n’est ni le nom ni l’adresse.", erase: "Effacer pour de bon",
    receipt: "Reçu d’un effacement", done: "Tout ce qui disait de qui il s’agissait est effacé. Cela ne peut pas revenir.", now: "Nom actuel", at: "Effacé", id: "Reçu", person: "Personne",
    what: "Enregistrements", gone: "Effacés", kept: "Conservés", why: "Ce qui a été fait, et pourquoi le reste peut rester", save: "Enregistrer en JSON", print: "Imprimer",
    not_title: "Personne n’a été effacé ici", not: "Cette personne est encore là, il n’y a donc pas de reçu.",
  },
  erased_table: {
    ai_calls: "Appels d’IA", api_keys: "Sessions et clés", attempts: "Tentatives aux quiz", audit_entries: "Journal d’audit", batch_items: "Nouvelle notation", bulk_writes: "Écritures groupées", digests: "Récapitulatifs par e-mail", due_overrides: "Autres échéances", enrollments: "Places dans des groupes", events: "Événements", grades: "Notes",
    idempotency_replies: "Réponses retenues", jobs: "Travail en cours", lesson_completions: "Leçons faites", login_tokens: "Liens et jetons", mails: "E-mails", people: "La personne", scorm_learners: "Liens de plateformes d’apprentissage", submissions: "Remises", trash_rows: "Dans la corbeille", tutor_turns: "Échanges avec le tuteur", users: "Le membre", webhook_deliveries: "Messages de webhooks",
  },
};
