// Words of the page of members.
export default {
  members: {
    sessions: "Sessions", sessions_title: "Où {name} est connecté", sessions_what: "De qui appartient aussi à un autre lieu, cet espace de travail ne sait rien. Tout terminer ferme chaque session commencée avant maintenant, et celles que vos programmes ont remises ; une nouvelle connexion suffit pour revenir.", sessions_none: "Aucune session dont cet espace de travail ait connaissance.", sessions_end: "Terminer", sessions_end_all: "Tout terminer", sessions_ended: "Toutes les sessions de {name} sont terminées ici.", session_ended: "Terminée.",
    lede: "Qui fait partie de ce lieu. Ce que chacun fait figure sous son nom dans chaque historique.", role: "Rôle", since: "Depuis", until: "Jusqu’au", none_title: "Personne encore", none: "Invitez quelqu’un.",
    invite: "Inviter quelqu’un", address_mailed: "Un e-mail y est envoyé, avec un lien pour entrer.", address_shown: "Ce service n’envoie pas d’e-mail : un lien à transmettre vous est montré.",
    sent: "Une invitation est en route vers {email}.", link_title: "L’invitation de {name}", link_what: "Transmettez-la vous-même : elle laisse entrer qui l’ouvre, une fois, comme ce membre, pendant sept jours. Elle n’est montrée que maintenant.",
    invited: "Invités, pas encore là", invited_what: "Un lien vaut sept jours, une fois. Qui est là par des sessions de vos propres programmes n’a rien à accepter.", nobody_invited_title: "Personne n’attend", nobody_invited: "Toutes les personnes invitées sont là.",
    state_not_sent: "Invitation non envoyée", state_pending: "En attente", state_expired: "Son délai est passé", state_accepted: "Acceptée",
    mail_pending: "e-mail en route", mail_sent: "e-mail envoyé", mail_failed: "e-mail non arrivé", mail_dropped: "non envoyé",
    send: "Envoyer l’invitation", link: "Créer un lien", withdraw: "Retirer",
    change_role: "Changer le rôle", role_title: "Ce que {name} peut faire ici", role_hint: "Les propriétaires et les admins dirigent l’espace de travail ; les enseignants s’occupent des cours, des apprenants et des notes ; les apprenants apprennent.", change: "Modifier", role_changed: "Le rôle de {name} est maintenant {role}.",
    take_out: "Exclure", take_out_title: "Exclure {name} ?", take_out_what: "L’accès prend fin au prochain clic, de même que les sessions et les clés créées ici. Ce qui a été fait reste, et pendant un temps cette personne peut être reprise de la corbeille.", taken_out: "{name} n’est plus là.",
    keys: "Clés", key: "Créer une clé", key_title: "Une clé pour {name}", key_what: "Ce qui est fait avec elle est fait en tant que {name}. Elle figure parmi ses clés et peut y être révoquée.",
    services: "Comptes de service", service_what: "Un programme agit sous son propre nom, et sous aucun autre. Il ne se connecte jamais ; donnez-lui une clé.", service_new: "Nouveau compte de service", service_make: "Créer", service_made: "{name} est là. Créez une clé pour ce compte.", no_service_title: "Pas encore de programme", no_service: "Les programmes qui agissent ici sous leur propre nom figurent ici.",
    every_role: "Tous les rôles", suspended: "Accès suspendu", erased: "Effacé", rename: "Changer le nom", rename_title: "Comment s’appelle {name}", rename_hint: "Le nom figure dans chaque historique, aussi pour ce qui précède.", renamed: "Le nom est maintenant {name}.", happened: "Ce qui lui est arrivé", acted: "Ce qui a été fait", export: "Exporter ses données", erase: "Effacer ses données", more_for: "Plus pour {name}", receipt: "Reçu",
    taken_out_all: "Membres exclus",
  },
};
