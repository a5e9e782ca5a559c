// The page of the LMS: puts the API where the plan says, then the package into a frame, a popup, or frames in frames.
(function () {
  const plan = window.plan;
  const sent = {};
  let told = 0;
  let toldFaults = 0;
  const lms = new window.StrictLms(plan, report);
  window.lms = lms;

  // What was committed has left the page, whatever happens to it next.
  function report() {
    const data = Object.fromEntries(Object.entries(lms.data).filter(([name, value]) => sent[name] !== value));
    Object.assign(sent, data);
    const body = JSON.stringify({ data, log: lms.log.slice(told), faults: lms.faults.slice(toldFaults) });
    told = lms.log.length;
    toldFaults = lms.faults.length;
    const address = `/bed/${plan.id}/record`;
    try {
      const request = new XMLHttpRequest();
      request.open("POST", address, false);
      request.send(body);
    } catch (error) {
      navigator.sendBeacon(address, body);
    }
  }

  const HARD_TO_WRITE = Object.create(null);
  const MOODS = {
    throws: () => { throw new Error("not today"); },
    refuses: (name, call, args) => (/Initialize/.test(name) ? "false" : /GetLastError/.test(name) ? "102" : call(...args)),
    null: (name, call, args) => said(name, call(...args), null, null),
    booleans: (name, call, args) => said(name, call(...args), true, false),
    numbers: (name, call, args) => said(name, call(...args), 1, 0),
    // Open edX: what was not set in this visit reads as nothing, and every commit is fine.
    forgetful: (name, call, args) => (/GetValue/.test(name) && /(mode|credit|status|score|_count|_children|entry)/.test(args[0]) ? (call(...args), "") : call(...args)),
    nonsense: (name, call, args) => {
      const answer = call(...args);
      if (!/GetValue/.test(name)) return answer;
      return /_count$/.test(args[0]) ? "999999999999" : /status$/.test(args[0]) ? "constructor" : /score/.test(args[0]) ? "NaN%" : /suspend/.test(args[0]) ? 42 : /location/.test(args[0]) ? Symbol("x") : HARD_TO_WRITE;
    },
  };

  function said(name, answer, yes, no) {
    if (/GetLastError/.test(name)) return Number(answer);
    if (/GetValue/.test(name)) return answer === "" ? no : answer;
    return answer === "true" ? yes : no;
  }

  function moody(api) {
    const mood = MOODS[plan.mood];
    if (!mood) return api;
    return Object.fromEntries(Object.entries(api).map(([name, call]) => [name, (...args) => mood(name, call, args)]));
  }

  window.appear = () => {
    window[plan.edition === "1.2" ? "API" : "API_1484_11"] = moody(lms.api());
    if (plan.decoy) window[plan.edition === "1.2" ? "API_1484_11" : "API"] = { Initialize: () => lms.fault("the other dialect was taken"), LMSInitialize: () => lms.fault("the other dialect was taken") };
  };
  if (plan.appears === undefined) window.appear();
  else if (plan.appears !== null) setTimeout(window.appear, plan.appears);

  window.addEventListener("DOMContentLoaded", () => {
    if (plan.popup) {
      const opener = document.createElement("button");
      opener.id = "launch";
      opener.textContent = "Launch";
      opener.onclick = () => window.open(plan.popup, "sco", "width=900,height=700");
      document.body.append(opener);
      return;
    }
    const frame = document.createElement("iframe");
    frame.id = "sco";
    if (plan.sandbox) frame.setAttribute("sandbox", plan.sandbox);
    frame.src = plan.frame;
    document.body.append(frame);
  });
})();
