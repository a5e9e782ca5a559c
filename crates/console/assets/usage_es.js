// Words of the page of what AI cost alone.
export default {
  usage: {
    month: "Mes", calls: "Llamadas", in: "Tokens leídos", out: "Tokens escritos", tokens: "Tokens", cost: "Coste", money: "Dinero", day: "Día", by_day: "Por día",
    by_feature: "Por finalidad", by_model: "Por modelo", chart: "Tokens por día; la tabla de abajo tiene los mismos números", as_table: "Lo mismo en una tabla",
    budget: "Presupuesto de este mes", used_of: "{used} de {most} ({share})",
    no_budget: "Sin fijar: la IA puede gastar sin límite.", resets: "Vuelve a empezar: {when}.", every: "Cada llamada",
    what: "Finalidad", model: "Modelo", sent: "Lo que salió de casa", outcome: "Resultado", latency: "Tardó", at: "Cuándo", none_title: "Ninguna llamada en este mes",
    none: "El motor integrado no llama a nadie y no cuesta nada. Cuando hay un modelo de lenguaje conectado, cada llamada se anota aquí.",
    set: "Fijar el presupuesto",
    budget_title: "¿Cuánto puede gastar la IA al mes?",
    money_usd: "Dinero, en dólares",
    set_hint: "Vacío no tiene límite. Cuando se agota, la IA no hace nada hasta que vuelve a empezar; las personas siguen como siempre.",
    save: "Guardar",
    saved: "El presupuesto está guardado.",
    chart_money: "Dinero por día; la tabla de abajo tiene los mismos números", picture: "Lo que muestra la imagen", csv: "Descargar CSV", unpriced: "Llamadas cuyo precio no se conoce: {count}. No están en la imagen.", every_purpose: "Todas las finalidades", none_of_title: "Ninguna llamada para esto", none_of: "No se ha llamado a la IA con esta finalidad.", of_service: "Este lo fija el servicio; el que usted fije ocupa su lugar.", no_number: "Eso no es un número.", failure: "Cuando falla un proveedor", failure_hint: "Falla del todo tras una larga espera, o al instante si se niega. Lo que hizo el motor integrado en su lugar lo dice.", shares: "Lo que pueden gastar los estudiantes", shares_hint: "Las partes son del presupuesto de un mes; el personal puede gastarlo todo. Las fija quien lleva el servicio.", learners_percent: "Todos los estudiantes juntos", package_percent: "Los de un paquete", learner_hour: "Entregas que califica la IA en una hora, por estudiante", package_hour: "Entregas que califica la IA en una hora, por paquete",
  },
  feature: {
    grading: "Calificar", explaining: "Explicar", drafting: "Redactar", checking: "Comprobar borradores", tutoring: "Tutor", speaking: "Voz",
  },
  outcome: {
    answered: "Respondida", invalid: "Inservible", refused: "Rechazada", unavailable: "Sin respuesta",
  },
  failure: { error: "Termina en el error", built_in: "Lo hace el motor integrado" },
};
