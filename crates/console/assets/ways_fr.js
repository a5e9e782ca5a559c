// Words of the ways between what is reviewed and pages of its assignment.
export default {
  ways: {
    title: "Pages de ce devoir",
    to_desk: "Retour au bureau",
    to_list: "Retour aux travaux",
    waiting: "(en attente : {count})",
    alike: "Une de {count} réponses semblables",
    chosen: "Seulement la sélection : {count}",
    chosen_hint: "Dans la liste des travaux. Les adresses et ce qui attend une note à l’aveugle sont laissés de côté.",
    one_assignment: "La sélection porte sur {count} devoirs. On renote un devoir à la fois : choisissez-en un au-dessus de la liste, puis sélectionnez.",
    answers: "Remises : {count}",
  },
};
