// Mots pour les points retirés à cause d’un retard.
export default {
  late: {
    taken_off: "{counts} : {earned} obtenus, {off} de moins pour retard",
    before: "Ce que vaut le travail. Ensuite, {off} sont retirés pour retard.",
  },
};
