// Words of what changes courses and their outlines, and of nothing else.
export default {
  authoring: {
    new_course: "مقرر جديد", create: "إنشاء", name_missing: "يلزمه اسم.", none: "يكفي اسم لإنشائه. وتأتي الخطة والدروس والواجبات بعد ذلك، منك أو بصياغة الذكاء.",
    none_in_state: "لا مقرر بهذه الحالة", none_in_state_what: "اختر حالة أخرى في الأعلى لترى بقية مقرراتك.",
    language: "لغة المحتوى", language_hint: "رمز مثل en أو de أو pt-BR.", description: "عمّ يتحدث", description_hint: "يقرؤه المتعلمون، ومنه يصوغ الذكاء.", hours: "الساعات المخططة",
    settings: "إعدادات المقرر", clone: "إنشاء نسخة", clone_title: "نسخ هذا المقرر", clone_hint: "تُنسخ الوحدات والدروس والأنشطة والواجبات، ولا تُنسخ المجموعات والمتعلمون والمواعيد.", copy_of: "{name} (نسخة)",
    archive: "أرشفة", archived: "أُرشف «{name}».", to_trash: "ما حُذف",
    delete: "حذف", delete_course: "حذف المقرر", delete_course_title: "أتحذف هذا المقرر؟", delete_goes: "ويذهب معه:", delete_empty: "لا شيء فيه.",
    delete_back: "ينتقل إلى المحذوفات، ويمكن استعادته منها كاملًا حتى التاريخ المبيَّن هناك.", delete_again: "اضغط مرة أخرى لحذفه رغم ذلك.",
    used: "استعمله المتعلمون: {uses}.", used_title: "أتحذف ما استعمله المتعلمون؟", used_hint: "يذهب عملهم معه إلى المحذوفات ويعود معه.", delete_all_the_same: "احذف رغم ذلك",
    undo: "تراجع", undone: "تم التراجع: {what}", not_undone: "لم يتم التراجع لأنه تغيّر منذ ذلك: {what}", nothing_to_undo: "لا شيء يُتراجع عنه.",
    overtaken: "غيّر شخص آخر هذا في الأثناء. لم يُحفظ شيء مما فعلت.", overtaken_by: "غيّر {name} هذا في الأثناء. لم يُحفظ شيء مما فعلت.",
    empty: "ابدأ بوحدة واكتب دروسها فيها، أو دع الذكاء يصوغ خطة من وصف المقرر.", nothing_yet: "لا وحدات بعد",
    count_unit: "الوحدات: {count}", count_lesson: "الدروس: {count}", count_activity: "الأنشطة: {count}", count_assignment: "الواجبات: {count}", count_cohort: "المجموعات: {count}",
    add_unit: "أضف وحدة", add_lesson: "أضف درسًا", add_activity: "أضف نشاطًا", new_unit: "اسم الوحدة الجديدة", new_lesson: "اسم الدرس الجديد", new_hint: "Enter يضيفه وينتقل إلى التالي، وEsc ينهي.",
    new_activity: "نشاط جديد", kind: "النوع", kind_hint: "ما يُسأل أو يُعرض فيه يُكتب بعد ذلك.", new_assignment: "واجب جديد", no_assignments: "لا واجب يخص المقرر كله.",
    task: "المطلوب", task_hint: "يقرؤه المتعلمون. وما يُقيَّم به يأتي بعد ذلك.", max_score: "أعلى درجة", due: "الموعد", due_hint: "بالمنطقة الزمنية {zone}. يمكن تركه فارغًا.",
    created: "أُضيف: {name}", edit: "تحرير", edit_named: "تحرير {name}", rename: "تغيير الاسم", name_of: "اسم {name}", renamed: "صار اسم «{from}» الآن «{to}».",
    more_for: "المزيد عن {name}", drag: "اسحب للنقل", move: "نقل", move_up: "إلى أعلى", move_down: "إلى أسفل", move_to: "نقل إلى …", move_title: "إلى أين؟", move_one: "ينتقل «{name}» إلى نهاية ما تختاره.", move_many: "تنتقل {count} إلى نهاية ما تختاره.",
    into_lesson: "الوحدة", into_activity: "الدرس", into_hint: "داخل هذا المقرر.", moved: "«{name}» في الموضع {at} من {of} في «{into}».", moved_many: "نُقلت {count} إلى «{into}».", is_first: "هو الأول بالفعل.", is_last: "هو الأخير بالفعل.",
    select: "تحديد {name}", select_one: "تحديد", unselect: "إلغاء التحديد", selected: "المحدد: {count}", select_none: "إلغاء كل تحديد",
    deleted: "{what} «{name}» في المحذوفات.", deleted_many: "في المحذوفات: {counts}",
  },
  thing: {
    course: "مقرر", unit: "وحدة", lesson: "درس", activity: "نشاط", assignment: "واجب", cohort: "مجموعة", submission: "تسليم", enrollment: "مقعد في مجموعة", user: "عضو", scorm_package: "حزمة",
    media_file: "ملف وسائط",
  },
};
