// What ids are called. Asked for once; who may not see a name sees that it is a student, a course, a cohort.
import { can, get } from "./api.js";

const SOURCES = {
  usr: ["users", "read:students", (user) => user.name || user.email],
  crs: ["courses", "read:courses", (course) => course.name],
  coh: ["cohorts", "read:courses", (cohort) => cohort.name],
  asg: ["assignments", "read:lessons", (assignment) => assignment.name],
  les: ["lessons", "read:lessons", (lesson) => lesson.name],
};
const known = new Map();

// Things whose pages were looked at, the last first: {href, name, area}. For as long as Studio is open, and for whom it is.
const MOST_VISITS = 6;
let visits = [];

export function forget() {
  known.clear();
  visits = [];
}

export function visit(one) {
  visits = [one, ...visits.filter(({ href }) => href !== one.href)].slice(0, MOST_VISITS + 1);
}

export const visited = () => visits;

export function learn(id, name) {
  known.set(id, Promise.resolve(name));
}

// Who acted, as far as that is said or may be looked up: nobody's name where AI or the service itself did.
export async function calledOf(actor) {
  return actor?.name || (actor?.id ? nameOf(actor.id) : "");
}

export function nameOf(id) {
  const [path, scope, read] = SOURCES[id?.split("_")[0]] || [];
  if (!path || !can(scope)) return Promise.resolve("");
  if (!known.has(id))
    known.set(
      id,
      get(`/v1/${path}/${id}`)
        .then(read)
        .catch(() => ""),
    );
  return known.get(id);
}
