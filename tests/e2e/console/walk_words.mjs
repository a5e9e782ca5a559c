// What is written on the walk, in two languages.
const sheet = (rows) => `<meta name="generator" content="Sheets"><table><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</tbody></table>`;

export const english = {
  course: "Food safety",
  units: ["Hygiene", "Heat"],
  lessons: ["Clean hands", "The danger zone", "Probing"],
  text: "Bacteria multiply between 5 and 63 °C.\n\n",
  table: sheet([["Food", "Core"], ["Chicken", "74 °C"], ["Fish", "63 °C"]]),
  alt: "a thermometer",
  more: "A probe thermometer is a thin needle that feels heat. Put the probe into the thickest part. Chicken is safe at 74 °C. Fish is safe at 63 °C.",
  quiz: "Check yourself",
  questions: {
    single: ["Where does the danger zone end?", "At 63 °C", "At 90 °C"],
    truth: "Washing chicken makes it safe.",
    numeric: "How hot must chicken get, in °C?",
    short: ["Name a fish.", "cod"],
    ordering: ["What comes first?", "Wash your hands", "Cut the bread"],
  },
  assignment: "A cleaning plan",
  task: "Write a cleaning plan for a small kitchen.",
  criteria: [
    ["Places", "Every surface, the floor and the fridge."],
    ["Times", "Who cleans what, and on which day."],
    ["Means", "Soap, hot water and a clean cloth."],
  ],
  answer:
    "Every evening Ada wipes each surface and mops the floor with hot water and soap. On which day the fridge is cleaned, and by whom, stands on the door. A clean cloth is taken each time.",
  cohort: "Autumn",
};

export const arabic = {
  course: "سلامة الغذاء",
  units: ["النظافة", "الحرارة"],
  lessons: ["أيدٍ نظيفة", "منطقة الخطر", "القياس"],
  text: "تتكاثر البكتيريا بين 5 و63 درجة.\n\n",
  table: sheet([["الطعام", "الداخل"], ["دجاج", "74"], ["سمك", "63"]]),
  alt: "ميزان حرارة",
  more: "المجس هو إبرة رفيعة تحس بالحرارة. ضع المجس في أسمك جزء. الدجاج آمن عند 74 درجة. السمك آمن عند 63 درجة.",
  quiz: "اختبر نفسك",
  questions: {
    single: ["أين تنتهي منطقة الخطر؟", "عند 63", "عند 90"],
    truth: "غسل الدجاج يجعله آمنًا.",
    numeric: "إلى أي درجة يُسخَّن الدجاج؟",
    short: ["اذكر سمكة.", "القد"],
    ordering: ["ما الذي يأتي أولًا؟", "اغسل يديك", "اقطع الخبز"],
  },
  assignment: "خطة تنظيف",
  task: "اكتب خطة تنظيف لمطبخ صغير.",
  criteria: [
    ["الأماكن", "كل سطح والأرضية والثلاجة."],
    ["الأوقات", "من ينظف ماذا وفي أي يوم."],
    ["الوسائل", "صابون وماء ساخن وقماش نظيف."],
  ],
  answer: "تمسح آدا كل سطح والأرضية في المساء. تنظف ليلى الثلاجة يوم الأحد، ومن ينظف الفرن مكتوب على الباب. يكفي صابون مع ماء ساخن، ويؤخذ قماش نظيف كل مرة.",
  cohort: "الخريف",
};
