// Words of what something was before.
export default {
  versions: {
    title: "Historial", lede: "Lo que era antes de cambiar. Lo que una persona guarda en diez minutos es un solo cambio.",
    list: "Versiones", version: "Versión {number}", there_now: "Lo que hay ahora", you: "Usted", somebody: "Alguien", older: "Las más antiguas no se muestran.",
    differences: "Qué difiere", shown: "Se muestra la versión {number}.", since: "añadido desde entonces", gone: "quitado desde entonces", then: "Entonces", now: "Ahora",
    same: "Dice lo mismo que lo que hay ahora.", unseen: "Difiere en lo que nadie lee, como los identificadores.",
    restore: "Restaurar", restore_what: "Vuelve a ser lo que era entonces. Lo que hay ahora también se conserva como versión.",
    restored: "La versión {number} ha vuelto.",
    none_title: "Todavía no ha cambiado nada", none: "Cuando cambie, aquí aparecerá lo que era antes.", yes: "sí", no: "no",
    field_name: "Nombre", field_summary: "Resumen", field_objectives: "Objetivos", field_duration_minutes: "Minutos", field_language: "Idioma",
    field_content: "Texto", field_activities_content: "Contenido", field_instructions: "Instrucciones", field_max_score: "Puntos", field_max_attempts: "Intentos", field_rubric: "Rúbrica",
    field_late_policy: "Entrega tardía", field_ai_evaluator: "Calificación con IA", field_human_review: "Quién decide", field_release: "Publicación de notas", field_feedback: "Comentarios",
    member_options: "Opciones", member_blanks: "Huecos", member_pairs: "Parejas", member_items: "Elementos", member_turns: "Intervenciones", member_audio: "Grabación",
    member_criteria: "Criterios", member_description: "Descripción", member_max_points: "Puntos máximos", member_weight: "Peso", member_levels: "Niveles", member_name: "Nombre",
    member_tone: "Tono", member_verbosity: "Extensión", member_enabled: "Activado", member_model: "Modelo",
    member_percent_per_day: "Descuento por día en por ciento", member_floor_percent: "No menos de por ciento", member_grace_minutes: "Minutos de gracia",
  },
};
