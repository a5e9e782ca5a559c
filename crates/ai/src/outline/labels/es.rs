//! Spanish: what outlines are labelled with. Fixed words only.

use super::Labels;

pub(super) const LABELS: Labels = Labels {
    tag: "es",
    objective: "Objetivo",
    key_points: "Ideas clave",
    think_about: "Para pensar",
    built_in_mark: "Esquema hecho por el motor integrado a partir de la descripción del curso, no por un modelo de lenguaje. Añade explicaciones y ejemplos antes de publicarlo.",
    quiz: "Cuestionario: {topic}",
    flashcards: "Tarjetas: {topic}",
    reflection: "Reflexión: {topic}",
    assignment: "Tarea: {topic}",
    prompts: [
        "¿Qué situación de tu experiencia muestra {topic}?",
        "¿Qué suele salir mal con {topic} y por qué?",
        "¿Cómo explicarías {topic} a alguien nuevo?",
    ],
    objectives: [
        "Explicar {topic} con palabras propias",
        "Aplicar {topic} a una situación propia",
        "Analizar qué importa en {topic} y por qué",
        "Valorar un ejemplo de {topic} y dar razones",
    ],
    open_points: [
        "Qué significa {topic} en el curso {course}",
        "Un ejemplo de {topic}: lo añade el docente",
        "Cómo se relaciona {topic} con las otras partes de {course}",
    ],
    stages: [
        "{topic}: lo básico",
        "{topic}: paso a paso",
        "{topic}: en la práctica",
        "{topic}: decisiones y errores",
    ],
    fill_blank: "Completa el hueco",
    true_or_false: "¿Verdadero o falso?",
    which_completes: "¿Qué opción completa la frase tal como está en la lección?",
    which_belongs: "¿Cuál de estos temas pertenece a la unidad {unit}?",
    as_lesson_says: "La lección dice: {sentence}",
    summary: "{course} en estas partes: {units}.",
    unit_description: "Esta unidad trata de {topics}.",
    lesson_summary: "Un esquema de {topic}.",
    task: "Describe una situación real o realista sobre {topics}. Di qué ocurre, qué decides y haces, y por qué. Usa lo que aprendiste en las lecciones, da razones y nombra una cosa que cambiarías para que la próxima vez salga mejor. Bastan de 150 a 300 palabras; la ortografía y la gramática no cuentan.",
    criteria: [
        (
            "Comprensión",
            "Usa correctamente las ideas de las lecciones.",
        ),
        (
            "Aplicación",
            "Las aplica a una situación concreta y dice qué se hace.",
        ),
        (
            "Razones",
            "Da razones y nombra un cambio para la próxima vez.",
        ),
    ],
    levels: [
        ("Excelente", "Completo y correcto, con palabras propias."),
        ("Bueno", "Casi completo; una parte falta o solo se insinúa."),
        ("Parcial", "Una idea útil, sin el resto."),
        ("Falta", "Nada al respecto, o lo contrario de lo enseñado."),
    ],
    assumptions: [
        "La descripción nombra pocos temas; las unidades siguen sus palabras. Conviene revisar el orden.",
        "Los tiempos se repartieron por igual; conviene ajustarlos al grupo.",
    ],
    and: "y",
    open_quote: "«",
    close_quote: "»",
};
