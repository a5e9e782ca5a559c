// Words of the page of what was deleted alone.
export default {
  trash: {
    title: "ما حُذف", lede: "يمكن استعادة كل ما هنا كما كان، مع كل ما يتبعه، حتى تاريخه.", none_title: "لم يُحذف شيء", none: "ما يحذفه أحد يمكن استعادته من هنا مدة من الزمن.",
    along: "ما ذهب معه", count: "{kind}: {count}", deleted: "حُذف", until: "حتى", restore: "استعادة", restored: "عاد «{name}».", open: "اذهب إليه",
    kind: "النوع", every_kind: "كل الأنواع", deleted_by: "حذفه", by_anybody: "أي شخص", me: "{name} (أنت)", destroy: "أتلفه", destroy_title: "{thing}: إتلاف «{name}» نهائيًا؟", destroy_what: "لا يستطيع أحد استعادته بعد ذلك.", destroy_with: "لا يستطيع أحد استعادته بعد ذلك، ولا ما ذهب معه: {parts}.", destroyed: "ذهب «{name}» نهائيًا.",
  },
  thing: {
    course: "مقرر", unit: "وحدة", lesson: "درس", activity: "نشاط", assignment: "واجب", cohort: "مجموعة", submission: "تسليم", enrollment: "مقعد في مجموعة", user: "عضو", scorm_package: "حزمة",
    media_file: "ملف وسائط",
  },
  kind: {
    courses: "مقررات", units: "وحدات", lessons: "دروس", activities: "أنشطة", assignments: "واجبات", cohorts: "مجموعات", enrollments: "مقاعد في مجموعات", submissions: "تسليمات", grades: "درجات", attempts: "محاولات",
    lesson_completions: "دروس مكتملة", tutor_turns: "محادثات مع المرشد", scorm_packages: "حزم", users: "أعضاء", media_files: "ملفات وسائط",
  },
};
