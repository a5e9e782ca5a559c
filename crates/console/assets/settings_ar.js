// Words of the settings of a course alone.
export default {
  setting: {
    title: "إعدادات المقرر", about: "المقرر", save: "حفظ", saved: "حُفظت إعدادات المقرر.", yes: "نعم", no: "لا",
    theirs: "هذا ما هو هناك الآن حيث يختلف عما لديك هنا:", theirs_same: "ما هو هناك الآن هو ما لديك هنا.", take_theirs: "خذ ذلك واترك ما لدي", keep_mine: "احفظ ما لدي فوقه",
    completion: "متى يكتمل", completion_rule: "يُتمّه المتعلم حين", rule_everything: "تتم كل خطوة", rule_share: "تتم نسبة من الخطوات", rule_quizzes: "يُجتاز كل اختبار", rule_assignments: "يُسلَّم كل واجب",
    completion_percent: "النسبة بالمئة", completion_passing_percent: "النجاح من، بالمئة", passing_hint: "إن تُرك فارغًا فهو متوسط ما تطلبه الاختبارات.",
    ai: "كيف يعمل الذكاء فيه", ai_instructions: "توجيهات للذكاء", ai_instructions_hint: "تُقرأ مع كل مسودة وكل درجة وكل جواب من المرشد: النبرة والمستوى والمصطلحات.",
    ai_evaluator: "النموذج الذي يقيّم", model_hint: "إن تُرك فارغًا فهو نموذج الخدمة.",
    tutor: "المرشد", tutor_enabled: "للمتعلمين أن يسألوا المرشد", tutor_guard_tasks: "لا يكشف أجوبة المهام المفتوحة", tutor_scope: "فيمَ ينظر", scope_course: "في المقرر كله", scope_lesson: "في الدرس الحالي وحده",
    tutor_max_hint_level: "إلى أي حد يساعد", hint_1: "سؤال مقابل وموضع للقراءة", hint_2: "وتلميح أيضًا", hint_3: "حتى الطريق كله، خطوة خطوة",
    tutor_instructions: "توجيهات للمرشد", tutor_instructions_hint: "يقرؤها نموذج، فلا تكتب حلولًا هنا.", tutor_model: "نموذج المرشد", tutor_model_hint: "إن تُرك فارغًا فهو الذي يقيّم.",
  },
};
