// Words of what changes courses and their outlines, and of nothing else.
export default {
  authoring: {
    new_course: "Curso nuevo", create: "Crear", name_missing: "Necesita un nombre.", none: "Basta un nombre. El plan, las lecciones y las tareas vienen después, hechos por usted o esbozados por la IA.",
    none_in_state: "Ninguno en este estado", none_in_state_what: "Elija arriba otro estado para ver sus demás cursos.",
    language: "Idioma del contenido", language_hint: "Una etiqueta como en, es o pt-BR.", description: "De qué trata", description_hint: "Lo leen los alumnos. La IA esboza a partir de ello.", hours: "Horas previstas",
    settings: "Ajustes del curso", clone: "Hacer una copia", clone_title: "Copiar este curso", clone_hint: "Se copian unidades, lecciones, actividades y tareas. Los grupos, los alumnos y las fechas de entrega no.", copy_of: "{name} (copia)",
    archive: "Archivar", archived: "«{name}» está archivado.", to_trash: "Lo eliminado",
    delete: "Eliminar", delete_course: "Eliminar el curso", delete_course_title: "¿Eliminar este curso?", delete_goes: "Con él se va:", delete_empty: "No hay nada en él.",
    delete_back: "Va a la papelera y se puede recuperar de allí, entero, hasta la fecha que allí consta.", delete_again: "Pulse otra vez para eliminarlo de todos modos.",
    used: "Los alumnos lo han usado: {uses}.", used_title: "¿Eliminar lo que los alumnos han usado?", used_hint: "Su trabajo va también a la papelera y vuelve con ello.", delete_all_the_same: "Eliminar de todos modos",
    undo: "Deshacer", undone: "Deshecho: {what}", not_undone: "No se ha deshecho, porque ha cambiado desde entonces: {what}", nothing_to_undo: "No hay nada que deshacer.",
    overtaken: "Otra persona lo ha cambiado entretanto. No se ha guardado nada de lo suyo.", overtaken_by: "{name} lo ha cambiado entretanto. No se ha guardado nada de lo suyo.",
    empty: "Empiece con una unidad y escriba en ella sus lecciones. O deje que la IA esboce un plan a partir de lo que trata el curso.", nothing_yet: "Aún no hay unidades",
    count_unit: "Unidades: {count}", count_lesson: "Lecciones: {count}", count_activity: "Actividades: {count}", count_assignment: "Tareas: {count}", count_cohort: "Grupos: {count}",
    add_unit: "Añadir una unidad", add_lesson: "Añadir una lección", add_activity: "Añadir una actividad", new_unit: "Nombre de la nueva unidad", new_lesson: "Nombre de la nueva lección", new_hint: "Intro la añade y pasa a la siguiente, Esc termina.",
    new_activity: "Actividad nueva", kind: "Tipo", kind_hint: "Lo que se pregunta o se muestra en ella se escribe después.", new_assignment: "Tarea nueva", no_assignments: "Ninguna que sea del curso en su conjunto.",
    task: "Qué hay que hacer", task_hint: "Lo leen los alumnos. Cómo se califica viene después.", max_score: "Puntos como máximo", due: "Entrega", due_hint: "En la zona horaria {zone}. Puede quedar vacío.",
    created: "Añadido: {name}", edit: "Editar", edit_named: "Editar {name}", rename: "Cambiar el nombre", name_of: "Nombre de {name}", renamed: "«{from}» se llama ahora «{to}».",
    more_for: "Más sobre {name}", drag: "Arrastrar para mover", move: "Mover", move_up: "Subir", move_down: "Bajar", move_to: "Mover a …", move_title: "¿Adónde?", move_one: "«{name}» va al final de lo que elija.", move_many: "{count} van al final de lo que elija.",
    into_lesson: "Unidad", into_activity: "Lección", into_hint: "Dentro de este curso.", moved: "«{name}» está en el lugar {at} de {of} en «{into}».", moved_many: "Movidos a «{into}»: {count}.", is_first: "Ya está en primer lugar.", is_last: "Ya está en último lugar.",
    select: "Seleccionar {name}", select_one: "Seleccionar", unselect: "No seleccionar", selected: "Seleccionados: {count}", select_none: "No seleccionar nada",
    deleted: "{what} «{name}»: en la papelera.", deleted_many: "En la papelera: {counts}",
  },
  thing: {
    course: "Curso", unit: "Unidad", lesson: "Lección", activity: "Actividad", assignment: "Tarea", cohort: "Grupo", submission: "Entrega", enrollment: "Plaza en un grupo", user: "Miembro", scorm_package: "Paquete",
    media_file: "Archivo multimedia",
  },
};
