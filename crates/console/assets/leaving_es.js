// Palabras de lo que se pregunta antes de salir.
export default {
  leaving: {
    title: "Algo suyo no está guardado", what: "Sin guardar todavía: {count}. Está en este navegador, solo para usted entre quienes entran aquí, y vuelve cuando lo abra de nuevo.",
    shared: "En un ordenador que usan otros: deséchelo, o quédese y guárdelo antes.", drop: "Desecharlo y salir", keep: "Conservarlo y salir",
  },
};
