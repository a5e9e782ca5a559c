// Words of what AI proposes, and of asking it.
export default {
  proposals: {
    title: "المقترحات", lede: "اقرأ ما صاغه الذكاء إلى جانب ما هو موجود. لا يدخل المقرر إلا ما تقبله.", pending: "لا يتغيّر شيء في المقرر. حين يجهز، ينتظر قرارك هنا.", list: "المقترحات",
    piece: "المقترح", shown: "يُعرض {name}.", replaces: "يحلّ محلّ ما هو موجود", proposed: "مفتوح", accepted: "مقبول", discarded: "مرفوض", open_count: "ما زال مفتوحًا {open} من {all}.",
    all_decided: "حُسم أمرها كلها.", accept: "اقبل", accept_inside: "اقبل مع كل ما فيه ({count})", accept_changed: "اقبله هكذا", edit: "عدّل أولًا", discard: "ارفض", reopen: "تراجع عن الرفض",
    accept_all: "اقبل كل ما بقي", accept_all_what: "ما زال مفتوحًا: {count}. تدخل كلها المقرر كما هي.", said_accepted: "قُبل {name}.", said_discarded: "رُفض {name}.",
    said_reopened: "{name} مفتوح من جديد.", see_it: "اعرضه", see_history: "ما كان موجودًا قبله", there: "الموجود الآن", proposed_value: "المقترح", comes: "سيُضاف", goes: "سيُحذف",
    same: "يقول ما يقوله الموجود.", from_source: "من نصك", support: "مقارنةً بنصك", supported: "كل الجمل التي تقرّر شيئًا ({count}) يسندها نصك.", unsupported: "لا يسند نصُّك {count} من {all} جملة:",
    changed_title: "تغيّر في هذه الأثناء", changed: "منذ أن قدّم الذكاء هذا المقترح غيّر أحدهم ما هو موجود. هذا حاله الآن إلى جانب المقترح. ويُحفظ الموجود كنسخة.", used_title: "استعمله متعلّمون",
    used: "لن يبقى ما استعملوه كما كان. ويُحفظ الموجود كنسخة.", replace: "استبدله مع ذلك", rubric_later: "يمكن تعديل سلّم التقييم في صفحته بعد القبول.", field_description: "موضوعها",
    retry: "حاول مرة أخرى", landed_title: "هذه المسودة في المقرر بالفعل", landed: "طُلبت لتدخل من تلقاء نفسها، وليس هناك ما يُقرَّر.", gone_title: "لم تعد هناك مقترحات",
    gone: "حُذف ما كانت من أجله. فإن عاد عادت معه.", keys: "بلوحة المفاتيح", key_move: "السابق، التالي", key_accept: "اقبل", key_edit: "عدّل أولًا", key_discard: "ارفض", open: "الذكاء الاصطناعي",
    nothing_changes: "لا يتغيّر شيء قبل أن تقبله.", seen_at_once: "هذا المقرر يراه المتعلمون: ما تقبله يرونه فورًا.", there_now: "المقترح جاهز.", ask_again: "اسأل مرة أخرى", brief: "عمّ يكون", brief_hint: "إن تُرك فارغًا فالمرجع ما كُتب حوله.", source: "صُغ من نص",
    source_text: "النص", source_hint: "ما لا يقوله النص لا يُقال.", source_file: "أو ملف", source_file_hint: "ملف نصي من هذا الجهاز. يُقرأ في الحقل أعلاه حيث يمكنك تعديله.",
    file_long: "النص أطول من {most} حرف. خذ جزءًا منه.", file_unread: "هذا ليس ملفًا نصيًا. احفظه كنص أولًا أو انسخ ما فيه.", kind: "النوع", count: "العدد", items: "الأسئلة أو البطاقات في كل منها",
    items_hint: "إن تُرك فارغًا: بقدر ما يناسب الدرس.", activities_title: "صُغ أنشطة", lessons_title: "صُغ دروسًا", text_title: "صُغ النص", content_title: "صُغ المحتوى", mode: "ماذا يحدث به",
    mode_review: "ينتظرني قطعةً قطعة", mode_append: "يدخل فورًا خلف ما هو موجود",
  },
  support: { unsupported: "لا يقوله أي موضع", contradicted: "موضع يقول خلافه" },
};
