// Words of looking through lists, and of their order.
export default {
  find: {
    courses: "ابحث عن مقرر", cohorts: "ابحث عن مجموعة", people: "ابحث بالاسم أو العنوان", students: "ابحث عن متعلم", deleted: "ابحث بالاسم", learners: "ابحث عن متعلم", sort: "الترتيب",
    newest: "الأحدث أولًا", oldest: "الأقدم أولًا", changed: "آخر ما تغيّر أولًا", name: "بالاسم", count: "وُجد: {count}", nothing_title: "لم يوجد شيء", nothing: "لا شيء هنا فيه «{q}».",
    nothing_chosen: "لا شيء هنا كما اخترت.", clear: "أظهر الكل", key: "ابحث",
  },
};
