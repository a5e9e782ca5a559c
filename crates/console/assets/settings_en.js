// Words of the settings of a course alone.
export default {
  setting: {
    title: "Course settings", about: "The course", save: "Save", saved: "Course settings are saved.", yes: "yes", no: "no",
    theirs: "This is what stands there now, where it is not what you have here:", theirs_same: "What stands there now is what you have here.", take_theirs: "Take that and drop mine", keep_mine: "Save mine over it",
    completion: "When it is done", completion_rule: "A learner is done with it when", rule_everything: "every step is done", rule_share: "a share of the steps is done", rule_quizzes: "every quiz is passed", rule_assignments: "every assignment is handed in",
    completion_percent: "Share in per cent", completion_passing_percent: "Passed from, in per cent", passing_hint: "Left empty it is the average of what the quizzes ask for.",
    ai: "How AI works in it", ai_instructions: "Guidance for AI", ai_instructions_hint: "Read with every draft, every grade and every answer of the tutor: tone, level, terms to use.",
    ai_evaluator: "Model that grades", model_hint: "Left empty it is the one of the service.",
    tutor: "The tutor", tutor_enabled: "Learners may ask the tutor", tutor_guard_tasks: "It keeps the answers of open tasks to itself", tutor_scope: "What it looks into", scope_course: "The whole course", scope_lesson: "The lesson at hand alone",
    tutor_max_hint_level: "How far it helps", hint_1: "A question back and the passage to read", hint_2: "A hint as well", hint_3: "Up to the whole way, step by step",
    tutor_instructions: "Guidance for the tutor", tutor_instructions_hint: "A model reads it, so write no answers here.", tutor_model: "Model of the tutor", tutor_model_hint: "Left empty it is the one that grades.",
  },
};
