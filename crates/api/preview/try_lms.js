// In the place of what would let learners in at the service: an LMS in which somebody looks around. It records nothing, and the player
// says so; and it begins at the step that is tried.
(function () {
  "use strict";
  const said = { "cmi.mode": "browse", "cmi.credit": "no-credit", "cmi.location": "{step}" };
  const done = () => "true";
  const nothing = () => "";
  window.API_1484_11 = {
    Initialize: done,
    Terminate: done,
    Commit: done,
    SetValue: done,
    GetValue: (element) => said[element] || "",
    GetLastError: () => "0",
    GetErrorString: nothing,
    GetDiagnostic: nothing,
  };
  lyceumRegister("service", "service", null);
})();
