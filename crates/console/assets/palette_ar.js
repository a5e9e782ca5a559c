// Words of the palette alone.
export default {
  palette: {
    title: "اذهب إلى، أو افعل", input: "صفحة أو مقرر أو درس أو مجموعة أو شخص، أو شيء يُفعل", hint: "↑ ↓ للاختيار، Enter للذهاب، Esc للإغلاق", results: "ما وُجد", recent: "مؤخرًا",
    actions: "في هذه الصفحة", pages: "الصفحات", courses: "المقررات", lessons: "الدروس", cohorts: "المجموعات", people: "الأشخاص", account: "حسابك", trash: "ما حُذف", count: "وُجد: {count}",
    looking: "جارٍ البحث …", nothing: "لم يوجد شيء عن «{q}».",
  },
};
