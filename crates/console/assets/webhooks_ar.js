// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "حيث تعلم أنظمتك بما يحدث. كل رسالة موقّعة وتُرسل حتى تصل.", none_title: "لا وجهة بعد", none: "بدل السؤال مرة بعد مرة دع الخدمة تخبر نظامك: أعطها عنوانًا واختر الأحداث.", new: "وجهة جديدة", make: "أنشئها", url: "الوجهة", url_hint: "عنوان https تصل إليه الخدمة.", description: "الغرض منها", events: "الأحداث", health: "الصحة", arrived: "وصل {count} من {of}", unused: "لم يُرسل شيء بعد", on: "تعمل", off: "متوقفة", switch_on: "تشغيل", switch_off: "إيقاف",
    ping: "أرسل اختبارًا", pinged: "أجاب المستقبِل: {answer}", rotate: "سر جديد", rotate_title: "إعطاؤها سرًا جديدًا؟", rotate_what: "تحمل الرسائل التوقيعين 24 ساعة فلا يضيع شيء أثناء التبديل.", secret: "سر التوقيع", secret_what: "ضعه في المستقبِل الآن. لا يستطيع أحد إظهاره مجددًا.", deliveries: "التوصيلات", all: "كل التوصيلات", event: "الحدث", id: "المعرّف", answer: "قال المستقبِل", attempts: "المحاولات", next: "المحاولة التالية", payload: "ما أُرسل", redeliver: "أرسل مجددًا", redelivered: "أُرسل مجددًا: {status}.",
    nothing_yet: "لا شيء بعد", quiet_title: "لا توصيلات", quiet: "أرسل اختبارًا، أو انتظر حتى يحدث شيء تصغي إليه الوجهة.",
  },
  delivery: { delivered: "وصلت", pending: "في الطريق", failed: "فشلت" },
};
