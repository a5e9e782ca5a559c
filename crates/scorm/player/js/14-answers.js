// What a learner answered, in the form in which the service takes answers, read from the question's own controls.
// Ids that an author left out are made from the place, as the service makes them.

const idOf = (thing, letter, at) => String(thing && thing.id !== undefined && thing.id !== null && thing.id !== "" ? thing.id : letter + (at + 1));

function checkedIds(q, node) {
  const options = list(q.options);
  const chosen = Array.from(node.querySelectorAll("input:checked"), (input) => Number(input.value));
  return chosen.sort((a, b) => a - b).map((at) => idOf(options[at], "o", at));
}

function fieldText(node) {
  const field = node.querySelector("input, textarea");
  return field ? field.value.trim() : "";
}

const ANSWER_FORMS = {
  single_choice: (q, node) => checkedIds(q, node)[0],
  multiple_choice: checkedIds,
  true_false: (q, node) => node.querySelector("input[value='0']").checked,
  short_text: (q, node) => fieldText(node),
  numeric: (q, node) => readNumber(fieldText(node)),
  cloze: (q, node) => Object.fromEntries(Array.from(node.querySelectorAll("[data-blank]"), (input) => [input.dataset.blank, input.value.trim()])),
  ordering: (q, node) => Array.from(node.querySelectorAll("[data-item]"), (row) => idOf(list(q.items)[row.dataset.item], "i", Number(row.dataset.item))),
  matching: (q, node) => {
    const id = (at) => idOf(list(q.pairs)[at], "p", Number(at));
    return Object.fromEntries(Array.from(node.querySelectorAll("select"), (select, at) => [id(at), id(select.value)]));
  },
  open: (q, node) => fieldText(node),
};

// What was asked, where that was not everything: the service scores nothing else.
function askedOf(parts, content) {
  if (parts.length === list(content.questions).length) return {};
  return { asked: parts.map(({ q, at }) => ({ id: idOf(q, "q", at), at })).sort((one, other) => one.at - other.at).map(({ id }) => id) };
}

// `parts` are those of a quiz's form: {q, at, node}.
function answersOf(parts) {
  return Object.fromEntries(parts.map(({ q, at, node }) => [idOf(q, "q", at), (ANSWER_FORMS[q.type] || ANSWER_FORMS.open)(q, node)]));
}
