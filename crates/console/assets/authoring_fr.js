// Words of what changes courses and their outlines, and of nothing else.
export default {
  authoring: {
    new_course: "Nouveau cours", create: "Créer", name_missing: "Il lui faut un nom.", none: "Un nom suffit. Le plan, les leçons et les devoirs viennent ensuite, de vous ou ébauchés par l’IA.",
    none_in_state: "Aucun dans cet état", none_in_state_what: "Choisissez un autre état ci-dessus pour voir vos autres cours.",
    language: "Langue du contenu", language_hint: "Une étiquette telle que en, fr ou pt-BR.", description: "De quoi il s’agit", description_hint: "Les apprenants le lisent. L’IA ébauche à partir de cela.", hours: "Heures prévues",
    settings: "Réglages du cours", clone: "Faire une copie", clone_title: "Copier ce cours", clone_hint: "Les unités, leçons, activités et devoirs sont copiés. Les groupes, les apprenants et les échéances ne le sont pas.", copy_of: "{name} (copie)",
    archive: "Archiver", archived: "« {name} » est archivé.", to_trash: "Ce qui a été supprimé",
    delete: "Supprimer", delete_course: "Supprimer le cours", delete_course_title: "Supprimer ce cours ?", delete_goes: "Avec lui s’en va :", delete_empty: "Il n’y a rien dedans.",
    delete_back: "Il va à la corbeille et peut en être rétabli, entier, jusqu’à la date qui y figure.", delete_again: "Appuyez encore une fois pour le supprimer malgré tout.",
    used: "Des apprenants l’ont utilisé : {uses}.", used_title: "Supprimer ce que des apprenants ont utilisé ?", used_hint: "Leur travail va aussi à la corbeille et revient avec.", delete_all_the_same: "Supprimer malgré tout",
    undo: "Annuler", undone: "Annulé : {what}", not_undone: "Non annulé, car cela a changé depuis : {what}", nothing_to_undo: "Il n’y a rien à annuler.",
    overtaken: "Quelqu’un d’autre l’a changé entre-temps. Rien de ce que vous avez fait n’est enregistré.", overtaken_by: "{name} l’a changé entre-temps. Rien de ce que vous avez fait n’est enregistré.",
    empty: "Commencez par une unité et écrivez-y ses leçons. Ou laissez l’IA ébaucher un plan à partir du sujet du cours.", nothing_yet: "Pas encore d’unités",
    count_unit: "Unités : {count}", count_lesson: "Leçons : {count}", count_activity: "Activités : {count}", count_assignment: "Devoirs : {count}", count_cohort: "Groupes : {count}",
    add_unit: "Ajouter une unité", add_lesson: "Ajouter une leçon", add_activity: "Ajouter une activité", new_unit: "Nom de la nouvelle unité", new_lesson: "Nom de la nouvelle leçon", new_hint: "Entrée l’ajoute et passe à la suivante, Échap termine.",
    new_activity: "Nouvelle activité", kind: "Type", kind_hint: "Ce qu’on y demande ou montre s’écrit ensuite.", new_assignment: "Nouveau devoir", no_assignments: "Aucun qui appartienne au cours dans son ensemble.",
    task: "Ce qu’il faut faire", task_hint: "Les apprenants le lisent. Ce d’après quoi on note vient ensuite.", max_score: "Points au plus", due: "Échéance", due_hint: "Dans le fuseau horaire {zone}. Peut rester vide.",
    created: "Ajouté : {name}", edit: "Modifier", edit_named: "Modifier {name}", rename: "Renommer", name_of: "Nom de {name}", renamed: "« {from} » s’appelle maintenant « {to} ».",
    more_for: "Plus sur {name}", drag: "Glisser pour déplacer", move: "Déplacer", move_up: "Monter", move_down: "Descendre", move_to: "Déplacer vers …", move_title: "Où ?", move_one: "« {name} » va à la fin de ce que vous choisissez.", move_many: "{count} vont à la fin de ce que vous choisissez.",
    into_lesson: "Unité", into_activity: "Leçon", into_hint: "Dans ce cours.", moved: "« {name} » est à la place {at} sur {of} dans « {into} ».", moved_many: "Déplacés vers « {into} » : {count}.", is_first: "C’est déjà en première place.", is_last: "C’est déjà en dernière place.",
    select: "Sélectionner {name}", select_one: "Sélectionner", unselect: "Ne plus sélectionner", selected: "Sélectionnés : {count}", select_none: "Ne rien sélectionner",
    deleted: "{what} « {name} » : à la corbeille.", deleted_many: "À la corbeille : {counts}",
  },
  thing: {
    course: "Cours", unit: "Unité", lesson: "Leçon", activity: "Activité", assignment: "Devoir", cohort: "Groupe", submission: "Remise", enrollment: "Place dans un groupe", user: "Membre", scorm_package: "Paquet",
    media_file: "Fichier multimédia",
  },
};
