// Words of what something was before.
export default {
  versions: {
    title: "السجل", lede: "ما كان عليه قبل أن يتغيّر. ما يحفظه شخص واحد خلال عشر دقائق تغيير واحد.",
    list: "النسخ", version: "النسخة {number}", there_now: "ما هو موجود الآن", you: "أنت", somebody: "شخص ما", older: "النسخ الأقدم لا تظهر.",
    differences: "ما يختلف", shown: "تظهر النسخة {number}.", since: "أضيف منذ ذلك", gone: "حذف منذ ذلك", then: "آنذاك", now: "الآن",
    same: "تقول ما يقوله الموجود الآن.", unseen: "تختلف في ما لا يقرؤه أحد، مثل المعرّفات.",
    restore: "استعادة", restore_what: "يعود إلى ما كان عليه آنذاك. ويبقى ما هو موجود الآن نسخة أيضا.",
    restored: "عادت النسخة {number}.",
    none_title: "لم يتغيّر شيء بعد", none: "حين يتغيّر، يظهر هنا ما كان عليه من قبل.", yes: "نعم", no: "لا",
    field_name: "الاسم", field_summary: "الملخص", field_objectives: "الأهداف", field_duration_minutes: "الدقائق", field_language: "اللغة",
    field_content: "النص", field_activities_content: "المحتوى", field_instructions: "التعليمات", field_max_score: "النقاط", field_max_attempts: "المحاولات", field_rubric: "معايير التقييم",
    field_late_policy: "التأخر", field_ai_evaluator: "التقييم بالذكاء الاصطناعي", field_human_review: "من يقرر", field_release: "إعلان الدرجات", field_feedback: "الملاحظات",
    member_options: "الخيارات", member_blanks: "الفراغات", member_pairs: "الأزواج", member_items: "العناصر", member_turns: "المداخلات", member_audio: "التسجيل",
    member_criteria: "المعايير", member_description: "الوصف", member_max_points: "أقصى النقاط", member_weight: "الوزن", member_levels: "المستويات", member_name: "الاسم",
    member_tone: "النبرة", member_verbosity: "الطول", member_enabled: "مفعّل", member_model: "النموذج",
    member_percent_per_day: "الخصم عن كل يوم بالمئة", member_floor_percent: "لا يقل عن بالمئة", member_grace_minutes: "دقائق السماح",
  },
};
