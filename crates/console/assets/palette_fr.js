// Words of the palette alone.
export default {
  palette: {
    title: "Aller à, ou faire", input: "Une page, un cours, une leçon, un groupe, une personne, ou quelque chose à faire", hint: "↑ ↓ choisissent, Entrée y va, Échap ferme",
    results: "Ce qui a été trouvé", recent: "Récemment", actions: "Sur cette page", pages: "Pages", courses: "Cours", lessons: "Leçons", cohorts: "Groupes", people: "Personnes",
    account: "Votre compte", trash: "Ce qui a été supprimé", count: "Trouvé : {count}", looking: "Recherche …", nothing: "Rien n’a été trouvé pour « {q} ».",
  },
};
