// Mots de ce qui est demandé avant de se déconnecter.
export default {
  leaving: {
    title: "Quelque chose de vous n’est pas enregistré", what: "Pas encore enregistré : {count}. C’est dans ce navigateur, pour vous seul parmi ceux qui s’y connectent, et revient quand vous le rouvrez.",
    shared: "Sur un ordinateur que d’autres utilisent : jetez-le, ou restez et enregistrez-le d’abord.", drop: "Le jeter et se déconnecter", keep: "Le garder et se déconnecter",
  },
};
