// Words of what is done to API keys.
export default {
  apikey: {
    change: "Cambiar", change_title: "Cambiar «{name}»", keep: "Guardar", changed: "«{name}» se ha cambiado.", keep_end: "como está: {when}", at: "en un momento que elija", ends_at: "Caduca", zone: "En la zona horaria {zone}.", past: "Elija un momento que aún no haya llegado.",
    from: "Desde dónde puede usarse", from_hint: "Direcciones, o redes como 203.0.113.0/24, una por línea. Si se deja vacío, vale desde cualquier lugar.", no_address: "«{address}» no es una dirección ni el comienzo de una red, como 203.0.113.0/24.", only_from: "Solo desde", last_from: "desde", made_by: "Creada por {name}",
    locks_out: "Ha entrado con esta clave. Cuando haya caducado, o si no puede usarse desde aquí, aquí ya no se abre nada.", over: "Entretanto ha caducado o se ha revocado.",
    rotate: "Renovar", rotate_title: "¿Renovar «{name}»?", rotate_what: "Recibe una clave nueva con el mismo nombre, los mismos permisos, el mismo fin y las mismas direcciones. Las sesiones que dio la antigua terminan con ella.",
    same_end: "La nueva caduca cuando lo hace esta: {when}. Cámbielo antes o después.", rotate_own: "Ha entrado con esta clave. Entre con la nueva antes de que esta deje de valer.",
    old: "La antigua sigue valiendo", old_0: "ya no", old_3600: "una hora", old_86400: "un día", old_604800: "siete días", old_always: "hasta que se revoque",
    of: "Claves de {name}", of_what: "Lo que se hace con ellas se hace como {name}. Aquí están las que se crearon para este miembro, y ninguna más.", none: "Nadie ha creado todavía una clave para {name}.",
  },
};
