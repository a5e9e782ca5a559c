// Words of who falls behind alone.
export default {
  standing: {
    rules: "بأي قواعد", yours: "هذه القواعد لك، للنظر فقط: لا يُقيَّم بها أحد، ولا يرى المتعلمون شيئًا منها.", apply: "طبّق", reset: "كما كانت",
    rule_overdue: "واجبات فات موعدها", hint_overdue: "هذا العدد أو أكثر مما حان موعده منذ انضمامهم ولم يُسلَّم.",
    rule_inactive_days: "أيام بلا أي عمل", hint_inactive_days: "هذا العدد أو أكثر منذ آخر درس أُتمّ أو نشاط جُرّب أو عمل سُلّم.",
    rule_low_total: "المجموع دون، بالمئة", hint_low_total: "في الدرجات، من واجبين مقيّمين على الأقل.",
    rule_pace: "نقاط وراء التقويم", hint_pace: "هذا العدد أو أكثر بين دروسهم وما مضى من وقتهم في المجموعة، وكلاهما بالمئة. ويلزم للمجموعة بداية ونهاية.",
    behind: "من يحتاج إلى كلمة", signs: "العلامات", lessons: "الدروس", total: "المجموع", no_total: "لا شيء بعد", learners: "المتعلمون",
    sign_overdue: "واجبات فات موعدها: {count}",
    sign_inactive: "أيام بلا أي عمل: {count}",
    sign_low_total: "{total} حتى الآن",
    sign_pace: "نقاط وراء التقويم: {count}",
    short: "من يحتاج إلى كلمة: {count} من {of}.", read: "قُرئ من المتعلمين: {count}.", nobody: "لا أحد متأخر بهذه القواعد.", not_running: "المجموعة ليست جارية: لا يتأخر فيها أحد.", others: "الباقون ({count})",
    first_only: "لا يُقرأ إلا أول {count} متعلم.", csv: "نزّل CSV", file: "standing", saved: "حُفظ: {name}",
    spread: "إلى أين وصلت المجموعة", spread_said: "المتعلمون: {count}. أتمّوا في المتوسط {mean} من الدروس.", spread_said_expected: "مضى {expected} من الوقت؛ ومن أتمّ من الدروس أقل من ذلك: {behind}.",
    spread_label: "أعمدة: كم من {count} متعلمين في كل عُشر من الدروس. أكثرهم من {from} إلى {to}: {most}.", spread_label_expected: "وفوقها خط: مضى {expected} من الوقت.",
    mark: "الوقت {expected}", from_to: "{from} إلى {to}", bins: "المتعلمون في كل عُشر من الدروس", table: "في جدول",
  },
};
