// Lyceum from TypeScript, with types generated from its OpenAPI document. docs/api.md says how; a test runs this.
//
//   node generated/client.js <address of the service> <API key> <platform code>
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/lyceum.js";

type Course = components["schemas"]["CourseView"];
type ErrorBody = components["schemas"]["ErrorBody"];

const [baseUrl = "", key = "", platform = ""] = process.argv.slice(2);
const lyceum = createClient<paths>({
  baseUrl,
  headers: { "x-api-key": key, "X-Learning-Platform-Code": platform },
});

/** What was answered, or an exception that says what was wrong. */
function must<Answer>({ data, error }: { data?: Answer; error?: ErrorBody }): Answer {
  if (data === undefined) throw new Error(error ? `${error.error.code}: ${error.error.message}` : "no answer");
  return data;
}

/** All courses, page by page. */
async function* pagesOfCourses(limit: number): AsyncGenerator<Course[]> {
  let startingAfter: string | undefined;
  for (;;) {
    const page = must(await lyceum.GET("/v1/courses", { params: { query: { limit, startingAfter } } }));
    yield page.data;
    if (!page.has_more) return;
    startingAfter = page.next_cursor;
  }
}

const made: string[] = [];
for (let number = 1; number <= 45; number += 1) {
  const body = { name: `Course ${number}`, language: "en", description: "By hand", metadata: { batch: number % 2 } };
  made.push(must(await lyceum.POST("/v1/courses", { body })).id);
}
const pages: string[][] = [];
for await (const page of pagesOfCourses(20)) pages.push(page.map((course) => course.id));

const odd = must(await lyceum.GET("/v1/courses", { params: { query: { metadata: { batch: "1" }, limit: 100 } } }));

// What is not named in a change stays as it is; null clears.
const id = made[0] ?? "";
const changed = must(
  await lyceum.PATCH("/v1/courses/{id}", {
    params: { path: { id }, query: { expand: ["units"] } },
    body: { name: "Food safety", description: null },
  }),
);
const status: "draft" | "published" | "archived" = changed.status;

// @ts-expect-error The types know that a name and a language are missing, and so does the service.
const refused = await lyceum.POST("/v1/courses", { body: { hours: 8 } });

const unknown = { params: { path: { id: "crs_01kazv9h8ye5x8q9c4t7m2n3p6" } } };
const missing = await lyceum.GET("/v1/courses/{id}", unknown);

// The same key twice makes one course.
const once = { body: { name: "Only once", language: "en" }, params: { header: { "Idempotency-Key": "only-once" } } };
const first = await lyceum.POST("/v1/courses", once);
const second = await lyceum.POST("/v1/courses", once);

console.log(
  JSON.stringify({
    made,
    pages,
    odd: odd.data.length,
    changed: { id: changed.id, name: changed.name, description: changed.description, hours: changed.duration.hours, status, units: changed.units?.length },
    refused: { status: refused.response.status, code: refused.error?.error.code, fields: refused.error?.error.fields },
    missing: { status: missing.response.status, code: missing.error?.error.code },
    once: [must(first).id, must(second).id],
    replayed: [first, second].map(({ response }) => response.headers.get("idempotent-replayed")),
  }),
);
