// Words of the audit trail.
export default {
  audit: {
    lede: "Cada cambio de una calificación, una clave, una pertenencia o un ajuste, y cada eliminación: se anota junto con el cambio, y nadie puede modificarlo ni quitarlo.", when: "Cuándo", by: "Quién", action: "Qué", thing: "En qué", change: "De → a", any: "Cualquiera", from: "Desde", to: "Hasta",
    save: "Guardar como tabla (CSV)", saved: "Guardado: {count} registros.", saved_newest: "Guardado: los {count} registros más recientes. Acote el tiempo para ver los anteriores.", none_title: "Nada de este tipo", none: "Ningún registro coincide con lo elegido.",
    id: "Su identificador", people: "Quienes trabajan aquí", programs: "Programas", learners: "Estudiantes", keys: "Sus claves", only: "Solo esto: {name}", receipt: "Recibo",
  },
  audit_actor: { user: "Una persona", service: "Un programa", visitor: "Alguien con un token de un solo uso", system: "El propio servicio" },
  audit_thing: {
    unit: "Unidad", lesson: "Lección", activity: "Actividad", enrollment: "Plaza en un grupo", scorm_package: "Paquete", media_file: "Archivo multimedia", batch: "Calificar de nuevo", passkey: "Llave de acceso",
    submission: "Entrega", assignment: "Tarea", course: "Curso", cohort: "Grupo", user: "Miembro", sso_connection: "Inicio de sesión único", api_key: "Clave de API", webhook_endpoint: "Webhook", workspace: "Espacio de trabajo",
  },
};
