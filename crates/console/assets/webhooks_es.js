// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "Donde sus propios sistemas se enteran de lo que pasa. Cada mensaje va firmado y se vuelve a enviar hasta que llega.", none_title: "Todavía no hay receptores",
    none: "En lugar de preguntar una y otra vez, deje que el servicio avise a su sistema: indique una dirección y elija los eventos.", new: "Receptor nuevo",
    make: "Crear", url: "Receptor", url_hint: "Una dirección https a la que llegue el servicio.", description: "Para qué sirve", events: "Eventos",
    health: "Estado", arrived: "Llegaron {count} de {of}", unused: "Todavía no se ha enviado nada", on: "Activo", off: "Desactivado", switch_on: "Activar",
    switch_off: "Desactivar", ping: "Enviar una prueba", pinged: "El receptor respondió: {answer}", rotate: "Secreto nuevo", rotate_title: "¿Darle un secreto nuevo?",
    rotate_what: "Durante 24 horas los mensajes llevan ambas firmas, para que no se pierda nada durante el cambio.", secret: "Secreto de firma",
    secret_what: "Póngalo ahora en su receptor. Nadie puede volver a mostrarlo.", deliveries: "Envíos", all: "Todos los envíos", event: "Evento", id: "Id",
    answer: "Respuesta del receptor", attempts: "Intentos", next: "Próximo intento", payload: "Lo que se envió", redeliver: "Volver a enviar",
    redelivered: "Enviado de nuevo: {status}.", nothing_yet: "nada todavía", quiet_title: "Sin envíos",
    quiet: "Envíe una prueba, o espere a que ocurra algo que el receptor escuche.",
  },
  delivery: {
    delivered: "Llegó", pending: "En camino", failed: "Falló",
  },
};
