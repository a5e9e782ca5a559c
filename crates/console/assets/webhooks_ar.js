// Words of the pages of webhooks alone.
export default {
  webhooks: {
    lede: "حيث تعلم أنظمتك بما يحدث. كل رسالة موقّعة وتُرسل حتى تصل.", none_title: "لا وجهة بعد", none: "بدل السؤال مرة بعد مرة دع الخدمة تخبر نظامك: أعطها عنوانًا واختر الأحداث.", new: "وجهة جديدة", make: "أنشئها", url: "الوجهة", url_hint: "عنوان https تصل إليه الخدمة.", description: "الغرض منها", events: "الأحداث", health: "الصحة", arrived: "وصل {count} من {of}", unused: "لم يُرسل شيء بعد", on: "تعمل", off: "متوقفة", switch_on: "تشغيل", switch_off: "إيقاف",
    ping: "أرسل اختبارًا", pinged: "أجاب المستقبِل: {answer}", rotate: "سر جديد", rotate_title: "إعطاؤها سرًا جديدًا؟", rotate_what: "تحمل الرسائل التوقيعين 24 ساعة فلا يضيع شيء أثناء التبديل.", secret: "سر التوقيع", secret_what: "ضعه في المستقبِل الآن. لا يستطيع أحد إظهاره مجددًا.", deliveries: "التوصيلات", all_events: "كل الأحداث", all: "كل التوصيلات", event: "الحدث", id: "المعرّف", answer: "قال المستقبِل", headers: "ترويسات الرد", attempts: "المحاولات", next: "المحاولة التالية", payload: "ما أُرسل", redeliver: "أرسل مجددًا", redelivered: "أُرسل مجددًا: {status}.",
    nothing_yet: "لا شيء بعد", quiet_title: "لا توصيلات", quiet: "أرسل اختبارًا، أو انتظر حتى يحدث شيء تصغي إليه الوجهة.",
    change: "غيّر", change_title: "تغيير «{name}»", keep: "احفظ", changed: "تغيّرت الوجهة.", url_moves: "عنوان https تصل إليه الخدمة. وما ينتظر يذهب إلى العنوان الجديد.", no_address: "أعطِ عنوانًا يبدأ بـ https://.",
    hears_all: "كل الأحداث، وما يأتي من أنواعها لاحقًا", hears_chosen: "ما أختاره فقط", family: "كل ما يخص «{name}»، وما يأتي لاحقًا", all_of_it: "الكل", some_of: "{count} من {of}",
    none_chosen: "اختر حدثًا واحدًا على الأقل.", no_types: "لا يحق لمفتاحك أن يقرأ ما سوى ذلك من الأنواع.", overtaken: "غيّرها أحد في هذه الأثناء. هناك الآن: {address}؛ الأحداث: {events}. احفظ مرة أخرى ليحل ما عندك محله.",
    delete: "احذف", delete_title: "حذف «{name}»؟", delete_what: "لن تعلم بشيء بعد الآن. ويذهب معها سرها وقائمة ما أُرسل إليها، ولا يستطيع أحد إرجاعهما.",
    lost: "رسائل في الطريق ستضيع: {count}.", lost_more: "رسائل في الطريق ستضيع: أكثر من {count}.", deleted: "حُذفت «{name}».",
    recover: "أرسل ما فات مجددًا", recover_what: "ما فشل وما ينتظر وما حدث وهي متوقفة أو لم تكن بعد. وما وصل لا يُرسل مجددًا.", since: "منذ", since_hint: "قبل 30 يومًا على الأكثر، بتوقيت {zone}.", since_wrong: "اختر لحظة من آخر 30 يومًا.",
    recover_go: "أرسل مجددًا", recover_off: "شغّلها ليُرسل ما فاتها مجددًا.", recovered: "أُرسل مجددًا: {count}.", recovering: "ما فات منذ {since}",
    recovery_running: "يُرسل مجددًا", recovery_done: "أُرسل كل شيء مجددًا", recovery_stopped: "أُوقف", recovery_failed: "لم يُرسل كل شيء مجددًا", sent_so_far: "أُرسل مجددًا حتى الآن: {count}.", stop: "أوقف", go_on: "تابع",
  },
  delivery: { delivered: "وصلت", pending: "في الطريق", failed: "فشلت" },
};
