// Words of the page of what was deleted alone.
export default {
  trash: {
    title: "Lo eliminado", lede: "Todo lo que hay aquí se puede recuperar como estaba, con lo que colgaba de ello, hasta su fecha.", none_title: "No se ha eliminado nada", none: "Lo que alguien elimina se puede recuperar de aquí durante un tiempo.",
    along: "Lo que se fue con ello", count: "{kind}: {count}", deleted: "Eliminado", until: "Hasta", restore: "Recuperar", restored: "«{name}» ha vuelto.", open: "Ir allí",
    kind: "Tipo", every_kind: "Todos los tipos", deleted_by: "Eliminado por", by_anybody: "Por cualquiera", me: "{name} (usted)", destroy: "Destruir", destroy_title: "{thing}: ¿destruir «{name}» para siempre?", destroy_what: "Después nadie podrá recuperarlo.", destroy_with: "Después nadie podrá recuperarlo, ni lo que se fue con ello: {parts}.", destroyed: "«{name}» ya no existe.",
  },
  thing: {
    course: "Curso", unit: "Unidad", lesson: "Lección", activity: "Actividad", assignment: "Tarea", cohort: "Grupo", submission: "Entrega", enrollment: "Plaza en un grupo", user: "Miembro", scorm_package: "Paquete",
    media_file: "Archivo multimedia",
  },
  kind: {
    courses: "Cursos", units: "Unidades", lessons: "Lecciones", activities: "Actividades", assignments: "Tareas", cohorts: "Grupos", enrollments: "Plazas en grupos", submissions: "Entregas", grades: "Calificaciones", attempts: "Intentos",
    lesson_completions: "Lecciones hechas", tutor_turns: "Conversaciones con el tutor", scorm_packages: "Paquetes", users: "Miembros", media_files: "Archivos multimedia",
  },
};
