export default {
  place_of: "{at} de {of}",
  choose_platform: "¿Qué plataforma?",
  again: "Reintentar", cancel: "Cancelar", close: "Cerrar", copy: "Copiar", copied: "Copiado.",
  copy_failed: "No se pudo copiar. Seleccione el texto y cópielo a mano.", more: "Mostrar más", more_loaded: "Se muestran {count} más.", loading: "Cargando",
  go_to: "Ir a …", skip: "Ir al contenido", menu: "Menú", nav_label: "Studio", language: "Idioma", theme_label: "Colores", handbook: "Manual (en inglés)", sign_out: "Cerrar sesión", name: "Nombre",
  email: "Dirección", status: "Estado", made: "Creado", actions: "Acciones", student: "Estudiante", just_now: "ahora mismo", no_score: "aún sin puntos",
  no_price: "sin precio", points_of: "{score} de {max}", request_id: "Solicitud", unknown_view: "Esta página no existe.", secret_kept: "Ya lo he guardado",
  theme: {
    auto: "Como el sistema", light: "Claro", dark: "Oscuro",
  },
  nav: {
    overview: "Resumen", review: "Mesa de revisión", submissions: "Entregas", courses: "Cursos", cohorts: "Grupos", packages: "Paquetes", webhooks: "Webhooks", keys: "Claves de API",
    sso: "Inicio de sesión único", usage: "Uso de IA", members: "Miembros", work: "En segundo plano", audit: "Registro de auditoría",
  },
  role: {
    owner: "Propietario", admin: "Admin", teacher: "Docente", student: "Estudiante",
  },
  error: {
    title: "No se pudo hacer", own: "Studio cometió un error. Vuelva a cargar la página e inténtelo de nuevo.",
    unreachable: "No se puede llegar al servicio. ¿Está en marcha, y hay conexión?", offline: "No hay conexión: la red ha desaparecido. Vuelva a intentarlo cuando regrese.", scope: "Su clave no puede hacer esto: le falta {scope}.",
    role: "Su rol aquí no lo permite.", missing: "No existe, o ya no está.", rate: "Demasiadas solicitudes en este momento. Espere un instante.",
    budget: "El presupuesto de IA de este mes está agotado.", recent: "Para esto hay que estar seguro de que es usted. Cierre la sesión y vuelva a iniciarla.",
  },
  invitations: {
    title: "Tiene una invitación", what: "Sus claves abren un espacio de trabajo en cuanto acepte. Cualquiera puede ponerle al suyo el nombre que quiera: fíjese en el código, el uuid y quién invita.",
    accept: "Aceptar", decline: "Rechazar", said_accept: "Ahora forma parte de {name}.", said_decline: "No forma parte de {name}.",
  },
  overview: {
    held: "Retenidas para usted", ungraded: "{count} más aún sin calificar", published: "{count} publicados", active: "{count} en curso, con estudiantes: {students}",
    spent: "IA este mes", calls: "{count} llamadas", budget_left: "quedan {left} ({share})", no_budget: "sin presupuesto fijado", little_title: "Con esta clave se ve poco", little: "Abre la puerta y no muestra nada de lo que hay detrás. Inicie sesión con una que pueda leer cursos o entregas.", waiting: "Le espera",
    to_desk: "A la mesa de revisión", recent: "Qué ha pasado",
    nothing_title: "No le espera nada",
    nothing: "Cuando la IA duda de una calificación, o una tarea pide una persona, el trabajo llega a esta mesa antes de que se vean los puntos.",
  },
  events: {
    none_title: "Todavía no ha pasado nada", none: "Cada cambio deja un evento. Cree un curso o inscriba a alguien y aparecerá aquí.",
  },
  event: {
    by: "por {name}", steps: "(pasos: {count})", submission_graded: "La IA calificó", submission_created: "Empezada:", submission_submitted: "Entregada:",
    submission_grading_failed: "La IA no pudo calificar", submission_reopened: "Decisión retirada:", submission_reviewed: "Una persona calificó", submission_updated: "Más tiempo para", submission_explained: "La IA explicó la calificación de",
    submission_returned: "Devuelta:", submission_released: "Comunicada por un certificado:", certificate_drawn: "Sorteada para calificar a ciegas:", certificate_issued: "Certificado emitido:", certificate_refused: "Certificado no obtenido:", certificate_paused: "Certificado en pausa:", certificate_revoked: "Certificado revocado:", certificate_ended: "Certificado terminado:", submission_deleted: "Entrega eliminada:", course_created: "Curso nuevo", course_updated: "Curso modificado:",
    course_published: "Publicado:", course_archived: "Archivado:", course_deleted: "Curso eliminado:", cohort_created: "Grupo nuevo",
    cohort_updated: "Grupo modificado:", cohort_content_updated: "Grupo actualizado al curso tal como está:", cohort_started: "Grupo iniciado:", cohort_completed: "Grupo terminado:", cohort_archived: "Grupo archivado:",
    cohort_deleted: "Grupo eliminado:", unit_created: "Unidad nueva", unit_updated: "Unidad modificada:", unit_deleted: "Unidad eliminada:", lesson_created: "Lección nueva",
    lesson_updated: "Lección modificada:", lesson_deleted: "Lección eliminada:", lesson_completed: "Lección completada:", activity_created: "Actividad nueva",
    activity_updated: "Actividad modificada:", activity_deleted: "Actividad eliminada:", assignment_created: "Tarea nueva",
    assignment_updated: "Tarea modificada:", assignment_deleted: "Tarea eliminada:", enrollment_created: "Inscripción:",
    enrollment_deleted: "Salió del grupo:", generation_ready: "La IA redactó", generation_failed: "La IA no pudo redactar",
    generation_canceled: "Borrador cancelado:", scorm_ready: "Paquete listo:", scorm_failed: "Paquete fallido:", scorm_revoked: "Paquete revocado:",
    media_file_ready: "Archivo multimedia listo:", media_file_failed: "Archivo multimedia no admitido:", media_file_deleted: "Archivo multimedia eliminado:", media_file_restored: "Archivo multimedia de vuelta:",
    batch_progressed: "La IA trabaja en", batch_ready: "Nuevas calificaciones en vista previa:", batch_completed: "La IA terminó con", batch_committed: "Nuevas calificaciones aplicadas:",
    batch_undone: "Nuevas calificaciones deshechas:", batch_stopped: "Detenido:", user_created: "Persona nueva:", user_updated: "Perfil modificado:", user_deleted: "Dejó la plataforma:", user_erased: "Datos borrados:",
    api_key_created: "Clave de API nueva", api_key_revoked: "Clave de API revocada:", webhook_endpoint_disabled: "Webhook desactivado:", ping: "Prueba enviada",
    course_restored: "Curso de vuelta:", cohort_restored: "Grupo de vuelta:", unit_restored: "Unidad de vuelta:", lesson_restored: "Lección de vuelta:", activity_restored: "Actividad de vuelta:",
    assignment_restored: "Tarea de vuelta:", enrollment_restored: "De vuelta en el grupo:", submission_restored: "Entrega de vuelta:", user_restored: "De vuelta en la plataforma:",
  },
  courses: {
    none_title: "Todavía no hay cursos", none: "Quien puede escribir cursos los crea aquí.",
  },
  course: {
    all: "Todos los estados", published: "Publicado", draft: "Borrador", archived: "Archivado", hours: "{hours} h", length: "Duración",
    hours_made: "{hours} h previstas, {made} h escritas", minutes: "{minutes} min", lessons: "Lecciones: {count}", points: "{points} puntos", due: "vence",
    publish: "Publicar", unarchive: "Volver a publicar", assignments: "Tareas del curso", empty_title: "Todavía está vacío",
    empty: "Pida a la IA que redacte un programa a partir de una descripción. El borrador espera aquí, marcado como redactado por la IA.",
    draft_with_ai: "Redactar con IA",
  },
  human_review: {
    required: "Una persona decide cada calificación", optional: "Las calificaciones dudosas esperan a una persona", off: "Las calificaciones de la IA se comunican, salvo si el texto da órdenes al calificador",
  },
  origin: {
    human: "Escrito por una persona", ai: "Redactado por IA", ai_edited: "IA, revisado", import: "Importado",
  },
  activity: {
    quiz: "Cuestionario", flashcards: "Tarjetas", explainer: "Explicación", podcast: "Pódcast", video: "Vídeo", reflection: "Reflexión",
  },
  lesson: {
    objectives: "Objetivos", activities: "Actividades", empty_title: "Todavía sin texto", empty: "Esta lección tiene un lugar en el plan y aún no tiene palabras.",
    parts: "Partes: {count}", unwritten: "Aún sin escribir", origin: "Origen", pager: "Lecciones anterior y siguiente",
  },
  prose: {
    picture: "{alt} (imagen en {host})", picture_only: "Imagen en {host}",
  },
  assignment: {
    edit: "Editar", statistics: "Estadísticas", pages: "Páginas de la tarea", certificate: "Certificado", groups: "Respuestas parecidas", redteam: "Red team", ai: "Calificar todo", regrades: "Recalificar",
    calibration: "¿Califica la IA como usted?",
  },
  submission: {
    draft: "Borrador", submitted: "Sin calificar", in_review: "Retenida", graded: "Calificada", returned: "Devuelta",
  },
  keys: {
    next: "Siguiente", previous: "Anterior", criterion: "Marcar los pasajes de un criterio", escape: "Quitar la marca", help: "Teclado", title: "Atajos de teclado",
    about: "Funcionan mientras no se escribe, y solo si están activados arriba.", switch: "Atajos",
    lede: "Sus propias claves en todas las plataformas. Dé a cada programa una propia, con no más de lo que necesita.", none_title: "No hay claves",
    none: "Cree una para cada programa que hable con la API.", new: "Clave nueva", make: "Crear la clave", mine: "Lo que puede su clave", name_hint: "El programa que la usará.",
    scopes: "Permisos", scopes_hint: "Lo que puede hacer. Una clave no puede conceder lo que la suya no tiene.", expires: "Caduca", never: "nunca", days7: "en 7 días",
    days30: "en 30 días", days365: "en un año", used: "Último uso", live: "Válida", this: "En uso aquí", revoked: "Revocada", expired: "Caducada",
    revoke: "Revocar", revoke_title: "¿Revocar “{name}”?", revoke_what: "Falla desde la próxima solicitud, y sus sesiones también.",
    revoke_own: "Es la clave con la que inició sesión. Su sesión se cerrará.", revoked_now: "La clave ya no abre nada.",
    secret: "Su nueva clave", secret_what: "Cópiela ahora. Solo se guarda su huella, así que nadie puede volver a mostrarla.",
    none_chosen: "Elija al menos un permiso.",
  },
  key: {
    session: "Sesión de un estudiante",
  },
};
