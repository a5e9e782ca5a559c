// Words of the page of packages alone.
export default {
  packages: {
    learners: "Estudiantes", learners_of: "Estudiantes del paquete",
    learners_lede: "Quién vino con él, y lo que su sistema de aprendizaje dijo de ellos y de sí mismo: nada de eso está comprobado.", nobody_title: "Aún no ha venido nadie",
    nobody: "Los estudiantes aparecen aquí desde su primer inicio.", lms_id: "Id allí", lms: "Sistema", seen: "Visto por última vez", trust: "Identidad",
    any: "Cualquier identidad",
    lede: "Un paquete es el curso de un grupo tal como está al pedirlo, para cualquier sistema de gestión del aprendizaje.", none_title: "Todavía no hay paquetes",
    none: "Elija un grupo; el paquete está listo en segundos, y puede verlo aquí antes de subirlo.", new: "Paquete nuevo", make: "Crear",
    cohort: "Grupo", course: "Curso", version: "Edición", version_hint: "2004 sabe más; los sistemas antiguos solo admiten 1.2.",
    connected: "Conectado a este servicio",
    connected_hint: "Los estudiantes pueden entonces entregar trabajos y preguntar al tutor. Sin esto, el paquete no hace ninguna solicitud.", size: "Tamaño", preview: "Vista previa",
    download: "Descargar", revoke: "Revocar", revoke_title: "¿Revocar el paquete?",
    revoke_what: "Ya no deja entrar a ningún estudiante, esté donde esté. No se puede deshacer.", revoked: "Revocado.",
    asked: "El paquete se está creando.", ready: "El paquete está listo.", failed: "No se pudo crear el paquete.",
  },
  package: {
    ready: "Listo", pending: "En preparación", error: "Fallido", revoked: "Revocado",
  },
  scorm_trust: {
    first_use: "Primero con este id", proven: "Probada", unverified: "No probada",
  },
};
