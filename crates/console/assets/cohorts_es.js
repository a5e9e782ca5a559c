// Words of the pages of cohorts alone.
export default {
  cohorts: {
    none_title: "Todavía no hay grupos", none: "Un grupo es una edición de un curso. Cree uno con POST /v1/cohorts, inscriba estudiantes e inícielo.",
  },
  cohort: {
    course: "Curso", active: "En curso", draft: "Sin empezar", completed: "Terminado", archived: "Archivado", students: "Estudiantes", starts: "Comienzo",
    runs: "Duración", zone: "Zona horaria", of_capacity: "{count} de {capacity} plazas", progress: "Avance", score: "Puntos", last: "Última actividad", never: "nunca",
    open: "pendiente", done: "hecha", no_score: "sin puntos", heat: "Hasta dónde ha llegado cada cual, lección por lección", which: "Qué número es qué lección",
    summary: "{mean} de media. Terminaron: {finished} de {all}; sin empezar: {idle}.", first_only: "Se muestran los primeros {count} estudiantes.", since: "Desde",
    empty_title: "Todavía no hay nadie inscrito", empty: "Inscriba personas por su dirección: POST /v1/cohorts/{id}/students.",
  },
  enrollment: {
    active: "Activo", completed: "Completado", withdrawn: "De baja",
  },
};
