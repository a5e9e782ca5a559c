// Style sheets that some views alone need: fetched when somebody first goes there.
import { h } from "./dom.js";

const sheets = new Map();

// Done when it is there. Where it does not come, the view is shown without.
export function sheet(name) {
  if (!sheets.has(name)) {
    const coming = new Promise((resolve) => {
      document.head.append(h("link", { rel: "stylesheet", href: `/studio/${name}`, onload: resolve, onerror: resolve }));
    });
    sheets.set(name, coming);
  }
  return sheets.get(name);
}
