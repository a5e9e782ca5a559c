// Words of the page of members.
export default {
  members: {
    sessions: "الجلسات", sessions_title: "أين سجّل {name} دخوله", sessions_what: "من ينتمي إلى مكان آخر أيضًا لا تعلم هذه المساحة بجلساته. وإنهاء الكل يغلقها أمام كل جلسة بدأت قبل الآن وما سلّمته برامجك؛ ومن سجّل دخوله من جديد دخل.", sessions_none: "لا جلسة تعلم بها هذه المساحة.", sessions_end: "إنهاء", sessions_end_all: "إنهاء الكل", sessions_ended: "انتهت هنا كل جلسات {name}.", session_ended: "انتهت.",
    lede: "من ينتمي إلى هنا. وكل ما يفعله أحدهم يُسجَّل باسمه في كل سجل.", role: "الدور", since: "منذ", until: "حتى", none_title: "لا أحد بعد", none: "ادعُ أحدًا.",
    invite: "ادعُ أحدًا", address_mailed: "تصله رسالة فيها رابط للدخول.", address_shown: "هذه الخدمة لا ترسل بريدًا: يظهر لك رابط لتسلّمه بنفسك.",
    sent: "دعوة في طريقها إلى {email}.", link_title: "دعوة {name}", link_what: "سلّمه بنفسك: يُدخل من يفتحه مرة واحدة بصفة هذا العضو، خلال سبعة أيام. ولا يظهر إلا الآن.",
    invited: "مدعوون لم يصلوا بعد", invited_what: "يصلح الرابط سبعة أيام ومرة واحدة. ومن يدخل بجلسات برامجك لا يحتاج إلى القبول.", nobody_invited_title: "لا أحد ينتظر", nobody_invited: "كل من دُعي حاضر.",
    state_not_sent: "لم تُرسل دعوة", state_pending: "في الانتظار", state_expired: "انتهى وقتها", state_accepted: "قُبلت",
    mail_pending: "الرسالة في الطريق", mail_sent: "أُرسلت الرسالة", mail_failed: "لم تصل الرسالة", mail_dropped: "لم تُرسل",
    send: "أرسل الدعوة", link: "أنشئ رابطًا", withdraw: "اسحبها",
    change_role: "غيّر الدور", role_title: "ما يحق لـ {name} هنا", role_hint: "المالك والمدير يديران المساحة؛ والمعلم يعنى بالمقررات والمتعلمين والدرجات؛ والمتعلم يتعلم.", change: "غيّر", role_changed: "{name} الآن: {role}.",
    take_out: "أخرِجه", take_out_title: "إخراج {name}؟", take_out_what: "يخرج مع نقرته التالية، ومعه جلساته والمفاتيح التي أُنشئت له هنا. ويبقى ما فعله، ويمكن إرجاعه من المهملات مدة من الزمن.", taken_out: "خرج {name}.",
    keys: "المفاتيح", key: "أنشئ مفتاحًا", key_title: "مفتاح لـ {name}", key_what: "ما يُفعل به يُفعل باسم {name}. ويراه بين مفاتيحه ويمكنه إنهاؤه.",
    services: "حسابات البرامج", service_what: "يعمل البرنامج باسمه هو لا باسم غيره. ولا يسجّل الدخول أبدًا؛ فأعطه مفتاحًا.", service_new: "حساب برنامج جديد", service_make: "أنشئ", service_made: "أُنشئ {name}. أنشئ له مفتاحًا.", no_service_title: "لا برنامج بعد", no_service: "البرامج التي تعمل هنا بأسمائها تظهر هنا.",
    every_role: "كل الأدوار", suspended: "موقوف", erased: "مُحي", rename: "غيّر الاسم", rename_title: "ما اسم {name}", rename_hint: "يظهر الاسم في كل سجل، حتى لما فُعل قبل ذلك.", renamed: "الاسم الآن {name}.", happened: "ما جرى له", acted: "ما فعله", export: "صدّر بياناته", erase: "امحُ بياناته", more_for: "المزيد لـ {name}", receipt: "الإيصال",
    taken_out_all: "أعضاء أُخرجوا",
  },
};
