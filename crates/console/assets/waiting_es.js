// Palabras de lo que espera a publicarse.
export default {
  waiting: {
    title: "Lo que espera", lede: "El alumnado aún no ve nada de esto. Al publicarlo aparece todo a la vez; los grupos que se actualizan a mano lo ven cuando se actualizan. Añadir, mover y borrar no esperan: se ven al momento.",
    note: "Los cambios de este curso esperan hasta que se publiquen. Lo que acepte de la IA no espera.", look: "Ver lo que espera", not_seen_yet: "El alumnado aún no lo ve así.", tag: "espera",
    switch: "Los cambios esperan hasta que se publiquen", on: "A partir de ahora los cambios hechos aquí esperan.", off: "A partir de ahora los cambios hechos aquí se ven al momento. Lo que espera sigue esperando.",
    count: "En espera: {count}", none_now: "No espera nada", at_once: "El alumnado ve al momento lo que se cambia aquí.", at_once_by_choice: "El alumnado ve al momento lo que se cambia aquí, salvo en los grupos que se actualizan a mano.",
    none_title: "No espera nada", none: "Lo que se cambia del curso mientras los cambios esperan está aquí hasta que se publica.",
    notices: "Lo que notará el alumnado", nobody: "Nadie ha aprendido todavía con nada de esto.",
    notice_cohorts_under_way: "Grupos en marcha que lo reciben al momento: {count}, con alumnos: {learners}.",
    notice_cohorts_by_choice: "Grupos en marcha que se actualizan a mano: {count}, con alumnos: {learners}. Hasta que se actualizan ven las unidades, lecciones, actividades y tareas como están.", choosers: "Grupos que se actualizan a mano",
    notice_completed_lessons: "Lecciones que cambian y que hay quien ha terminado: {count} (alumnos: {learners}). Siguen terminadas.",
    notice_tried_activities: "Actividades que cambian y que hay quien ha intentado: {count} (alumnos: {learners}). Sus resultados se quedan.", notice_ungraded_work: "Entregas de tareas que cambian, aún sin calificar: {count} (alumnos: {learners}).",
    notice_graded_work: "Entregas calificadas de tareas que cambian: {count} (alumnos: {learners}). Las notas se quedan.",
    changes: "Cambios", comes: "se añade", goes: "se va", edit: "Editar", base_changed: "cambiado entretanto", base_changed_what: "Entretanto alguien ha cambiado lo mismo al momento. Al publicarlo, esto va por encima.",
    publish: "Publicar todo ({count})", publish_title: "¿Publicar lo que espera?", publish_what: "Cambian: {count}. Todo se publica a la vez.", publish_over: "Entretanto alguien ha cambiado lo mismo al momento: {names}. Lo que espera va por encima.",
    publish_now: "Publicar", published: "Está publicado: el alumnado lo ve ahora.", published_by_choice: "Está publicado. Los grupos que se actualizan a mano lo ven cuando se actualizan.", changed_meanwhile: "Ya espera otra cosa. Mírala primero.",
    discard: "Descartar todo", discard_one: "Descartar", discard_named: "Descartar lo que espera para {name}", discard_title: "¿Descartar lo que espera?", discard_few: "Lo que ve el alumnado se queda como está. Se puede deshacer mientras esta página esté abierta.",
    discard_for_good: "Lo que ve el alumnado se queda como está. Tanto a la vez no se puede deshacer.", discarded: "Lo que esperaba está descartado.", discarded_one: "Lo que esperaba para «{name}» está descartado.",
    field_description: "Descripción", field_hours: "Horas previstas", field_ai: "Cómo trabaja la IA", field_tutor: "El tutor", field_completion: "Cuándo está terminado", field_metadata: "Metadatos", field_due_at: "Fecha límite",
  },
};
