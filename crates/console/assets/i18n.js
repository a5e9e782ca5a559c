// Words of the interface: a module per language, English where one has nothing.
import en from "./en.js";

export const LANGUAGES = { en: "English", de: "Deutsch", ar: "العربية", es: "Español", fr: "Français" };
const RIGHT_TO_LEFT = new Set(["ar"]);
const loaded = { en };
let language = "en";

export function currentLanguage() {
  return language;
}

export async function useLanguage(tag) {
  const wanted = tag in LANGUAGES ? tag : "en";
  if (!loaded[wanted]) loaded[wanted] = (await import(`./${wanted}.js`)).default;
  language = wanted;
  document.documentElement.lang = wanted;
  document.documentElement.dir = RIGHT_TO_LEFT.has(wanted) ? "rtl" : "ltr";
}

// Words of one page alone are in modules of their own, and come with it.
export async function useWords(page) {
  const read = async (tag) => Object.assign(loaded[tag], (await import(`./${page}_${tag}.js`)).default);
  await Promise.all(["en", language].map(read));
}

// The first language of the reader's that there are words for.
export function preferredLanguage(...first) {
  const tags = [...first, ...navigator.languages].map((tag) => tag?.split("-")[0].toLowerCase());
  return tags.find((tag) => tag in LANGUAGES) || "en";
}

// "review.accept" is the word `accept` of the group `review`.
function find(strings, key) {
  const [group, ...rest] = key.split(".");
  return rest.length ? strings[group]?.[rest.join("_")] : strings[group];
}

export function has(key) {
  return find(en, key) !== undefined;
}

export function t(key, values = {}) {
  const text = find(loaded[language], key) ?? find(en, key) ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

// A word of the service, such as a state: in the reader's language where there is one, else as it is.
export function word(group, value) {
  const key = `${group}.${value}`;
  return has(key) ? t(key) : String(value).replaceAll("_", " ");
}
