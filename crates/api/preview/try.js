// The page around what is tried: says what this is in the reader's language, and begins anew with what is saved by then.
const WORDS = {
  en: {
    said: "A try of what is saved: nothing is reported to anybody, and nothing is kept.",
    again: "Start over",
    frame: "As learners see it",
    ended: "This address has come to its end. Open the try again from where you came.",
  },
  de: {
    said: "Eine Probe dessen, was gespeichert ist: Nichts wird gemeldet, und nichts wird aufgehoben.",
    again: "Von vorn beginnen",
    frame: "So sehen es die Lernenden",
    ended: "Diese Adresse gilt nicht mehr. Öffnen Sie die Probe noch einmal von dort, woher Sie kamen.",
  },
  ar: {
    said: "تجربة لما هو محفوظ: لا يُبلَّغ أحد بشيء، ولا يُحفظ شيء.",
    again: "البدء من جديد",
    frame: "كما يراه المتعلمون",
    ended: "انتهت صلاحية هذا العنوان. افتح التجربة مرة أخرى من حيث أتيت.",
  },
  es: {
    said: "Una prueba de lo que está guardado: no se comunica nada a nadie ni se conserva nada.",
    again: "Empezar de nuevo",
    frame: "Como lo ven los alumnos",
    ended: "Esta dirección ha caducado. Abra la prueba otra vez desde donde vino.",
  },
  fr: {
    said: "Un essai de ce qui est enregistré : rien n’est transmis à personne, et rien n’est conservé.",
    again: "Recommencer",
    frame: "Tel que le voient les apprenants",
    ended: "Cette adresse n’est plus valable. Rouvrez l’essai depuis la page d’où vous venez.",
  },
};

const find = (name) => document.getElementById(name);
const known = (tag) => String(tag).toLowerCase().split("-")[0];

// Whoever opens the page may say in which language, behind the #; else the browser does.
function language() {
  const wanted = [location.hash.slice(1), ...(navigator.languages || [])].map(known);
  return wanted.find((one) => Object.hasOwn(WORDS, one)) || "en";
}

const spoken = language();
const words = WORDS[spoken];
const page = document.documentElement;
page.lang = spoken;
page.dir = spoken === "ar" ? "rtl" : "ltr";
find("said").textContent = words.said;
find("again").textContent = words.again;
find("course").title = words.frame;

// The frame is of no origin, so that its place cannot be read: it is put there anew.
find("again").addEventListener("click", () => {
  if (Date.now() / 1000 > Number(page.dataset.expires)) {
    find("said").textContent = words.ended;
    return;
  }
  const frame = find("course");
  frame.src = frame.getAttribute("src");
});
