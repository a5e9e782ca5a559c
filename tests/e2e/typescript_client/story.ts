// From a course to a graded answer and the event that tells of it, by the generated types alone:
//   node generated/story.js <address of the service> <API key> <platform code>
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/lyceum.js";

type Schemas = components["schemas"];

const [baseUrl = "", key = "", platform = ""] = process.argv.slice(2);
const lyceum = createClient<paths>({ baseUrl, headers: { "x-api-key": key, "X-Learning-Platform-Code": platform } });

function must<Answer>({ data, error }: { data?: Answer; error?: Schemas["ErrorBody"] }): Answer {
  if (data === undefined) throw new Error(error ? JSON.stringify(error) : "no answer");
  return data;
}

const id = (id: string) => ({ params: { path: { id } } });
const WORK = "I divide the stew into shallow containers and cool it in an ice bath within 90 minutes.";

const course = must(await lyceum.POST("/v1/courses", { body: { name: "Cooling", language: "en", options: { idempotencyKey: "story-course" } } }));
const unit = must(await lyceum.POST("/v1/units", { body: { course_id: course.id, name: "Cooling" } }));
const lesson = must(await lyceum.POST("/v1/lessons", { body: { unit_id: unit.id, name: "Cold", content: "Keep it cold." } }));
const quiz = must(
  await lyceum.POST("/v1/activities", {
    body: {
      lesson_id: lesson.id, kind: "quiz", name: "Check yourself",
      content: {
        questions: [
          { type: "true_false", prompt: "20 degrees is safe.", answer: false },
          { type: "numeric", prompt: "Within how many minutes?", answer: 90, tolerance: 5 },
        ],
      },
    },
  }),
);
// The kind tells what the content is, and the type of a question what it asks for.
const asked = quiz.kind === "quiz" ? quiz.content.questions?.map((question) => (question.type === "numeric" ? question.answer : question.type)) : [];

const assignment = must(
  await lyceum.POST("/v1/assignments", {
    body: {
      course_id: course.id, name: "Cool a stew", human_review: "off",
      rubric: { criteria: [{ id: "method", name: "Method", max_points: 10, reference_answers: [WORK] }] },
    },
  }),
);
must(await lyceum.POST("/v1/courses/{id}/publish", id(course.id)));
const cohort = must(await lyceum.POST("/v1/cohorts", { body: { course_id: course.id, name: "Spring" } }));
must(await lyceum.POST("/v1/cohorts/{id}/start", id(cohort.id)));
const enrolled = must(await lyceum.POST("/v1/cohorts/{id}/students", { ...id(cohort.id), body: { email: "ada@story.example" } }));

const submission = must(
  await lyceum.POST("/v1/submissions", {
    body: { assignment_id: assignment.id, user_id: enrolled.user_id, content: { type: "text", text: WORK }, draft: false },
  }),
);
must(await lyceum.POST("/v1/submissions/{id}/ai", id(submission.id)));
async function graded(): Promise<Schemas["SubmissionView"]> {
  for (;;) {
    const now = must(await lyceum.GET("/v1/submissions/{id}", id(submission.id)));
    if (now.ai_status !== "pending") return now;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
const answer = await graded();
const status: Schemas["AiStatus"] | null = answer.ai_status;
const handedIn: string = answer.content.type === "text" ? answer.content.text : answer.content.url;

// The type of an event tells what it is about.
function told(event: Schemas["EventView"]): string | null {
  switch (event.type) {
    // Once the person it told of was erased, an event says no more than that.
    case "submission.graded":
      if ("erased" in event.data.object) return null;
      return `${event.data.object.assignment_id} ${event.data.object.score}`;
    case "enrollment.created":
      if ("erased" in event.data.object) return null;
      return event.data.object.user.email;
    default:
      return null;
  }
}
const events = must(await lyceum.GET("/v1/events", { params: { query: { limit: 100 } } }));

// What the service would refuse, the compiler refuses: never called.
export async function refused(): Promise<void> {
  // @ts-expect-error An address is no text.
  await lyceum.POST("/v1/submissions", { body: { assignment_id: "asg_", content: { type: "url", text: "x" } } });
  // @ts-expect-error Nobody is enrolled.
  await lyceum.POST("/v1/cohorts/{id}/students", { ...id("coh_"), body: {} });
  // @ts-expect-error A name cannot be cleared.
  await lyceum.PATCH("/v1/courses/{id}", { ...id("crs_"), body: { name: null } });
}

console.log(
  JSON.stringify({
    asked, status, handedIn, scored: answer.score !== null,
    criteria: answer.criteria.map(({ criterion_id, max_score }) => [criterion_id, max_score]),
    told: events.data.map(told).filter((one) => one !== null),
    assignment: assignment.id,
    score: answer.score,
  }),
);
