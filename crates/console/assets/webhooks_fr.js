// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "Là où vos propres systèmes apprennent ce qui se passe. Chaque message est signé, et renvoyé jusqu’à ce qu’il arrive.", none_title: "Pas encore de destinataire",
    none: "Au lieu de demander sans cesse, laissez le service prévenir votre système : donnez-lui une adresse et choisissez les événements.", new: "Nouveau destinataire",
    make: "Créer", url: "Destinataire", url_hint: "Une adresse https que le service peut joindre.", description: "À quoi il sert", events: "Événements",
    health: "Santé", arrived: "{count} sur {of} arrivés", unused: "Rien d’envoyé pour l’instant", on: "Activé", off: "Désactivé", switch_on: "Activer",
    switch_off: "Désactiver", ping: "Envoyer un test", pinged: "Le destinataire a répondu : {answer}", rotate: "Nouveau secret", rotate_title: "Lui donner un nouveau secret ?",
    rotate_what: "Pendant 24 heures, les messages portent les deux signatures, pour que rien ne se perde pendant l’échange.", secret: "Secret de signature",
    secret_what: "Placez-le maintenant chez votre destinataire. Personne ne peut le montrer à nouveau.", deliveries: "Envois", all: "Tous les envois", event: "Événement", id: "Id",
    answer: "Réponse du destinataire", attempts: "Essais", next: "Prochain essai", payload: "Ce qui a été envoyé", redeliver: "Renvoyer",
    redelivered: "Renvoyé : {status}.", nothing_yet: "encore rien", quiet_title: "Aucun envoi",
    quiet: "Envoyez un test, ou attendez qu’il se passe quelque chose que le destinataire écoute.",
  },
  delivery: {
    delivered: "Arrivé", pending: "En route", failed: "Échoué",
  },
};
