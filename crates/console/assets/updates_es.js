// Palabras de la página que actualiza un grupo.
export default {
  updates: {
    title: "Actualizar el grupo",
    lede: "Alumnos de este grupo: {learners}. Ven lo de abajo como era. Cuando se actualiza el grupo, lo ven como es ahora.",
    sees: "Como lo ve",
    now: "Como es ahora",
    until: "Ve esto como era hasta {moment}.",
    update: "Actualizar ({count})",
    ask_title: "¿Actualizar el grupo?",
    ask: "Cambian: {count}, para alumnos: {learners}. No se puede deshacer.",
    ask_now: "Actualizar",
    updated: "Está actualizado: ve el curso como es.",
    changed_meanwhile: "Ya cambiaría otra cosa. Mírela primero.",
    none_title: "Ve el curso como es",
    none_manual: "Lo que se cambia del curso mientras el grupo está en curso está aquí hasta que se actualiza.",
    none_automatic: "Lo que se cambia del curso le llega a este grupo al momento.",
  },
};
