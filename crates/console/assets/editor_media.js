// Pictures of a text: into the media library, and named where they belong.
import { ApiError, get, upload } from "./api.js";
import { formDialog } from "./dialogs.js";
import { field, h } from "./dom.js";
import { t } from "./i18n.js";
import { lastLine } from "./editor_blocks.js";
import { complain } from "./router.js";

const LOOK_EVERY_MS = 700;
const PATIENCE_MS = 120_000;

// In brackets, marks of a text would be marks.
const plain = (words) => words.replaceAll(/[[\]\\`*_<>]/g, " ").replaceAll(/\s+/g, " ").trim();

// The file as the library has it, once it was looked at.
async function kept(file, signal) {
  const form = new FormData();
  form.append("file", file, file.name || "picture");
  let medium = await upload("/v1/media", form, signal);
  const end = Date.now() + PATIENCE_MS;
  while (medium.status === "pending" && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    medium = await get(`/v1/media/${medium.id}`, {}, signal);
  }
  if (medium.status === "error") throw new Error(medium.error?.message || medium.error?.code || "");
  return medium;
}

// Puts files where the text stands now. What is typed meanwhile moves the place along; the text never waits.
export function pictures(view, status, signal) {
  const under = new Set();

  async function put(file, alt, place) {
    under.add(place);
    status.uploading(under.size);
    try {
      const { address } = await kept(file, signal);
      if (signal.aborted) return;
      const insert = `${place.before}![${plain(alt)}](${address})${place.after}`;
      view.dispatch({ changes: { from: place.at, insert }, userEvent: "input.picture" });
    } catch (error) {
      // Whoever has left the text finds the picture in the library.
      if (signal.aborted) return;
      if (error.status === undefined) status.refused(file.name, error.message);
      else complain(error);
    } finally {
      under.delete(place);
      status.uploading(under.size);
    }
  }

  const block = (at) => {
    const line = lastLine(view.state.doc, view.state.doc.lineAt(at));
    const alone = !line.text.trim();
    return { at: alone ? line.from : line.to, before: alone ? "" : "\n\n", after: "" };
  };

  return {
    // Every change of the text, so that places stay where they are.
    moved(changes) {
      for (const place of under) place.at = changes.mapPos(place.at, 1);
    },
    put: (files, alt = "") => files.map((file) => put(file, alt, block(view.state.selection.main.head))),
    at: (file, alt, at) => put(file, alt, { at, before: "", after: "" }),
  };
}

// Asks for a file and for what it shows.
export function pictureDialog(take) {
  const file = h("input.field", { type: "file", accept: "image/png, image/jpeg, image/webp, image/gif, image/svg+xml" });
  const alt = h("input.field", { dir: "auto", maxlength: 500 });
  const body = h("div.stack", field(t("editor.picture_file"), file), field(t("editor.picture_alt"), alt, t("editor.picture_alt_hint")));
  // What it shows comes next.
  file.addEventListener("change", () => file.files.length && alt.focus());
  formDialog(t("editor.do_picture"), body, t("editor.picture_put"), async () => {
    if (!file.files.length) throw new ApiError(400, { code: "nothing_chosen", message: t("editor.picture_none") });
    return () => take(file.files[0], alt.value);
  });
  // Nobody asks for the dialog without wanting to choose.
  file.click();
}
