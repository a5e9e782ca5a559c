// Words of what is tried before anybody sees it.
export default {
  try: {
    title: "Probar", frame: "El reproductor, como lo ven los alumnos",
    what: "Lo que está guardado, con el reproductor que tienen los alumnos.",
    apart: "Abrir en una pestaña propia", saved_first: "Lo que aún no estaba guardado ya lo está.",
    not_saved: "Lo último que escribió no está guardado. Esto es lo que se guardó antes.",
  },
  try_grading: {
    title: "Probar con esta respuesta",
    lede: "Lo que daría la evaluación a una respuesta, según la rúbrica y los ajustes tal como están en esta página, guardados o no. No se conserva nada: ni entrega ni nota.",
    answer: "Una respuesta", keys: "Ctrl + Intro la prueba. Un modelo puede tardar hasta un minuto.", go: "Probar", empty: "Escriba o pegue antes una respuesta.",
    result: "{score} de {max} puntos", final: "Saldría por sí sola", suggested: "Antes la miraría una persona", unsaved: "Se basa en lo que no está guardado: {names}.",
    free: "no cuesta nada", cost: "costó {usd} USD", unpriced: "no se conoce su precio", kept: "No se conserva nada de esto.",
  },
};
