// What stands inside a line of Markdown, found in one walk: how long it takes grows with the text and not faster, whatever
// the text is. `text` needs no more than `length`, `charCodeAt` and `slice`, so that a test can count the looks.

const STAR = 42;
const LOW_LINE = 95;
const TICK = 96;
const OPEN = 91;
const CLOSE = 93;
const OPEN_ROUND = 40;
const CLOSE_ROUND = 41;
const NEW_LINE = 10;

function isSpace(code) {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
}

// The next place from `from` on that is looked for, `length` where there is none. What was found is kept until it is
// passed, so all questions together look at each character once.
function seeker(text, matches) {
  let asked = -1;
  let found = -1;
  return (from) => {
    if (asked >= 0 && from >= asked && from <= found) return found;
    asked = from;
    found = from;
    while (found < text.length && !matches(found)) found += 1;
    return found;
  };
}

function runOf(text, at, code, limit) {
  let length = 0;
  while (length < limit && at + length < text.length && text.charCodeAt(at + length) === code) length += 1;
  return length;
}

// The pieces of a text, in order: `{kind: "text" | "code" | "strong" | "em" | "link", from, to}`; a link has a `target`.
export function pieces(text, start = 0, end = text.length) {
  const is = (code) => (at) => text.charCodeAt(at) === code;
  const nextStar = seeker(text, is(STAR));
  const nextTick = seeker(text, is(TICK));
  const nextClose = seeker(text, is(CLOSE));
  const nextRound = seeker(text, is(CLOSE_ROUND));
  const nextSpace = seeker(text, (at) => isSpace(text.charCodeAt(at)));
  const nextLine = seeker(text, is(NEW_LINE));
  const pair = (code) => (at) => text.charCodeAt(at) === code && text.charCodeAt(at + 1) === code;
  const nextPair = new Map([
    [STAR, seeker(text, pair(STAR))],
    [LOW_LINE, seeker(text, pair(LOW_LINE))],
  ]);

  // Ticks around something without ticks; of more that open than close, the first stand for themselves.
  function codeAt(at) {
    const opening = runOf(text, at, TICK, end - at);
    const inner = at + opening;
    const close = nextTick(inner);
    if (close >= end) return { skip: opening };
    const closing = runOf(text, close, TICK, Math.min(opening, end - close));
    return { kind: "code", at: inner - closing, from: inner, to: close, next: close + closing };
  }

  function strongAt(at, code) {
    if (text.charCodeAt(at + 1) !== code || at + 3 >= end) return null;
    const close = nextPair.get(code)(at + 3);
    return close + 2 > end || nextLine(at + 2) < close ? null : { kind: "strong", at, from: at + 2, to: close, next: close + 2 };
  }

  function emAt(at) {
    const close = nextStar(at + 1);
    if (close >= end || close === at + 1 || isSpace(text.charCodeAt(at + 1))) return null;
    return { kind: "em", at, from: at + 1, to: close, next: close + 1 };
  }

  function linkAt(at) {
    const close = nextClose(at + 1);
    if (close === at + 1 || close + 1 >= end || text.charCodeAt(close + 1) !== OPEN_ROUND) return null;
    const round = nextRound(close + 2);
    if (round >= end) return null;
    const to = Math.min(nextSpace(close + 2), round);
    if (to === close + 2) return null;
    return { kind: "link", at, from: at + 1, to: close, target: text.slice(close + 2, to), next: round + 1 };
  }

  function foundAt(at) {
    const code = text.charCodeAt(at);
    if (code === TICK) return codeAt(at);
    if (code === STAR) return strongAt(at, STAR) || emAt(at);
    if (code === LOW_LINE) return strongAt(at, LOW_LINE);
    return code === OPEN ? linkAt(at) : null;
  }

  const made = [];
  let plain = start;
  for (let at = start; at < end;) {
    const found = foundAt(at);
    if (!found?.kind) {
      at += found?.skip ?? 1;
      continue;
    }
    if (found.at > plain) made.push({ kind: "text", from: plain, to: found.at });
    made.push(found);
    plain = found.next;
    at = plain;
  }
  if (end > plain) made.push({ kind: "text", from: plain, to: end });
  return made;
}
