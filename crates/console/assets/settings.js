// How somebody likes it: language, colours, shortcuts. The only thing that outlives a reload; a key never does.
const STORE = "lyceum-console";
let settings = { language: null, theme: "auto", shortcuts: true };

try {
  settings = { ...settings, ...JSON.parse(localStorage.getItem(STORE)) };
} catch {
  // A browser that keeps nothing, or kept something else: the defaults will do.
}

export function setting(name) {
  return settings[name];
}

export function remember(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(STORE, JSON.stringify(settings));
  } catch {
    // Then it holds until the page is closed.
  }
}

export function applyTheme() {
  document.documentElement.dataset.theme = settings.theme;
  dispatchEvent(new Event("theme"));
}
