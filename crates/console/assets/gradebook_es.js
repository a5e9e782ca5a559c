// Words of the book of grades alone.
export default {
  gradebook: {
    title: "Calificaciones", grid: "Calificaciones de {name}", total: "Total", total_of: "Total de {name}", no_total: "aún sin total", of_points: "de {points}", due: "vence el {date}", file: "calificaciones",
    csv: "Guardar como CSV", xlsx: "Guardar como XLSX", weighing: "Cómo se pondera", unweighed: "Nadie ha dicho cómo pesan las tareas: van todas juntas, puntos entre puntos posibles.",
    counts_as_zero: "Lo que falta cuenta como cero.", none: "Las tareas y los cuestionarios puntuados del curso aparecen aquí en cuanto los haya.", none_title: "Todavía no hay nada que calificar",
    nobody: "Inscriba a gente en el grupo: cada persona tiene aquí una línea.", absent: "sin entregar", waits: "en espera", zero: "falta: cero", dropped: "descartada", late: "con retraso", newer: "otra en espera",
    group: "Grupo", weight: "Peso", points: "Puntos", percent: "Por ciento", dropped_tasks: "Descartadas", nothing_counts: "aún no cuenta nada", weighs_nothing: "no pesa nada",
    no_group: "En ningún grupo", all_tasks: "Todas las tareas", task: "Tarea", tasks: "Qué tarea está en qué grupo", group_of: "Grupo de {name}", unnamed: "Sin nombre",
    scheme_hint: "Dentro de un grupo se suman los puntos; el total es la media de los grupos según su peso. Vale para todas las ediciones del curso.",
    weight_in_percent: "Peso en por ciento", drop_lowest: "Tareas que se descartan", attempt: "Intento que cuenta", attempt_best: "El mejor", attempt_latest: "El último", attempt_first: "El primero",
    remove: "Quitar", add_group: "Añadir un grupo", sum: "En total: {sum}.", rest: "Lo que no está en ningún grupo pesa el {rest} restante.", too_much: "Es más del 100 %.",
    missing: "Lo que venció y falta", missing_ignored: "Cuenta como si aún no venciera", missing_zero: "Cuenta como cero", missing_hint: "Lo que aún no ha vencido no cuenta de ninguna manera.",
    save: "Guardar", saved: "Desde ahora se pondera así.", overtaken: "Mientras tanto alguien ha cambiado el curso. Cierre esto y ábralo de nuevo para ver cómo está.",
  },
};
