// Words of what is done to API keys.
export default {
  apikey: {
    change: "Modifier", change_title: "Modifier « {name} »", keep: "Enregistrer", changed: "« {name} » est modifiée.", keep_end: "comme maintenant : {when}", at: "à un moment que je choisis", ends_at: "Elle expire", zone: "Dans le fuseau horaire {zone}.", past: "Choisissez un moment à venir.",
    from: "D’où elle peut servir", from_hint: "Des adresses, ou des réseaux comme 203.0.113.0/24, une par ligne. Laissé vide, elle sert de partout.", no_address: "« {address} » n’est ni une adresse ni le début d’un réseau, comme 203.0.113.0/24.", only_from: "Seulement depuis", last_from: "depuis", made_by: "Créée par {name}",
    locks_out: "Vous êtes entré avec cette clé. Une fois expirée, ou si elle ne peut servir d’ici, plus rien ne s’ouvre ici.", over: "Elle a expiré ou a été révoquée entre-temps.",
    rotate: "Renouveler", rotate_title: "Renouveler « {name} » ?", rotate_what: "Vous recevez une nouvelle clé avec le même nom, les mêmes droits, la même fin et les mêmes adresses. Les sessions que l’ancienne a données finissent avec elle.",
    same_end: "La nouvelle expire en même temps que celle-ci : {when}. Modifiez cela avant ou après.", rotate_own: "Vous êtes entré avec cette clé. Entrez avec la nouvelle avant que celle-ci ne cesse.",
    old: "L’ancienne continue de servir", old_0: "pas du tout", old_3600: "une heure", old_86400: "un jour", old_604800: "sept jours", old_always: "jusqu’à sa révocation",
    of: "Clés de {name}", of_what: "Ce qui est fait avec elles est fait en tant que {name}. Voici celles qui ont été créées pour ce membre, et aucune autre.", none: "Personne n’a encore créé de clé pour {name}.",
  },
};
