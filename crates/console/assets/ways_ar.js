// Words of the ways between what is reviewed and pages of its assignment.
export default {
  ways: {
    title: "صفحات هذا الواجب",
    to_desk: "عودة إلى الطاولة",
    to_list: "عودة إلى التسليمات",
    waiting: "(في الانتظار: {count})",
    alike: "واحدة من إجابات متشابهة عددها {count}",
    chosen: "ما اخترته وحده: {count}",
    chosen_hint: "في قائمة التسليمات. تُستثنى منها العناوين وما ينتظر تقييمًا دون اطّلاع.",
    one_assignment: "ما اخترته من واجبات عددها {count}. يُعاد التقييم واجبًا واحدًا في كل مرة: اختر واحدًا فوق القائمة ثم اختر منه.",
    answers: "مسلَّمة: {count}",
  },
};
