// Wörter für Punkte, die wegen Verspätung abgezogen sind.
export default {
  late: {
    taken_off: "{counts}: {earned} erreicht, {off} Abzug wegen Verspätung",
    before: "Was die Arbeit wert ist. Danach werden {off} wegen Verspätung abgezogen.",
  },
};
