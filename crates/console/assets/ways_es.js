// Words of the ways between what is reviewed and pages of its assignment.
export default {
  ways: {
    title: "Páginas de esta tarea",
    to_desk: "Volver a la mesa",
    to_list: "Volver a las entregas",
    waiting: "(pendientes: {count})",
    alike: "Una de {count} respuestas parecidas",
    chosen: "Solo las seleccionadas: {count}",
    chosen_hint: "En la lista de entregas. De ellas quedan fuera las direcciones y lo que espera una calificación a ciegas.",
    one_assignment: "Lo seleccionado es de {count} tareas. Se recalifica una tarea a la vez: elija una encima de la lista y seleccione allí.",
    answers: "Entregadas: {count}",
  },
};
