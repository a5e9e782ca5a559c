// Words of the page of members.
export default {
  members: {
    sessions: "Sesiones", sessions_title: "Dónde tiene {name} sesión iniciada", sessions_what: "De quien pertenece también a otro sitio, este espacio de trabajo no sabe nada. Terminar todas cierra toda sesión que empezó antes de ahora y las que entregaron sus programas; con un nuevo inicio de sesión se vuelve a entrar.", sessions_none: "Ninguna sesión de la que sepa este espacio de trabajo.", sessions_end: "Terminar", sessions_end_all: "Terminar todas", sessions_ended: "Todas las sesiones de {name} han terminado aquí.", session_ended: "Terminada.",
    lede: "Quién forma parte de este lugar. Lo que hace cada cual consta con su nombre en todos los historiales.", role: "Rol", since: "Desde", until: "Hasta", none_title: "Todavía no hay nadie", none: "Invite a alguien.",
    invite: "Invitar a alguien", address_mailed: "Recibirá un correo con un enlace para entrar.", address_shown: "Este servicio no envía correo: se le muestra un enlace para que lo haga llegar.",
    sent: "La invitación va camino de {email}.", link_title: "La invitación de {name}", link_what: "Hágala llegar usted: deja entrar a quien la abra, una vez, como este miembro, durante siete días. Solo se muestra ahora.",
    invited: "Con invitación, aún sin entrar", invited_what: "Un enlace vale siete días, una vez. Quien está aquí por sesiones de sus propios programas no necesita aceptar.", nobody_invited_title: "No espera nadie", nobody_invited: "Todas las personas invitadas están aquí.",
    state_not_sent: "Invitación sin enviar", state_pending: "En espera", state_expired: "Su plazo terminó", state_accepted: "Aceptada",
    mail_pending: "correo en camino", mail_sent: "correo enviado", mail_failed: "el correo no llegó", mail_dropped: "no enviado",
    send: "Enviar invitación", link: "Crear un enlace", withdraw: "Retirar",
    change_role: "Cambiar el rol", role_title: "Lo que puede hacer {name} aquí", role_hint: "Propietarios y admins llevan el espacio de trabajo; los docentes se ocupan de cursos, estudiantes y calificaciones; los estudiantes aprenden.", change: "Cambiar", role_changed: "El rol de {name} es ahora {role}.",
    take_out: "Sacar", take_out_title: "¿Sacar a {name}?", take_out_what: "Su acceso termina con el próximo clic, igual que sus sesiones y las claves que se crearon aquí. Lo que hizo se queda, y durante un tiempo se puede recuperar de la papelera.", taken_out: "{name} ya no está.",
    keys: "Claves", key: "Crear una clave", key_title: "Una clave para {name}", key_what: "Lo que se haga con ella se hace como {name}. La verá entre sus claves y podrá anularla.",
    services: "Cuentas de servicio", service_what: "Un programa actúa con su propio nombre y con ningún otro. Nunca inicia sesión; dele una clave.", service_new: "Cuenta de servicio nueva", service_make: "Crear", service_made: "{name} está lista. Cree una clave para ella.", no_service_title: "Todavía no hay programas", no_service: "Aquí aparecen los programas que actúan con nombre propio.",
    every_role: "Todos los roles", suspended: "Con acceso suspendido", erased: "Borrado", rename: "Cambiar el nombre", rename_title: "Cómo se llama {name}", rename_hint: "El nombre consta en todos los historiales, también de lo anterior.", renamed: "Ahora se llama {name}.", happened: "Lo que le ocurrió", acted: "Lo que hizo", export: "Exportar sus datos", erase: "Borrar sus datos", more_for: "Más sobre {name}", receipt: "Recibo",
    taken_out_all: "Miembros que se sacaron",
  },
};
