//! French: what outlines are labelled with. Fixed words only.

use super::Labels;

pub(super) const LABELS: Labels = Labels {
    tag: "fr",
    objective: "Objectif",
    key_points: "Points clés",
    think_about: "Pour réfléchir",
    built_in_mark: "Plan établi par le moteur intégré à partir de la description du cours, et non par un modèle de langage. Ajoutez des explications et des exemples avant de le publier.",
    quiz: "Quiz : {topic}",
    flashcards: "Cartes mémoire : {topic}",
    reflection: "Réflexion : {topic}",
    assignment: "Devoir : {topic}",
    prompts: [
        "Quelle situation vécue illustre {topic} ?",
        "Qu'est-ce qui tourne souvent mal avec {topic}, et pourquoi ?",
        "Comment expliquer {topic} à une personne qui débute ?",
    ],
    objectives: [
        "Expliquer {topic} avec ses propres mots",
        "Appliquer {topic} à une situation personnelle",
        "Analyser ce qui compte dans {topic} et pourquoi",
        "Évaluer un exemple de {topic} et donner ses raisons",
    ],
    open_points: [
        "Ce que {topic} signifie dans le cours {course}",
        "Un exemple de {topic} : à ajouter par l'enseignant",
        "Comment {topic} se relie aux autres parties de {course}",
    ],
    stages: [
        "{topic} : les bases",
        "{topic} : pas à pas",
        "{topic} : en pratique",
        "{topic} : décisions et erreurs",
    ],
    fill_blank: "Complétez le blanc",
    true_or_false: "Vrai ou faux ?",
    which_completes: "Quelle réponse complète la phrase telle qu'elle figure dans la leçon ?",
    which_belongs: "Lequel de ces sujets fait partie de l'unité {unit} ?",
    as_lesson_says: "La leçon dit : {sentence}",
    summary: "{course} en ces parties : {units}.",
    unit_description: "Cette unité porte sur {topics}.",
    lesson_summary: "Un plan sur {topic}.",
    task: "Décrivez une situation réelle ou réaliste qui concerne {topics}. Dites ce qui se passe, ce que vous décidez et faites, et pourquoi. Servez-vous de ce que vous avez appris dans les leçons, donnez des raisons et nommez une chose à changer pour que cela se passe mieux la prochaine fois. De 150 à 300 mots suffisent ; l'orthographe et la grammaire ne comptent pas.",
    criteria: [
        (
            "Compréhension",
            "Utilise correctement les idées des leçons.",
        ),
        (
            "Application",
            "Les applique à une situation concrète et dit ce qui est fait.",
        ),
        (
            "Raisons",
            "Donne des raisons et nomme un changement pour la prochaine fois.",
        ),
    ],
    levels: [
        ("Excellent", "Complet et juste, avec ses propres mots."),
        (
            "Bien",
            "Presque complet ; une partie manque ou est seulement suggérée.",
        ),
        ("Partiel", "Une idée utilisable, sans le reste."),
        (
            "Absent",
            "Rien à ce sujet, ou le contraire de ce qui a été enseigné.",
        ),
    ],
    assumptions: [
        "La description cite peu de sujets ; les unités suivent ses mots. Vérifiez leur ordre.",
        "Les durées ont été réparties également ; adaptez-les à vos apprenants.",
    ],
    and: "et",
    open_quote: "« ",
    close_quote: " »",
};
