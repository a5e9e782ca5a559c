// Words of drafting with AI alone.
export default {
  making: {
    draft_lessons: "صُغ دروسًا بالذكاء", draft_text: "صُغ النص بالذكاء", draft_activities: "صُغ أنشطة بالذكاء", draft_content: "صُغ المحتوى بالذكاء", waiting: "مقترحات الذكاء تنتظرك",
    open: "صياغة بالذكاء", title: "صياغة خطة", brief: "كيف سيكون المقرر", brief_hint: "لمن، وماذا سيستطيعون بعده، وما الذي لا ينبغي أن يغيب.", hours: "الساعات", content: "المقدار", outline: "الخطة", full: "الخطة وكل النصوص", mode: "الموجود الآن", append: "يبقى، والمسودة بعده", replace: "تُستبدل مسودات الذكاء", replace_hint: "ما كتبه إنسان أو غيّره وما استخدمه المتعلمون يبقى دائمًا، ونخبرك بما بقي.", start: "ابدأ",
    running: "الذكاء يصوغ", progress: "تقدّم الصياغة", steps: "{done} من {total} خطوات. لا يظهر شيء في المقرر حتى يكتمل كل شيء.", cancel: "ألغِها", canceled: "أُلغيت. تبقى الخطوات المنجزة للمحاولة القادمة.", ready: "المسودة جاهزة.", kept_title: "المسودة جاهزة، وهذا ما بقي", kept: "الأجزاء الباقية: {count}. استُبدل كل ما عداها مما صاغه الذكاء.", kept_more: "و{count} غيرها",
  },
  piece: { unit: "وحدة", lesson: "درس", activity: "نشاط", assignment: "واجب" },
  kept: { in_use: "استخدمه متعلمون", edited: "صنعه إنسان أو غيّره" },
  generation: { error: "فشلت الصياغة", canceled: "أُلغيت" },
};
