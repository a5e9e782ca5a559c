export default {
  place_of: "{at} sur {of}",
  choose_platform: "Quelle plateforme ?",
  again: "Réessayer", cancel: "Annuler", close: "Fermer", copy: "Copier", copied: "Copié.",
  copy_failed: "La copie n’a pas fonctionné. Sélectionnez le texte et copiez-le vous-même.", more: "Afficher plus", more_loaded: "{count} de plus affichés.", loading: "Chargement",
  go_to: "Aller à …", skip: "Aller au contenu", menu: "Menu", nav_label: "Studio", language: "Langue", theme_label: "Couleurs", handbook: "Manuel (en anglais)", sign_out: "Se déconnecter", name: "Nom",
  email: "Adresse", status: "État", made: "Création", actions: "Actions", student: "Apprenant", just_now: "à l’instant", no_score: "pas encore de points",
  no_price: "pas de prix", points_of: "{score} sur {max}", request_id: "Requête", unknown_view: "Cette page n’existe pas.", secret_kept: "Je l’ai conservé",
  theme: {
    auto: "Comme le système", light: "Clair", dark: "Sombre",
  },
  nav: {
    overview: "Vue d’ensemble", review: "Bureau de relecture", submissions: "Copies", courses: "Cours", cohorts: "Groupes", packages: "Paquets", webhooks: "Webhooks", keys: "Clés d’API",
    sso: "Authentification unique", usage: "Usage de l’IA", members: "Membres", work: "En arrière-plan", audit: "Journal d’audit",
  },
  role: {
    owner: "Propriétaire", admin: "Admin", teacher: "Enseignant", student: "Apprenant",
  },
  error: {
    title: "Cela n’a pas fonctionné", own: "Studio a commis une erreur. Rechargez la page et réessayez.",
    unreachable: "Le service est injoignable. Est-il en marche, et y a-t-il une connexion ?", offline: "Vous êtes hors ligne : le réseau a disparu. Réessayez quand il sera revenu.", scope: "Votre clé ne le permet pas : il lui manque {scope}.",
    role: "Votre rôle ici ne le permet pas.", missing: "Cela n’existe pas, ou plus.", rate: "Trop de requêtes en ce moment. Patientez un instant.",
    budget: "Le budget d’IA de ce mois est épuisé.", recent: "Pour cela, il faut être sûr que c’est vous. Déconnectez-vous, puis reconnectez-vous.",
  },
  invitations: {
    title: "Vous avez une invitation", what: "Vos clés ouvrent un espace de travail dès que vous acceptez. Chacun peut donner au sien le nom qu’il veut : regardez son code, son uuid et qui vous invite.",
    accept: "Accepter", decline: "Refuser", said_accept: "Vous faites maintenant partie de {name}.", said_decline: "Vous ne faites pas partie de {name}.",
  },
  overview: {
    held: "Retenues pour vous", ungraded: "{count} de plus pas encore notées", published: "{count} publiés", active: "{count} en cours, apprenants inscrits : {students}",
    spent: "IA ce mois-ci", calls: "{count} appels", budget_left: "reste {left} ({share})", no_budget: "aucun budget fixé", little_title: "Peu à voir avec cette clé", little: "Elle ouvre la porte et ne montre rien de ce qu’il y a derrière. Connectez-vous avec une clé qui peut lire les cours ou les copies.", waiting: "Vous attend",
    to_desk: "Au bureau de relecture", recent: "Ce qui s’est passé",
    nothing_title: "Rien ne vous attend",
    nothing: "Quand l’IA hésite sur une note, ou qu’un devoir demande une personne, le travail arrive sur ce bureau avant que des points soient visibles.",
  },
  events: {
    none_title: "Il ne s’est encore rien passé", none: "Chaque modification écrit un événement. Créez un cours ou inscrivez quelqu’un, et cela apparaît ici.",
  },
  event: {
    by: "par {name}", steps: "(étapes : {count})", submission_graded: "L’IA a noté", submission_created: "Commencée :", submission_submitted: "Remise :",
    submission_grading_failed: "L’IA n’a pas pu noter", submission_reopened: "Décision reprise :", submission_reviewed: "Une personne a noté", submission_updated: "Plus de temps pour", submission_explained: "L’IA a expliqué la note de",
    submission_returned: "Renvoyée :", submission_released: "Communiquée grâce à un certificat :", certificate_drawn: "Tirée au sort pour être notée à l’aveugle :", certificate_issued: "Certificat délivré :", certificate_refused: "Certificat non obtenu :", certificate_paused: "Certificat suspendu :", certificate_revoked: "Certificat révoqué :", certificate_ended: "Certificat terminé :", submission_deleted: "Copie supprimée :", course_created: "Nouveau cours", course_updated: "Cours modifié :",
    course_published: "Publié :", course_archived: "Archivé :", course_deleted: "Cours supprimé :", cohort_created: "Nouveau groupe",
    cohort_updated: "Groupe modifié :", cohort_content_updated: "Groupe mis à jour sur le cours tel qu’il est :", cohort_started: "Groupe démarré :", cohort_completed: "Groupe terminé :", cohort_archived: "Groupe archivé :",
    cohort_deleted: "Groupe supprimé :", unit_created: "Nouvelle unité", unit_updated: "Unité modifiée :", unit_deleted: "Unité supprimée :", lesson_created: "Nouvelle leçon",
    lesson_updated: "Leçon modifiée :", lesson_deleted: "Leçon supprimée :", lesson_completed: "Leçon achevée :", activity_created: "Nouvelle activité",
    activity_updated: "Activité modifiée :", activity_deleted: "Activité supprimée :", assignment_created: "Nouveau devoir",
    assignment_updated: "Devoir modifié :", assignment_deleted: "Devoir supprimé :", enrollment_created: "Inscription :",
    enrollment_deleted: "A quitté le groupe :", generation_ready: "L’IA a rédigé", generation_failed: "L’IA n’a pas pu rédiger",
    generation_canceled: "Ébauche abandonnée :", scorm_ready: "Paquet prêt :", scorm_failed: "Paquet échoué :", scorm_revoked: "Paquet révoqué :",
    media_file_ready: "Fichier média prêt :", media_file_failed: "Fichier média non retenu :", media_file_deleted: "Fichier média supprimé :", media_file_restored: "Fichier média de retour :",
    batch_progressed: "L’IA travaille sur", batch_ready: "Nouvelles notes en aperçu :", batch_completed: "L’IA a terminé", batch_committed: "Nouvelles notes appliquées :",
    batch_undone: "Nouvelles notes défaites :", batch_stopped: "Arrêté :", user_created: "Nouvelle personne :", user_updated: "Profil modifié :", user_deleted: "A quitté la plateforme :", user_erased: "Données effacées :",
    api_key_created: "Nouvelle clé d’API", api_key_revoked: "Clé d’API révoquée :", webhook_endpoint_disabled: "Webhook désactivé :", ping: "Test envoyé",
    course_restored: "Cours de retour :", cohort_restored: "Groupe de retour :", unit_restored: "Unité de retour :", lesson_restored: "Leçon de retour :", activity_restored: "Activité de retour :",
    assignment_restored: "Devoir de retour :", enrollment_restored: "De retour dans le groupe :", submission_restored: "Copie de retour :", user_restored: "De retour sur la plateforme :",
  },
  courses: {
    none_title: "Pas encore de cours", none: "Qui peut écrire des cours les crée ici.",
  },
  course: {
    all: "Tous les états", published: "Publié", draft: "Brouillon", archived: "Archivé", hours: "{hours} h", length: "Durée",
    hours_made: "{hours} h prévues, {made} h écrites", minutes: "{minutes} min", lessons: "Leçons : {count}", points: "{points} points", due: "à remettre",
    publish: "Publier", unarchive: "Publier à nouveau", assignments: "Devoirs du cours", empty_title: "Encore vide",
    empty: "Demandez à l’IA de rédiger un programme d’après une description. L’ébauche vous attend ici, marquée comme rédigée par l’IA.",
    draft_with_ai: "Rédiger avec l’IA",
  },
  human_review: {
    required: "Une personne décide de chaque note", optional: "Les notes douteuses attendent une personne", off: "Les notes de l’IA sont communiquées, sauf si le texte donne des ordres au correcteur",
  },
  origin: {
    human: "Écrit par une personne", ai: "Rédigé par l’IA", ai_edited: "IA, retouché", import: "Importé",
  },
  activity: {
    quiz: "Quiz", flashcards: "Cartes mémoire", explainer: "Explication", podcast: "Podcast", video: "Vidéo", reflection: "Réflexion",
  },
  lesson: {
    objectives: "Objectifs", activities: "Activités", empty_title: "Pas encore de texte", empty: "Cette leçon a une place dans le plan et pas encore de mots.",
    parts: "Parties : {count}", unwritten: "Pas encore écrite", origin: "Origine", pager: "Leçons précédente et suivante",
  },
  prose: {
    picture: "{alt} (image sur {host})", picture_only: "Image sur {host}",
  },
  assignment: {
    edit: "Modifier", statistics: "Statistiques", pages: "Pages du devoir", certificate: "Certificat", groups: "Réponses semblables", redteam: "Red team", ai: "Tout noter", regrades: "Renoter",
    calibration: "L’IA note-t-elle comme vous ?",
  },
  submission: {
    draft: "Brouillon", submitted: "Non notée", in_review: "Retenue", graded: "Notée", returned: "Renvoyée",
  },
  keys: {
    next: "Suivante", previous: "Précédente", criterion: "Marquer les passages d’un critère", escape: "Enlever la marque", help: "Clavier", title: "Raccourcis clavier",
    about: "Ils agissent quand vous n’écrivez pas, et seulement s’ils sont activés ci-dessus.", switch: "Raccourcis",
    lede: "Vos propres clés sur toutes les plateformes. Donnez à chaque programme la sienne, sans plus qu’il ne lui faut.", none_title: "Aucune clé",
    none: "Créez-en une pour chaque programme qui parle à l’API.", new: "Nouvelle clé", make: "Créer la clé", mine: "Ce que peut votre clé", name_hint: "Le programme qui l’utilisera.",
    scopes: "Droits", scopes_hint: "Ce qu’elle peut faire. Une clé ne peut pas accorder ce que la vôtre n’a pas.", expires: "Expire", never: "jamais", days7: "dans 7 jours",
    days30: "dans 30 jours", days365: "dans un an", used: "Dernier usage", live: "Valide", this: "Utilisée ici", revoked: "Révoquée", expired: "Expirée",
    revoke: "Révoquer", revoke_title: "Révoquer « {name} » ?", revoke_what: "Elle échoue dès la prochaine requête, et ses sessions aussi.",
    revoke_own: "C’est la clé avec laquelle vous êtes connecté. Vous serez déconnecté.", revoked_now: "La clé n’ouvre plus rien.",
    secret: "Votre nouvelle clé", secret_what: "Copiez-la maintenant. Seule son empreinte est gardée, et personne ne peut la montrer à nouveau.",
    none_chosen: "Choisissez au moins un droit.",
  },
  key: {
    session: "Session d’un apprenant",
  },
};
