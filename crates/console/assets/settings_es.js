// Words of the settings of a course alone.
export default {
  setting: {
    title: "Ajustes del curso", about: "El curso", save: "Guardar", saved: "Los ajustes del curso están guardados.", yes: "sí", no: "no",
    theirs: "Esto es lo que hay ahora, donde difiere de lo que usted tiene aquí:", theirs_same: "Lo que hay ahora es lo mismo que tiene aquí.", take_theirs: "Tomar eso y descartar lo mío", keep_mine: "Guardar lo mío encima",
    completion: "Cuándo se termina", completion_rule: "Un alumno lo ha terminado cuando", rule_everything: "ha hecho todos los pasos", rule_share: "ha hecho una parte de los pasos", rule_quizzes: "ha aprobado todos los cuestionarios", rule_assignments: "ha entregado todas las tareas",
    completion_percent: "Parte, en porcentaje", completion_passing_percent: "Aprobado desde, en porcentaje", passing_hint: "Si queda vacío, es la media de lo que piden los cuestionarios.",
    ai: "Cómo trabaja la IA en él", ai_instructions: "Indicaciones para la IA", ai_instructions_hint: "Se leen con cada borrador, cada calificación y cada respuesta del tutor: tono, nivel, términos.",
    ai_evaluator: "Modelo que califica", model_hint: "Si queda vacío, es el del servicio.",
    tutor: "El tutor", tutor_enabled: "Los alumnos pueden preguntar al tutor", tutor_guard_tasks: "No revela las respuestas de tareas abiertas", tutor_scope: "Dónde mira", scope_course: "En todo el curso", scope_lesson: "Solo en la lección de la que se trata",
    tutor_max_hint_level: "Hasta dónde ayuda", hint_1: "Una pregunta y el pasaje que leer", hint_2: "Además, una pista", hint_3: "Hasta el camino entero, paso a paso",
    tutor_instructions: "Indicaciones para el tutor", tutor_instructions_hint: "Las lee un modelo: no escriba soluciones aquí.", tutor_model: "Modelo del tutor", tutor_model_hint: "Si queda vacío, es el que califica.",
  },
};
