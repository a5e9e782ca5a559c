// Words of looking through lists, and of their order.
export default {
  find: {
    courses: "Buscar un curso", cohorts: "Buscar un grupo", people: "Buscar por nombre o dirección", students: "Buscar un estudiante", deleted: "Buscar por nombre",
    learners: "Buscar un estudiante", sort: "Orden", newest: "Lo más nuevo primero", oldest: "Lo más antiguo primero", changed: "Lo último cambiado primero", name: "Por nombre",
    count: "Encontrado: {count}", nothing_title: "No se encontró nada", nothing: "Aquí no hay nada con «{q}».", nothing_chosen: "Aquí no hay nada como lo eligió.", clear: "Mostrar todo",
    key: "Buscar",
  },
};
