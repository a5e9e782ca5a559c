// Stands in for a language model: answers what the story says of a submission, in the form of OpenAI's API.
import { createServer } from "node:http";
import { FRIDGES, KNIFE_AFTER, KNIVES, sharpened, STEWS } from "./story.mjs";

// What nobody of the story wrote, such as an attack, gets nothing; for what a criterion asks for, said back to it, a tenth.
function stranger(submission, { criteria }) {
  const said = ({ id, description, max_points: most }) => {
    const isSaidBack = Boolean(description) && submission.includes(description);
    const evidence = isSaidBack ? [{ text: description, occurrence: 1 }] : [];
    return { criterion_id: id, points: isSaidBack ? most / 10 : 0, level_id: null, confidence: 0.9, rationale: "It does not answer the task.", missing: [], evidence };
  };
  return { feedback: "Say in your own words how you would do it.", criteria: criteria.map(said) };
}

function judgedOf(submission, { rubric }) {
  const knife = KNIVES.find(({ text }) => text === submission);
  if (knife) return sharpened(knife, rubric.criteria[0].description === KNIFE_AFTER.criteria[0].description);
  const known = [...STEWS, ...FRIDGES].find(({ text, judged }) => judged && text === submission);
  if (known) return known.judged;
  return rubric.criteria.some(({ id }) => id === "method") ? STEWS[0].judged : stranger(submission, rubric);
}

function graded(submission, context) {
  const judged = judgedOf(submission, context);
  return {
    criteria: judged.criteria,
    overall: { strengths: [], next_steps: [], feedback: judged.feedback },
    integrity: { instructions_in_submission: Boolean(judged.instructions), off_topic: false, language: judged.language || "en", note: "" },
  };
}

function submissionIn(messages) {
  const document = JSON.parse(messages.at(-1).content);
  return Object.entries(document).find(([name]) => name.startsWith("submission_"))?.[1] ?? "";
}

function contentFor(body) {
  if (JSON.stringify(body).includes("probe_word")) return { probe_word: "lyceum" };
  return graded(submissionIn(body.messages), JSON.parse(body.messages.at(-2).content));
}

export async function startProvider(port) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const content = JSON.stringify(contentFor(JSON.parse(text)));
    const [read, written] = [Math.round(text.length / 4), Math.round(content.length / 4)];
    response.writeHead(200, { "content-type": "application/json", "x-request-id": "req_story" });
    response.end(
      JSON.stringify({
        id: "chatcmpl-story",
        object: "chat.completion",
        model: "small-2026-08-01",
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
        usage: {
          prompt_tokens: read,
          completion_tokens: written,
          total_tokens: read + written,
          prompt_tokens_details: { cached_tokens: Math.round(read / 3) },
        },
      }),
    );
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { close: () => server.close() };
}
