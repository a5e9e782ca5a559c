// Words of the ways to the editors.
export default {
  writing: {
    edit: "Edit", add: "Add activity", add_title: "A new activity", kind: "Kind", name: "Name", add_now: "Add", add_hint: "You write it on the next page.",
  },
};
