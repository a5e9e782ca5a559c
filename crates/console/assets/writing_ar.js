// كلمات الطرق إلى المحررات.
export default {
  writing: {
    draft: "صُغ أنشطة بالذكاء",
    edit: "حرّر", add: "أضف نشاطًا", add_title: "نشاط جديد", kind: "النوع", name: "الاسم", add_now: "أضف", add_hint: "يُكتب في الصفحة التالية.",
  },
};
