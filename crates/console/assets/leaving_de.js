// Wörter dessen, was vor dem Abmelden gefragt wird.
export default {
  leaving: {
    title: "Von Ihnen ist etwas nicht gespeichert", what: "Noch nicht gespeichert: {count}. Es steht in diesem Browser, unter denen, die sich hier anmelden, nur für Sie, und ist wieder da, wenn Sie es öffnen.",
    shared: "An einem Rechner, den auch andere benutzen: verwerfen Sie es, oder bleiben Sie und speichern Sie es erst.", drop: "Verwerfen und abmelden", keep: "Behalten und abmelden",
  },
};
