// Words of the audit trail.
export default {
  audit: {
    lede: "كل تغيير في درجة أو مفتاح أو عضوية أو إعداد، وكل حذف: يُكتب معه، ولا يستطيع أحد تغييره أو إزالته.", when: "متى", by: "من", action: "ماذا", thing: "في", change: "من ← إلى", any: "الكل", from: "من", to: "إلى",
    save: "احفظ جدولًا (CSV)", saved: "حُفظ: {count}.", saved_newest: "حُفظ أحدث {count}. ضيّق المدة لما هو أقدم.", none_title: "لا شيء من هذا", none: "لا مدخل يوافق اختيارك.",
    id: "معرّفه", people: "العاملون هنا", programs: "برامج", learners: "متعلمون", keys: "مفاتيحك", only: "هذا فقط: {name}", receipt: "الإيصال",
  },
  audit_actor: { user: "شخص", service: "برنامج", visitor: "حامل رمز لمرة واحدة", system: "الخدمة نفسها" },
  audit_thing: {
    unit: "وحدة", lesson: "درس", activity: "نشاط", enrollment: "مقعد في مجموعة", scorm_package: "حزمة", media_file: "ملف وسائط", batch: "إعادة التقييم", passkey: "مفتاح مرور",
    submission: "تسليم", assignment: "واجب", course: "مقرر", cohort: "مجموعة", user: "عضو", sso_connection: "دخول المؤسسة", api_key: "مفتاح API", webhook_endpoint: "إشعار", workspace: "مساحة عمل",
  },
};
