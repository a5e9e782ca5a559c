// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "Donde sus propios sistemas se enteran de lo que pasa. Cada mensaje va firmado y se vuelve a enviar hasta que llega.", none_title: "Todavía no hay receptores",
    none: "En lugar de preguntar una y otra vez, deje que el servicio avise a su sistema: indique una dirección y elija los eventos.", new: "Receptor nuevo",
    make: "Crear", url: "Receptor", url_hint: "Una dirección https a la que llegue el servicio.", description: "Para qué sirve", events: "Eventos",
    health: "Estado", arrived: "Llegaron {count} de {of}", unused: "Todavía no se ha enviado nada", on: "Activo", off: "Desactivado", switch_on: "Activar",
    switch_off: "Desactivar", ping: "Enviar una prueba", pinged: "El receptor respondió: {answer}", rotate: "Secreto nuevo", rotate_title: "¿Darle un secreto nuevo?",
    rotate_what: "Durante 24 horas los mensajes llevan ambas firmas, para que no se pierda nada durante el cambio.", secret: "Secreto de firma",
    secret_what: "Póngalo ahora en su receptor. Nadie puede volver a mostrarlo.", deliveries: "Envíos", all_events: "Todos los eventos", all: "Todos los envíos", event: "Evento", id: "Id",
    answer: "Respuesta del receptor", headers: "Cabeceras de la respuesta", attempts: "Intentos", next: "Próximo intento", payload: "Lo que se envió", redeliver: "Volver a enviar",
    redelivered: "Enviado de nuevo: {status}.", nothing_yet: "nada todavía", quiet_title: "Sin envíos",
    quiet: "Envíe una prueba, o espere a que ocurra algo que el receptor escuche.",
    change: "Cambiar", change_title: "Cambiar «{name}»", keep: "Guardar", changed: "El receptor se ha cambiado.", url_moves: "Una dirección https a la que llegue el servicio. Lo que espera va a la nueva.", no_address: "Indique una dirección que empiece por https://.",
    hears_all: "Todos los eventos, también los tipos futuros", hears_chosen: "Solo lo que elija", family: "Todo de «{name}», también los tipos futuros", all_of_it: "todos", some_of: "{count} de {of}",
    none_chosen: "Elija al menos un evento.", no_types: "Su clave no puede leer qué otros tipos hay.", overtaken: "Alguien lo ha cambiado entretanto. Ahora está: {address}; eventos: {events}. Guarde otra vez para poner lo suyo encima.",
    delete: "Eliminar", delete_title: "¿Eliminar «{name}»?", delete_what: "Ya no se enterará de nada. Su secreto y la lista de lo que se le envió se van con él, y nadie puede recuperarlos.",
    lost: "Mensajes en camino que se perderían: {count}.", lost_more: "Mensajes en camino que se perderían: más de {count}.", deleted: "«{name}» se ha eliminado.",
    recover: "Volver a enviar lo perdido", recover_what: "Lo que falló, lo que espera y lo que pasó mientras estaba desactivado o aún no existía. Lo que llegó no se vuelve a enviar.", since: "Desde", since_hint: "Como mucho 30 días atrás, en la zona horaria {zone}.", since_wrong: "Elija un momento de los últimos 30 días.",
    recover_go: "Volver a enviar", recover_off: "Actívelo para volver a enviar lo que se perdió.", recovered: "Enviado de nuevo: {count}.", recovering: "Lo perdido desde {since}",
    recovery_running: "Se está enviando de nuevo", recovery_done: "Todo se ha enviado de nuevo", recovery_stopped: "Detenido", recovery_failed: "No todo se ha enviado de nuevo", sent_so_far: "Enviado de nuevo hasta ahora: {count}.", stop: "Detener", go_on: "Seguir",
  },
  delivery: {
    delivered: "Llegó", pending: "En camino", failed: "Falló",
  },
};
