// Words of the palette alone.
export default {
  palette: {
    title: "Ir a, o hacer", input: "Una página, un curso, una lección, un grupo, una persona, o algo que hacer", hint: "↑ ↓ eligen, Intro va allí, Esc cierra", results: "Lo encontrado",
    recent: "Últimamente", actions: "En esta página", pages: "Páginas", courses: "Cursos", lessons: "Lecciones", cohorts: "Grupos", people: "Personas", account: "Su cuenta",
    trash: "Lo eliminado", count: "Encontrado: {count}", looking: "Buscando …", nothing: "No se encontró nada para «{q}».",
  },
};
