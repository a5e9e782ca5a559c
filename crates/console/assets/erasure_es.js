// Words of what is kept of a person, and of erasing it.
export default {
  erasure: {
    export_title: "Todo lo que se guarda de {name}", export_what: "Un archivo (JSON) con cada registro de este espacio de trabajo que trata de esta persona, sin secretos. El registro de auditoría anota que se entregó.", export_save: "Guardar el archivo", exported: "Guardado. Registros en el archivo: {count}.",
    title: "¿Borrar a {name}?", for_good: "Nadie puede deshacerlo. Vale para este espacio de trabajo, y al instante.",
    goes: "Lo que se va", goes_who: "El nombre, la dirección y todo lo demás que dice quién es. En su lugar queda un seudónimo.", goes_work: "Lo que entregó, respondió y preguntó al tutor, y los comentarios y motivos de sus calificaciones.", goes_ways: "Las sesiones, las claves creadas aquí, su rol y sus plazas en grupos.", goes_trash: "Lo suyo que está en la papelera.",
    stays: "Lo que se queda", stays_points: "Puntos, momentos e identificadores bajo el seudónimo, para que cifras e historiales sigan valiendo.", stays_audit: "El registro de auditoría: tiene identificadores y ningún texto.", stays_elsewhere: "Lo que guardan otros espacios de trabajo.", stays_copies: "Las copias de seguridad anteriores y lo que recibieron webhooks y proveedores de IA: de eso se ocupa quien lleva el servicio.",
    export_first: "Si quiere una copia, guárdela antes.", type: "Escriba a quién hay que borrar", type_either: "{name} o {email}", mismatch: "No es ni el nombre ni la dirección.", erase: "Borrar para siempre",
    receipt: "Recibo de un borrado", done: "Todo lo que decía quién era está borrado. No puede volver.", now: "Se llama ahora", at: "Borrado", id: "Recibo", person: "Persona",
    what: "Registros", gone: "Borrados", kept: "Conservados", why: "Qué se hizo, y por qué puede quedar el resto", save: "Guardar como JSON", print: "Imprimir",
    not_title: "Aquí no se ha borrado a nadie", not: "Esta persona sigue aquí, así que no hay recibo.",
  },
  erased_table: {
    ai_calls: "Llamadas de IA", api_keys: "Sesiones y claves", attempts: "Intentos en cuestionarios", audit_entries: "Registro de auditoría", batch_items: "Calificar de nuevo", bulk_writes: "Muchas escrituras a la vez", digests: "Resúmenes por correo", due_overrides: "Otros plazos", enrollments: "Plazas en grupos", events: "Sucesos", grades: "Calificaciones",
    idempotency_replies: "Respuestas recordadas", jobs: "Trabajo en curso", lesson_completions: "Lecciones hechas", login_tokens: "Enlaces y tokens", mails: "Correos", people: "La persona", scorm_learners: "Enlaces de plataformas de aprendizaje", submissions: "Entregas", trash_rows: "En la papelera", tutor_turns: "Conversaciones con el tutor", users: "El miembro", webhook_deliveries: "Mensajes de webhooks",
  },
};
