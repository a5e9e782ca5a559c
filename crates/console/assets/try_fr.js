// Words of what is tried before anybody sees it.
export default {
  try: {
    title: "Essayer", frame: "Le lecteur, tel que le voient les apprenants",
    what: "Ce qui est enregistré, avec le lecteur qu’ont les apprenants.",
    apart: "Ouvrir dans un onglet à part", saved_first: "Ce qui n’était pas encore enregistré l’est maintenant.",
    not_saved: "Ce que vous avez tapé en dernier n’est pas enregistré. Voici ce qui l’était avant.",
  },
  try_grading: {
    title: "Essayer sur cette réponse",
    lede: "Ce que l’évaluation donnerait à une réponse, selon la grille et les réglages tels qu’ils sont sur cette page, enregistrés ou non. Rien n’en est conservé : ni remise, ni note.",
    answer: "Une réponse", keys: "Ctrl + Entrée l’essaie. Un modèle peut prendre jusqu’à une minute.", go: "Essayer", empty: "Tapez ou collez d’abord une réponse.",
    result: "{score} points sur {max}", final: "Partirait d’elle-même", suggested: "Une personne la regarderait d’abord",
    unsaved: "Cela repose sur ce qui n’est pas enregistré : {names}.", free: "ne coûte rien", cost: "a coûté {usd} USD", unpriced: "son prix n’est pas connu",
    kept: "Rien de ceci n’est conservé.",
  },
};
