// Words of the book of grades alone.
export default {
  gradebook: {
    title: "Notes", grid: "Notes de {name}", total: "Total", total_of: "Total de {name}", no_total: "pas encore de total", of_points: "sur {points}", due: "pour le {date}", file: "notes",
    csv: "Enregistrer en CSV", xlsx: "Enregistrer en XLSX", weighing: "Comment c’est pondéré", unweighed: "Personne n’a dit ce que pèsent les devoirs : tous vont ensemble, points sur points possibles.",
    counts_as_zero: "Ce qui manque compte pour zéro.", none: "Les devoirs et les quiz notés du cours apparaissent ici dès qu’il y en a.", none_title: "Encore rien à noter",
    nobody: "Inscrivez du monde dans le groupe : chacun a sa ligne ici.", absent: "non rendu", waits: "en attente", zero: "manque : zéro", dropped: "écarté", late: "en retard", newer: "autre en attente",
    group: "Groupe", weight: "Poids", points: "Points", percent: "Pour cent", dropped_tasks: "Écartés", nothing_counts: "rien ne compte encore", weighs_nothing: "ne pèse rien",
    no_group: "Dans aucun groupe", all_tasks: "Tous les devoirs", task: "Devoir", tasks: "Quel devoir est dans quel groupe", group_of: "Groupe de {name}", unnamed: "Sans nom",
    scheme_hint: "Dans un groupe, les points s’additionnent ; le total est la moyenne des groupes selon leur poids. Cela vaut pour toutes les sessions du cours.",
    weight_in_percent: "Poids en pour cent", drop_lowest: "Devoirs écartés", attempt: "Essai qui compte", attempt_best: "Le meilleur", attempt_latest: "Le dernier", attempt_first: "Le premier",
    remove: "Retirer", add_group: "Ajouter un groupe", sum: "Ensemble : {sum}.", rest: "Ce qui n’est dans aucun groupe pèse les {rest} restants.", too_much: "C’est plus de 100 %.",
    missing: "Ce qui était dû et manque", missing_ignored: "Compte comme si ce n’était pas encore dû", missing_zero: "Compte pour zéro", missing_hint: "Ce qui n’est pas encore dû ne compte de toute façon pas.",
    save: "Enregistrer", saved: "C’est pondéré ainsi désormais.", overtaken: "Quelqu’un d’autre a modifié le cours entre-temps. Fermez ceci et rouvrez-le pour voir où il en est.",
  },
};
