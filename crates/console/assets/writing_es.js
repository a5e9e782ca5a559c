// Palabras de los caminos a los editores.
export default {
  writing: {
    draft: "Redactar actividades con IA",
    edit: "Editar", add: "Añadir actividad", add_title: "Una actividad nueva", kind: "Tipo", name: "Nombre", add_now: "Añadir", add_hint: "Se escribe en la página siguiente.",
  },
};
