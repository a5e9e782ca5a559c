// Words of the page of packages alone.
export default {
  packages: {
    lede: "Un paquet est le cours d’un groupe tel qu’il est quand vous le demandez, pour tout système de gestion de l’apprentissage.", none_title: "Pas encore de paquet",
    none: "Choisissez un groupe ; le paquet est prêt en quelques secondes, et vous pouvez le voir ici avant de le déposer ailleurs.", new: "Nouveau paquet", make: "Créer",
    cohort: "Groupe", course: "Cours", version: "Édition", version_hint: "2004 en sait plus ; les anciens systèmes n’acceptent que 1.2.",
    connected: "Relié à ce service",
    connected_hint: "Les apprenants peuvent alors remettre des copies et interroger le tuteur. Sans cela, le paquet n’envoie aucune requête.", size: "Taille", preview: "Aperçu",
    download: "Télécharger", revoke: "Révoquer", revoke_title: "Révoquer le paquet ?",
    revoke_what: "Il ne laisse plus entrer aucun apprenant, où qu’il ait été déposé. C’est définitif.", revoked: "Révoqué.",
    asked: "Le paquet est en préparation.", ready: "Le paquet est prêt.", failed: "Le paquet n’a pas pu être créé.",
    no_cohort: "Créez d’abord un groupe : un paquet est le cours d’un groupe.",
  },
  package: {
    ready: "Prêt", pending: "En préparation", error: "Échoué", revoked: "Révoqué",
  },
};
