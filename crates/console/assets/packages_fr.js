// Words of the page of packages alone.
export default {
  packages: {
    learners: "Apprenants", learners_of: "Apprenants du paquet",
    learners_lede: "Qui est venu avec lui, et ce que son système de formation a dit d’eux et de lui-même : rien de cela n’est vérifié.",
    nobody_title: "Personne n’est encore venu", nobody: "Les apprenants figurent ici dès leur premier lancement.", lms_id: "Identifiant là-bas", lms: "Système",
    seen: "Vu pour la dernière fois", trust: "Identité", any: "Toute identité",
    lede: "Un paquet est le cours d’un groupe tel qu’il est quand vous le demandez, pour tout système de gestion de l’apprentissage.", none_title: "Pas encore de paquet",
    none: "Choisissez un groupe ; le paquet est prêt en quelques secondes, et vous pouvez le voir ici avant de le déposer ailleurs.", new: "Nouveau paquet", make: "Créer",
    cohort: "Groupe", course: "Cours", version: "Édition", version_hint: "2004 en sait plus ; les anciens systèmes n’acceptent que 1.2.",
    connected: "Relié à ce service",
    connected_hint: "Les apprenants peuvent alors remettre des copies et interroger le tuteur. Sans cela, le paquet n’envoie aucune requête.", size: "Taille", preview: "Aperçu",
    download: "Télécharger", revoke: "Révoquer", revoke_title: "Révoquer le paquet ?",
    revoke_what: "Il ne laisse plus entrer aucun apprenant, où qu’il ait été déposé. C’est définitif.", revoked: "Révoqué.",
    asked: "Le paquet est en préparation.", ready: "Le paquet est prêt.", failed: "Le paquet n’a pas pu être créé.",
  },
  package: {
    ready: "Prêt", pending: "En préparation", error: "Échoué", revoked: "Révoqué",
  },
  scorm_trust: {
    first_use: "Premier sous cet identifiant", proven: "Prouvée", unverified: "Non prouvée",
  },
};
