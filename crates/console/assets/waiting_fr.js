// Mots de ce qui attend d’être publié.
export default {
  waiting: {
    title: "Ce qui attend", lede: "Les apprenants n’en voient encore rien. Une fois publié, tout est là d’un coup ; les groupes mis à jour à la main le voient quand ils sont mis à jour. Ajouter, déplacer et supprimer n’attendent pas : cela se voit aussitôt.",
    note: "Les modifications de ce cours attendent d’être publiées. Ce que vous acceptez de l’IA n’attend pas.", look: "Voir ce qui attend", not_seen_yet: "Les apprenants ne le voient pas encore ainsi.", tag: "attend",
    switch: "Les modifications attendent d’être publiées", on: "Désormais, les modifications faites ici attendent.", off: "Désormais, les modifications faites ici se voient aussitôt. Ce qui attend continue d’attendre.",
    count: "En attente : {count}", none_now: "Rien n’attend", at_once: "Les apprenants voient aussitôt ce qui est modifié ici.", at_once_by_choice: "Les apprenants voient aussitôt ce qui est modifié ici, sauf dans les groupes mis à jour à la main.",
    none_title: "Rien n’attend", none: "Ce qui est modifié du cours pendant que les modifications attendent se trouve ici jusqu’à sa publication.",
    notices: "Ce que les apprenants remarqueront", nobody: "Personne n’a encore appris avec tout cela.",
    notice_cohorts_under_way: "Groupes en cours qui le reçoivent aussitôt : {count}, avec apprenants : {learners}.",
    notice_cohorts_by_choice: "Groupes en cours mis à jour à la main : {count}, avec apprenants : {learners}. Jusqu’à leur mise à jour, ils voient les unités, leçons, activités et devoirs tels quels.", choosers: "Groupes mis à jour à la main",
    notice_completed_lessons: "Leçons qui changent et que des apprenants ont terminées : {count} (apprenants : {learners}). Elles restent terminées.",
    notice_tried_activities: "Activités qui changent et que des apprenants ont tentées : {count} (apprenants : {learners}). Leurs résultats restent.", notice_ungraded_work: "Travaux remis pour des devoirs qui changent, pas encore notés : {count} (apprenants : {learners}).",
    notice_graded_work: "Travaux notés de devoirs qui changent : {count} (apprenants : {learners}). Les notes restent.",
    changes: "Modifications", comes: "arrive", goes: "s’en va", edit: "Modifier", base_changed: "modifié entre-temps", base_changed_what: "Entre-temps, quelqu’un a modifié la même chose aussitôt. Une fois publié, ceci la remplace.",
    publish: "Tout publier ({count})", publish_title: "Publier ce qui attend ?", publish_what: "Changent : {count}. Tout est publié d’un coup.", publish_over: "Entre-temps, quelqu’un a modifié la même chose aussitôt : {names}. Ce qui attend la remplace.",
    publish_now: "Publier", published: "C’est publié : les apprenants le voient maintenant.", published_by_choice: "C’est publié. Les groupes mis à jour à la main le voient quand ils sont mis à jour.", changed_meanwhile: "Autre chose attend désormais. Regardez-le d’abord.",
    discard: "Tout abandonner", discard_one: "Abandonner", discard_named: "Abandonner ce qui attend pour {name}", discard_title: "Abandonner ce qui attend ?", discard_few: "Ce que voient les apprenants reste tel quel. On peut revenir en arrière tant que cette page est ouverte.",
    discard_for_good: "Ce que voient les apprenants reste tel quel. Autant à la fois ne se rétablit pas.", discarded: "Ce qui attendait est abandonné.", discarded_one: "Ce qui attendait pour « {name} » est abandonné.",
    field_description: "Description", field_hours: "Heures prévues", field_ai: "Comment l’IA y travaille", field_tutor: "Le tuteur", field_completion: "Quand il est terminé", field_metadata: "Métadonnées", field_due_at: "Échéance",
  },
};
