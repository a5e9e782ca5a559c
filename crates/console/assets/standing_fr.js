// Words of who falls behind alone.
export default {
  standing: {
    rules: "Selon quelles règles", yours: "Ces règles sont les vôtres, pour regarder : personne n’est noté par elles et les apprenants n’en voient rien.", apply: "Appliquer", reset: "Comme avant",
    rule_overdue: "Devoirs en retard", hint_overdue: "Autant ou plus qui étaient à rendre depuis leur arrivée et ne l’ont pas été.",
    rule_inactive_days: "Jours sans rien faire", hint_inactive_days: "Autant ou plus depuis qu’une leçon a été faite, une activité essayée ou un travail rendu.",
    rule_low_total: "Total inférieur à, en pour cent", hint_low_total: "Dans les notes, d’au moins deux devoirs notés.",
    rule_pace: "Points de retard sur le calendrier", hint_pace: "Autant ou plus entre leurs leçons et la part passée de leur temps dans le groupe, tous deux en pour cent. Le groupe doit avoir un début et une fin.",
    behind: "À qui parler", signs: "Signes", lessons: "Leçons", total: "Total", no_total: "rien encore", learners: "Apprenants",
    sign_overdue: "devoirs en retard : {count}", sign_inactive: "jours sans rien faire : {count}",
    sign_low_total: "{total} jusqu’ici", sign_pace: "points de retard sur le calendrier : {count}",
    short: "À qui parler : {count} sur {of}.", read: "{count} apprenants lus.", nobody: "Selon ces règles, personne ne prend de retard.", not_running: "Le groupe n’est pas en cours : personne n’y prend de retard.", others: "Les autres ({count})",
    first_only: "Seuls les {count} premiers apprenants sont lus.", csv: "Télécharger le CSV", file: "qui-prend-du-retard", saved: "Enregistré : {name}",
    spread: "Où en est le groupe", spread_said: "Apprenants : {count}. En moyenne, ils ont fait {mean} des leçons.", spread_said_expected: "{expected} du temps est passé ; avec moins de leçons faites : {behind}.",
    spread_label: "Barres : combien des {count} apprenants sont dans chaque dixième des leçons. La plupart sont de {from} à {to} : {most}.", spread_label_expected: "Une ligne au-dessus : {expected} du temps est passé.",
    mark: "Temps {expected}", from_to: "{from} à {to}", bins: "Apprenants dans chaque dixième des leçons", table: "En tableau",
  },
};
