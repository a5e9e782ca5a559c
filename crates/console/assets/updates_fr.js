// Mots de la page qui met à jour un groupe.
export default {
  updates: {
    title: "Mettre à jour le groupe",
    lede: "Apprenants de ce groupe : {learners}. Ils voient ce qui suit tel que c’était. Une fois le groupe mis à jour, ils le voient tel que c’est maintenant.",
    sees: "Tel qu’il le voit",
    now: "Tel que c’est maintenant",
    until: "Il le voit tel que c’était jusqu’au {moment}.",
    update: "Mettre à jour ({count})",
    ask_title: "Mettre à jour le groupe ?",
    ask: "Changent : {count}, pour apprenants : {learners}. On ne peut pas revenir en arrière.",
    ask_now: "Mettre à jour",
    updated: "Il est à jour : il voit le cours tel qu’il est.",
    changed_meanwhile: "Autre chose changerait désormais. Regardez-le d’abord.",
    none_title: "Il voit le cours tel qu’il est",
    none_manual: "Ce qui est modifié du cours pendant que le groupe est en cours se trouve ici jusqu’à sa mise à jour.",
    none_automatic: "Ce qui est modifié du cours parvient aussitôt à ce groupe.",
  },
};
