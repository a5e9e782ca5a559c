// Palabras para los puntos descontados por llegar tarde.
export default {
  late: {
    taken_off: "{counts}: {earned} obtenidos, {off} menos por llegar tarde",
    before: "Lo que vale el trabajo. Después se descuentan {off} por llegar tarde.",
  },
};
