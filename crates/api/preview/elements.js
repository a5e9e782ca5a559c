// The data models of SCORM 1.2 and SCORM 2004: which elements there are, what may be done with them, and what an LMS
// answers when something else is done. In the names `n` and `m` stand for indexes.
import {
  asDuration, asTimespan, between, classicResponse, clockTime, duration, either, identifier, matching, modernPattern, modernResponse,
  moment, oneOf, orEmpty, real, text, timespan,
} from "./formats.js";

const both = (format, initial) => ({ reads: true, writes: true, format, initial });
const readOnly = (initial) => ({ reads: true, writes: false, initial });
const writeOnly = (format) => ({ reads: false, writes: true, format });
const spread = (name, elements) => Object.fromEntries(Object.entries(elements).map(([child, element]) => [name + "." + child, element]));

const name12 = matching(/^[\w.:-]{1,255}$/);

const percent = orEmpty(between(0, 100));
const score12 = { raw: both(percent, ""), min: both(percent, ""), max: both(percent, "") };
const TYPES_12 = oneOf("true-false", "choice", "fill-in", "matching", "performance", "sequencing", "likert", "numeric");

const ELEMENTS_12 = {
  ...spread("cmi.core", {
    student_id: readOnly(""), student_name: readOnly(""), credit: readOnly("credit"), entry: readOnly("ab-initio"),
    lesson_mode: readOnly("normal"), total_time: readOnly("0000:00:00.00"),
    lesson_location: both(text(255), ""),
    lesson_status: both(oneOf("passed", "completed", "failed", "incomplete", "browsed"), "not attempted"),
    exit: writeOnly(oneOf("time-out", "suspend", "logout", "")), session_time: writeOnly(timespan),
    ...spread("score", score12),
  }),
  "cmi.suspend_data": both(text(4096), ""), "cmi.launch_data": readOnly(""),
  "cmi.comments": both(text(4096), ""), "cmi.comments_from_lms": readOnly(""),
  ...spread("cmi.student_data", { mastery_score: readOnly(""), max_time_allowed: readOnly(""), time_limit_action: readOnly("") }),
  ...spread("cmi.student_preference", {
    audio: both(between(-1, 100), "0"), language: both(text(255), ""), speed: both(between(-100, 100), "0"), text: both(between(-1, 1), "0"),
  }),
  ...spread("cmi.objectives.n", {
    id: both(name12, ""), ...spread("score", score12),
    status: both(oneOf("passed", "completed", "failed", "incomplete", "browsed", "not attempted"), "not attempted"),
  }),
  ...spread("cmi.interactions.n", {
    id: writeOnly(name12), time: writeOnly(clockTime), type: writeOnly(TYPES_12), weighting: writeOnly(real),
    student_response: writeOnly((value, sibling) => classicResponse(sibling("type"))(value)),
    result: writeOnly(either(oneOf("correct", "wrong", "unanticipated", "neutral"), real)), latency: writeOnly(timespan),
    "objectives.m.id": writeOnly(name12),
    "correct_responses.m.pattern": writeOnly((value, sibling) => classicResponse(sibling("type"))(value)),
  }),
};

const score2004 = { scaled: both(between(-1, 1)), raw: both(real), min: both(real), max: both(real) };
const COMPLETION = oneOf("completed", "incomplete", "not attempted", "unknown");
const SUCCESS = oneOf("passed", "failed", "unknown");
const comment = { comment: both(text(4000)), location: both(text(250)), timestamp: both(moment) };
const TYPES_2004 = oneOf("true-false", "choice", "fill-in", "long-fill-in", "likert", "matching", "performance", "sequencing", "numeric", "other");

const ELEMENTS_2004 = {
  "cmi._version": readOnly("1.0"),
  ...spread("cmi", {
    learner_id: readOnly(""), learner_name: readOnly(""), credit: readOnly("credit"), entry: readOnly("ab-initio"), mode: readOnly("normal"),
    total_time: readOnly("PT0H0M0S"), launch_data: readOnly(), completion_threshold: readOnly(), scaled_passing_score: readOnly(),
    max_time_allowed: readOnly(), time_limit_action: readOnly("continue,no message"),
    completion_status: both(COMPLETION, "unknown"), success_status: both(SUCCESS, "unknown"), progress_measure: both(between(0, 1)),
    location: both(text(1000)), suspend_data: both(text(64000)),
    exit: writeOnly(oneOf("time-out", "suspend", "logout", "normal", "")), session_time: writeOnly(duration),
    ...spread("score", score2004),
    ...spread("learner_preference", {
      audio_level: both(between(0, Infinity), "1"), language: both(text(250), ""), delivery_speed: both(between(0, Infinity), "1"),
      audio_captioning: both(oneOf("-1", "0", "1"), "0"),
    }),
    ...spread("comments_from_learner.n", comment),
    ...spread("objectives.n", {
      id: both(identifier(4000)), ...spread("score", score2004), success_status: both(SUCCESS, "unknown"),
      completion_status: both(COMPLETION, "unknown"), progress_measure: both(between(0, 1)), description: both(text(250)),
    }),
    ...spread("interactions.n", {
      id: both(identifier(4000)), type: both(TYPES_2004), timestamp: both(moment), weighting: both(real), latency: both(duration),
      learner_response: both((value, sibling) => modernResponse(sibling("type"))(value)),
      result: both(either(oneOf("correct", "incorrect", "unanticipated", "neutral"), real)), description: both(text(250)),
      "objectives.m.id": both(identifier(4000)),
      "correct_responses.m.pattern": both((value, sibling) => modernPattern(sibling("type"))(value)),
    }),
  }),
  "adl.nav.request": both(text(250), "_none_"),
  "adl.nav.request_valid.continue": readOnly("false"), "adl.nav.request_valid.previous": readOnly("false"),
};

export const DIALECTS = {
  "1.2": {
    object: "API", is2004: false, elements: ELEMENTS_12, suspendLimit: 4096, asTime: asTimespan,
    methods: {
      initialize: "LMSInitialize", terminate: "LMSFinish", get: "LMSGetValue", set: "LMSSetValue", commit: "LMSCommit",
      error: "LMSGetLastError", errorText: "LMSGetErrorString", diagnostic: "LMSGetDiagnostic",
    },
    names: {
      learnerId: "cmi.core.student_id", learnerName: "cmi.core.student_name", mode: "cmi.core.lesson_mode", credit: "cmi.core.credit",
      entry: "cmi.core.entry", total: "cmi.core.total_time", session: "cmi.core.session_time", exit: "cmi.core.exit",
      location: "cmi.core.lesson_location", completion: "cmi.core.lesson_status", score: "cmi.core.score", passing: "cmi.student_data.mastery_score",
      response: "student_response",
    },
    // What is answered when: by what was done wrong.
    codes: {
      argument: "201", twice: "101", early: "301", late: "301", ended: "101", unknown: "201", childless: "202", countless: "203",
      readOnly: "403", writeOnly: "404", keyword: "402", form: "405", range: "405", index: "201", setIndex: "201", again: "201", dependency: "201", unset: "0",
    },
  },
  "2004": {
    object: "API_1484_11", is2004: true, elements: ELEMENTS_2004, suspendLimit: 64000, asTime: asDuration,
    methods: {
      initialize: "Initialize", terminate: "Terminate", get: "GetValue", set: "SetValue", commit: "Commit",
      error: "GetLastError", errorText: "GetErrorString", diagnostic: "GetDiagnostic",
    },
    names: {
      learnerId: "cmi.learner_id", learnerName: "cmi.learner_name", mode: "cmi.mode", credit: "cmi.credit", entry: "cmi.entry",
      total: "cmi.total_time", session: "cmi.session_time", exit: "cmi.exit", location: "cmi.location", completion: "cmi.completion_status",
      success: "cmi.success_status", score: "cmi.score", progress: "cmi.progress_measure", passing: "cmi.scaled_passing_score",
      response: "learner_response",
    },
    // `early` and `late` are of the call: the last digit is before or after the conversation.
    codes: {
      argument: "201", twice: "103", early: "2", late: "3", ended: "104", unknown: "401", childless: "301", countless: "301",
      readOnly: "404", writeOnly: "405", keyword: "404", form: "406", range: "407", index: "301", setIndex: "351", again: "351", dependency: "408", unset: "403",
    },
  },
};

export const ERRORS = {
  "1.2": {
    "0": "No error", "101": "General exception", "201": "Invalid argument", "202": "Element cannot have children",
    "203": "Element is not a list", "301": "Not initialized", "402": "Element is a keyword", "403": "Element is read only",
    "404": "Element is write only", "405": "Value of the wrong form or out of range",
  },
  "2004": {
    "0": "No error", "103": "Already initialized", "104": "Already terminated", "112": "Terminated before initialization",
    "113": "Terminated twice", "122": "Read before initialization", "123": "Read after termination",
    "132": "Written before initialization", "133": "Written after termination", "142": "Committed before initialization",
    "143": "Committed after termination", "201": "Invalid argument", "301": "There is nothing there to read",
    "351": "It cannot be written there", "401": "Undefined element", "403": "Element has no value yet",
    "404": "Element is read only", "405": "Element is write only", "406": "Value of the wrong form",
    "407": "Value out of range", "408": "Another element must be written first",
  },
};
