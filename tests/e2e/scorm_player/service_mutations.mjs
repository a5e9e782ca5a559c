// Ways to break the player's link to the service, each with the check that must notice.
export const MUTATIONS = [
  { name: "no idempotency key", from: 'headers["Idempotency-Key"] = idempotencyKey', to: "headers.Accept = headers.Accept", check: "work whose answer was lost arrives once" },
  { name: "the session key in storage", from: "this.nonce = randomWord(22);\n    if (", to: 'localStorage.setItem("key", data.api_key);\n    if (', check: "the session key is kept nowhere" },
  { name: "no timeout", from: "setTimeout(() => stop.abort(), timeout || CALL_MS)", to: "0", check: "a service that does not answer is given up after its time" },
  { name: "asks for ever", from: "this.heldUntil = Date.now() + PROBE_MS", to: "this.heldUntil = 0", check: "three failures end the asking, and a probe comes five minutes later" },
  { name: "asks in review mode", from: "get records() { return this.state === \"on\" && !this.ended; }", to: "get records() { return this.on && !this.ended; }", check: "review mode asks for nothing" },
  { name: "the proof is not sent", from: "proof: proof() || null", to: "proof: null", check: "the proof comes back at the next launch" },
  { name: "the outbox forgets", from: "localStorage.setItem(this.place, text)", to: "void text", check: "work handed in offline arrives once at the next launch" },
  { name: "Retry-After is ignored", from: "if (status === 429 || status === 503)", to: "if (status === 503)", check: "Retry-After is honoured" },
  { name: "a dead key is kept", from: "if (answer.status === 401 && (await this.renew(session)))", to: "if (false)", check: "a dead key is renewed once" },
  { name: "a refused key is asked with again", from: "if (answer.status === 401 || answer.status === 403) this.refuse();", to: "", check: "two dead keys are enough" },
  { name: "a final refusal is sent again", from: "if (isDone(answer) || isFinal(answer)) this.settle", to: "if (isDone(answer)) this.settle", check: "a final refusal is told, and the text is kept" },
  { name: "the tutor puts in markup", from: "turn.words.replaceChildren(...inline(data.message))", to: "turn.words.innerHTML = data.message", check: "the tutor streams, cites, and puts in text only" },
  { name: "failures are let through", from: "} catch (error) {\n      this.failed();\n      return NO_ANSWER;", to: "} catch (error) {\n      throw error;", check: "mood: unreachable" },
  { name: "grades stay at the service", from: "this.progress.addScore(step, share);", to: "", check: "a grade joins at the next launch" },
];
