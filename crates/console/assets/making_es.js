// Words of drafting with AI alone.
export default {
  making: {
    draft_lessons: "Redactar lecciones con IA", draft_text: "Redactar el texto con IA", draft_activities: "Redactar actividades con IA", draft_content: "Redactar el contenido con IA", waiting: "Hay propuestas de la IA que le esperan",
    open: "Redactar con IA", title: "Redactar un programa", brief: "Qué curso debe ser",
    brief_hint: "Para quién es, qué deben saber hacer después, qué no puede faltar.", hours: "Horas", content: "Cuánto", outline: "El plan",
    full: "El plan y todos los textos", mode: "Lo que ya existe", append: "se queda, el borrador va detrás", replace: "se sustituyen los borradores de la IA",
    replace_hint: "Lo que una persona escribió o cambió, y lo que los estudiantes han usado, se queda siempre. Al final se indica qué se conservó.", start: "Empezar",
    running: "La IA está redactando", progress: "Avance del borrador",
    steps: "{done} de {total} pasos hechos. En el curso no aparece nada hasta que esté todo.", cancel: "Cancelar el borrador",
    canceled: "Cancelado. Los pasos terminados se guardan para el próximo intento.", ready: "El borrador está listo.", kept_title: "El borrador está listo, y esto se conservó",
    kept: "Partes conservadas: {count}. Todo lo demás que la IA había redactado se sustituyó.", kept_more: "y {count} más",
  },
  piece: {
    unit: "Unidad", lesson: "Lección", activity: "Actividad", assignment: "Tarea",
  },
  kept: {
    in_use: "los estudiantes lo han usado", edited: "una persona lo hizo o lo cambió",
  },
  generation: {
    error: "El borrador falló", canceled: "Cancelado",
  },
};
