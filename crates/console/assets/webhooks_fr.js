// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "Là où vos propres systèmes apprennent ce qui se passe. Chaque message est signé, et renvoyé jusqu’à ce qu’il arrive.", none_title: "Pas encore de destinataire",
    none: "Au lieu de demander sans cesse, laissez le service prévenir votre système : donnez-lui une adresse et choisissez les événements.", new: "Nouveau destinataire",
    make: "Créer", url: "Destinataire", url_hint: "Une adresse https que le service peut joindre.", description: "À quoi il sert", events: "Événements",
    health: "Santé", arrived: "{count} sur {of} arrivés", unused: "Rien d’envoyé pour l’instant", on: "Activé", off: "Désactivé", switch_on: "Activer",
    switch_off: "Désactiver", ping: "Envoyer un test", pinged: "Le destinataire a répondu : {answer}", rotate: "Nouveau secret", rotate_title: "Lui donner un nouveau secret ?",
    rotate_what: "Pendant 24 heures, les messages portent les deux signatures, pour que rien ne se perde pendant l’échange.", secret: "Secret de signature",
    secret_what: "Placez-le maintenant chez votre destinataire. Personne ne peut le montrer à nouveau.", deliveries: "Envois", all_events: "Tous les événements", all: "Tous les envois", event: "Événement", id: "Id",
    answer: "Réponse du destinataire", headers: "En-têtes de la réponse", attempts: "Essais", next: "Prochain essai", payload: "Ce qui a été envoyé", redeliver: "Renvoyer",
    redelivered: "Renvoyé : {status}.", nothing_yet: "encore rien", quiet_title: "Aucun envoi",
    quiet: "Envoyez un test, ou attendez qu’il se passe quelque chose que le destinataire écoute.",
    change: "Modifier", change_title: "Modifier « {name} »", keep: "Enregistrer", changed: "Le destinataire est modifié.", url_moves: "Une adresse https que le service peut joindre. Ce qui attend va à la nouvelle.", no_address: "Donnez une adresse qui commence par https://.",
    hears_all: "Tous les événements, y compris les types à venir", hears_chosen: "Seulement ce que je choisis", family: "Tout de « {name} », y compris les types à venir", all_of_it: "tous", some_of: "{count} sur {of}",
    none_chosen: "Choisissez au moins un événement.", no_types: "Votre clé ne peut pas lire quels autres types existent.", overtaken: "Quelqu’un l’a modifié entre-temps. Il y a maintenant : {address} ; événements : {events}. Enregistrez encore une fois pour mettre le vôtre à la place.",
    delete: "Supprimer", delete_title: "Supprimer « {name} » ?", delete_what: "Il n’apprendra plus rien. Son secret et la liste de ce qui lui a été envoyé partent avec lui, et personne ne peut les rétablir.",
    lost: "Messages en route qui seraient perdus : {count}.", lost_more: "Messages en route qui seraient perdus : plus de {count}.", deleted: "« {name} » est supprimé.",
    recover: "Renvoyer ce qui a été manqué", recover_what: "Ce qui a échoué, ce qui attend, et ce qui s’est passé pendant qu’il était désactivé ou pas encore là. Ce qui est arrivé n’est pas renvoyé.", since: "Depuis", since_hint: "30 jours en arrière au plus, dans le fuseau horaire {zone}.", since_wrong: "Choisissez un moment des 30 derniers jours.",
    recover_go: "Renvoyer", recover_off: "Activez-le pour renvoyer ce qu’il a manqué.", recovered: "Renvoyés : {count}.", recovering: "Ce qui a été manqué depuis {since}",
    recovery_running: "Renvoi en cours", recovery_done: "Tout est renvoyé", recovery_stopped: "Arrêté", recovery_failed: "Tout n’est pas renvoyé", sent_so_far: "Renvoyés jusqu’ici : {count}.", stop: "Arrêter", go_on: "Continuer",
  },
  delivery: {
    delivered: "Arrivé", pending: "En route", failed: "Échoué",
  },
};
