// Words of the page of what AI cost alone.
export default {
  usage: {
    month: "الشهر", calls: "النداءات", in: "رموز مقروءة", out: "رموز مكتوبة", tokens: "الرموز", cost: "الكلفة", money: "المال", day: "اليوم", by_day: "بحسب اليوم", by_feature: "بحسب الغرض", by_model: "بحسب النموذج", chart: "الرموز في اليوم؛ والجدول أدناه فيه الأرقام نفسها", as_table: "الشيء نفسه جدولًا", budget: "ميزانية هذا الشهر", used_of: "{used} من {most} ({share})", no_budget: "لا ميزانية: ينفق الذكاء بلا حد. يحددها المديرون عبر PATCH /v1/workspaces/{id}.",
    resets: "تبدأ من جديد {when}.", every: "كل نداء", what: "الغرض", model: "النموذج", sent: "ما غادر الدار", outcome: "النتيجة", latency: "استغرق", at: "متى", none_title: "لا نداءات هذا الشهر", none: "المحرك المدمج لا ينادي أحدًا ولا يكلّف شيئًا. وحين يُربط نموذج لغوي يُسجّل هنا كل نداء.",
  },
  feature: { grading: "تقييم", explaining: "شرح", drafting: "صياغة", checking: "فحص المسودات", tutoring: "المرشد", speaking: "نطق" },
  outcome: { answered: "أُجيب", invalid: "غير صالح", refused: "رُفض", unavailable: "غائب" },
};
