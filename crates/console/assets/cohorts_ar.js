// Words of the pages of cohorts alone.
export default {
  cohorts: { none_title: "لا مجموعة بعد", none: "المجموعة دورة واحدة من مقرر. أنشئها عبر POST /v1/cohorts وسجّل المتعلمين وابدأها." },
  cohort: {
    course: "المقرر", active: "جارية", draft: "لم تبدأ", completed: "انتهت", archived: "مؤرشفة", students: "المتعلمون", starts: "البداية", runs: "الفترة", zone: "المنطقة الزمنية", of_capacity: "{count} من {capacity} مقعدًا", progress: "التقدّم", score: "الدرجة", last: "آخر نشاط", never: "أبدًا", open: "لم يكتمل", done: "اكتمل", no_score: "بلا درجة",
    heat: "أين وصل كل متعلم، درسًا درسًا", which: "أي رقم لأي درس", summary: "{mean} في المتوسط. أتمّ: {finished} من {all}؛ لم يبدأ: {idle}.", first_only: "يظهر أول {count} متعلم.", since: "منذ", empty_title: "لم يُسجّل أحد بعد", empty: "سجّل الناس بعناوينهم: POST /v1/cohorts/{id}/students.",
  },
  enrollment: { active: "نشط", completed: "أتمّ", withdrawn: "انسحب" },
};
