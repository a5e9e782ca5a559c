// A course drafted by AI, from TypeScript: node generated/example.js <address> <API key> <platform code>
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/lyceum.js";

type Schemas = components["schemas"];

const [baseUrl = "", key = "", platform = ""] = process.argv.slice(2);
const lyceum = createClient<paths>({ baseUrl, headers: { "x-api-key": key, "X-Learning-Platform-Code": platform } });

/** What was answered, or an exception that names each field that is wrong. */
function must<Answer>({ data, error }: { data?: Answer; error?: Schemas["ErrorBody"] }): Answer {
  if (data !== undefined) return data;
  const { code, message, fields } = error!.error;
  throw new Error(`${code}: ${message} ${JSON.stringify(fields)}`);
}

/** A generation once it has ended. */
async function ended(id: string): Promise<Schemas["GenerationView"]> {
  for (;;) {
    const generation = must(await lyceum.GET("/v1/generations/{id}", { params: { path: { id } } }));
    if (generation.status !== "pending") return generation;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

// However often a request is sent under one key, it makes one course.
const once = { header: { "Idempotency-Key": "kitchen-hygiene" } };
const description = "Washing hands: when and how. Cleaning boards: one colour for each kind of food.";
const body = { name: "Kitchen hygiene", language: "en", hours: 2, description };
const course = must(await lyceum.POST("/v1/courses", { body, params: once }));

const params = { path: { id: course.id } };
const started = must(await lyceum.POST("/v1/courses/{id}/syllabus", { params }));
const { status } = await ended(started.id);

// The course with its units and lessons in one answer.
const query = { expand: ["units.lessons" as const] };
const { name, units } = must(await lyceum.GET("/v1/courses/{id}", { params: { ...params, query } }));
console.log(name, status);
for (const unit of units ?? []) console.log("-", unit.name, unit.lessons?.map((lesson) => lesson.name));
