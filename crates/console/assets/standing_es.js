// Words of who falls behind alone.
export default {
  standing: {
    rules: "Con qué reglas", yours: "Estas reglas son suyas, para mirar: nadie se califica con ellas y los estudiantes no ven nada de esto.", apply: "Aplicar", reset: "Como estaban",
    rule_overdue: "Tareas vencidas", hint_overdue: "Tantas o más que vencieron desde su llegada y no se entregaron.",
    rule_inactive_days: "Días sin hacer nada", hint_inactive_days: "Tantos o más desde que se hizo una lección, se intentó una actividad o se entregó algo.",
    rule_low_total: "Total por debajo de, en por ciento", hint_low_total: "En las calificaciones, de al menos dos tareas calificadas.",
    rule_pace: "Puntos por detrás del calendario", hint_pace: "Tantos o más entre sus lecciones y el tiempo que ha pasado de su estancia en el grupo, ambos en por ciento. El grupo necesita comienzo y fin.",
    behind: "A quién conviene hablar", signs: "Señales", lessons: "Lecciones", total: "Total", no_total: "aún nada", learners: "Estudiantes",
    sign_overdue: "tareas vencidas: {count}", sign_inactive: "días sin hacer nada: {count}",
    sign_low_total: "{total} hasta ahora", sign_pace: "puntos por detrás del calendario: {count}",
    short: "Conviene hablar con {count} de {of}.", read: "{count} estudiantes leídos.", nobody: "Según estas reglas nadie se queda atrás.", not_running: "El grupo no está en marcha: nadie se queda atrás en él.", others: "Los demás ({count})",
    first_only: "Solo se leen los primeros {count} estudiantes.", csv: "Descargar CSV", file: "quien-se-queda-atras", saved: "Guardado: {name}",
    spread: "Hasta dónde ha llegado el grupo", spread_said: "Estudiantes: {count}. De media han hecho el {mean} de las lecciones.", spread_said_expected: "Ha pasado el {expected} del tiempo; con menos lecciones hechas: {behind}.",
    spread_label: "Barras: cuántos de {count} estudiantes hay en cada décima parte de las lecciones. La mayoría está de {from} a {to}: {most}.", spread_label_expected: "Una línea encima: ha pasado el {expected} del tiempo.",
    mark: "Tiempo {expected}", from_to: "{from} a {to}", bins: "Estudiantes en cada décima parte de las lecciones", table: "Como tabla",
  },
};
