// Changing what AI proposes before it lands: by the members that a person could change of the thing once it is there.
import { formOf, mark } from "./activity_forms.js";
import { alike } from "./alike.js";
import { acting, button, field, h, icon, replace } from "./dom.js";
import { t } from "./i18n.js";
import { explain } from "./router.js";

const MOST = 100_000;
const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

// A control of a member, and how it is read.
const CONTROLS = {
  name: (value) => [h("input.field.title-field", { dir: "auto", maxlength: 255, value }), (node) => node.value.trim()],
  duration_minutes: (value) => [h("input.field.narrow", { type: "number", min: 0, max: 10_000, value }), (node) => Math.round(Number(node.value)) || 0],
  objectives: (value) => [h("textarea.field", { dir: "auto", rows: 3, value: (value || []).join("\n") }), (node) => lines(node.value)],
};
const text = (rows) => (value) => [h("textarea.field", { dir: "auto", rows, maxlength: MOST, value: value ?? "" }), (node) => node.value];

const FIELDS = {
  unit: ["name", "description", "objectives"],
  lesson: ["name", "duration_minutes", "summary", "objectives", "content"],
  activity: ["name"],
  assignment: ["name", "instructions"],
};
const LABELS = {
  name: "editor.name", duration_minutes: "editor.minutes", summary: "editor.summary", objectives: "editor.objectives", content: "versions.field_content",
  description: "proposals.field_description", instructions: "versions.field_instructions",
};

function controlOf(name, value) {
  const make = CONTROLS[name] || text(name === "content" ? 18 : 4);
  const [input, read] = make(value);
  const row = field(t(LABELS[name]), input, name === "objectives" ? t("editor.objectives_hint") : undefined);
  row.dataset.place = name;
  return { row, read: () => read(input) };
}

// The form of an activity's content, as its editor has it.
async function contentOf(proposal, node) {
  const { formOfKind } = await import("./activity_editor.js");
  const content = structuredClone(proposal.content);
  const make = await formOfKind(proposal.kind);
  node.append(...[make(formOf(() => {}, null), content)].flat(2).filter(Boolean));
  return () => content;
}

// `submit` is given what was changed.
export async function editForm({ kind, proposal }, { submit, cancel }) {
  const controls = FIELDS[kind].map((name) => [name, controlOf(name, proposal[name])]);
  const inside = h("div.author-form", controls.map(([, { row }]) => row));
  const content = kind === "activity" ? await contentOf(proposal, inside) : null;
  const trouble = h("div", { role: "alert" });
  const changed = () => {
    const all = controls.map(([name, { read }]) => [name, read()]);
    if (content) all.push(["content", content()]);
    return Object.fromEntries(all.filter(([name, value]) => !alike(value, proposal[name] ?? "")));
  };
  const run = async () => {
    replace(trouble);
    try {
      await submit(changed());
    } catch (error) {
      const fields = Object.fromEntries(Object.entries(error.fields || {}).map(([name, why]) => [name.replace(`${kind}.`, ""), why]));
      mark(inside, fields);
      replace(trouble, h("p.trouble", icon("warn"), explain(error)));
    }
  };
  const go = acting(t("proposals.accept_changed"), run, { look: "main", icon: "check" });
  const form = h(
    "form.stack",
    {
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        go.click();
      },
    },
    kind === "assignment" && h("p.hint", t("proposals.rubric_later")),
    inside,
    trouble,
    h("div.row.deciding", go, button(t("cancel"), cancel, { look: "quiet" })),
  );
  return form;
}
