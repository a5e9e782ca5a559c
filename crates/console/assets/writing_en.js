// Words of the ways to the editors.
export default {
  writing: {
    draft: "Draft activities with AI",
    edit: "Edit", add: "Add activity", add_title: "A new activity", kind: "Kind", name: "Name", add_now: "Add", add_hint: "You write it on the next page.",
  },
};
