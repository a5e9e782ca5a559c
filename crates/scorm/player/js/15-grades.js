// What became of the learner's work at the service: the newest of each assignment, its score, and the news of it.

const MOST_PAGES = 5;

class Grades {
  constructor(progress, outbox) {
    this.progress = progress;
    this.outbox = outbox;
    this.newest = new Map();
  }

  of(step) { return this.newest.get(step) || null; }

  // Whether something is still being looked at.
  get pending() { return Array.from(this.newest.values()).some((one) => one.status === "submitted" || one.status === "in_review"); }

  // Everything the learner ever handed in here, or null when the service did not say.
  async read(service) {
    const found = [];
    let after = "";
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await service.call("GET", "/v1/submissions?limit=100" + after);
      if (!isDone(answer)) return null;
      found.push(...list(answer.data.data).filter((one) => one && typeof one === "object"));
      if (answer.data.has_more !== true || !answer.data.next_cursor) break;
      after = "&startingAfter=" + encodeURIComponent(answer.data.next_cursor);
    }
    return found;
  }

  // Keeps what is newer than what is known, and returns the steps whose grade is news.
  take(submissions) {
    for (const one of submissions) {
      const known = this.newest.get(one.assignment_id);
      if (one.status === "draft" || (known && known.attempt > one.attempt)) continue;
      this.newest.set(one.assignment_id, one);
    }
    return this.progress.steps.filter((step) => step.kind === "assignment" && this.join(step));
  }

  join(step) {
    const one = this.of(step.id);
    const share = one ? shareOf(one) : null;
    if (share === null) return false;
    const told = String(one.graded_at || one.updated_at || one.id);
    const isNews = this.outbox.seen[step.id] !== told;
    this.outbox.seen[step.id] = told;
    // A device that forgets everything still knows from the LMS which score was there.
    const isNew = this.progress.scores.get(step.id) !== share;
    this.progress.addScore(step, share);
    return isNews && isNew;
  }
}

// Whole per cent of a score that stands, or null.
function shareOf(submission) {
  const { status, score, max_score: possible } = submission;
  const stands = (status === "graded" || status === "returned") && typeof score === "number" && possible > 0;
  return stands ? Math.min(100, Math.max(0, Math.round((score / possible) * 100))) : null;
}
