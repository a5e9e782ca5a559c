// Who there is to have done something, by name.
import { currentLanguage } from "./i18n.js";
import { everything } from "./lists.js";

const STAFF = ["owner", "admin", "teacher"];

const named = (found) =>
  found.map((one) => [one.id, one.name || one.email]).sort(([, one], [, other]) => one.localeCompare(other, currentLanguage(), { numeric: true }));

// Those who work here, and programs, by name: pairs of id and name.
export async function workers(signal) {
  const some = async (query) => (await everything("/v1/users", query, signal)).data;
  const [programs, ...people] = await Promise.all([some({ kind: "service" }), ...STAFF.map((role) => some({ role, kind: "person" }))]);
  return { people: named(people.flat()), programs: named(programs) };
}

// Learners may be many: the first of them by name. Any other is come to by their row among the members.
export async function someLearners(signal) {
  const { data } = await everything("/v1/users", { role: "student", kind: "person", sort: "name" }, signal, 1);
  return named(data);
}
