// Words of the book of grades alone.
export default {
  gradebook: {
    title: "الدرجات", grid: "درجات {name}", total: "المجموع", total_of: "مجموع {name}", no_total: "لا مجموع بعد", of_points: "من {points}", due: "موعدها {date}", file: "grades",
    csv: "احفظ بصيغة CSV", xlsx: "احفظ بصيغة XLSX", weighing: "كيف تُوزن", unweighed: "لم يحدد أحد أوزان الواجبات: كلها معًا، النقاط من أقصى نقاط ممكنة.",
    counts_as_zero: "ما لم يُسلَّم يُحسب صفرًا.", none: "تظهر هنا واجبات المقرر واختباراته المحسوبة حين توجد.", none_title: "لا شيء يُقيَّم بعد",
    nobody: "سجّل أشخاصًا في المجموعة: لكل واحد سطر هنا.", absent: "لم يُسلَّم", waits: "ينتظر", zero: "ناقص: صفر", dropped: "مستبعد", late: "متأخر", newer: "الأحدث ينتظر",
    group: "المجموعة", weight: "الوزن", points: "النقاط", percent: "بالمئة", dropped_tasks: "المستبعد", nothing_counts: "لا شيء يُحسب بعد", weighs_nothing: "لا وزن لها",
    no_group: "بلا مجموعة", all_tasks: "كل الواجبات", task: "الواجب", tasks: "أي واجب في أي مجموعة", group_of: "مجموعة {name}", unnamed: "بلا اسم",
    scheme_hint: "داخل المجموعة تُجمع النقاط؛ والمجموع هو متوسط المجموعات بحسب أوزانها. ويسري ذلك على كل دفعات المقرر.",
    weight_in_percent: "الوزن بالمئة", drop_lowest: "الواجبات المستبعدة", attempt: "المحاولة المحسوبة", attempt_best: "الأفضل", attempt_latest: "الأخيرة", attempt_first: "الأولى",
    remove: "أزل", add_group: "أضف مجموعة", sum: "معًا: {sum}.", rest: "ما ليس في مجموعة وزنه الباقي: {rest}.", too_much: "هذا أكثر من 100٪.",
    missing: "ما حان موعده ولم يُسلَّم", missing_ignored: "يُحسب كأن موعده لم يحن", missing_zero: "يُحسب صفرًا", missing_hint: "ما لم يحن موعده لا يُحسب في الحالتين.",
    save: "احفظ", saved: "هكذا تُوزن من الآن.", overtaken: "غيّر شخص آخر المقرر في هذه الأثناء. أغلق هذا وافتحه من جديد لترى ما صار إليه.",
  },
};
