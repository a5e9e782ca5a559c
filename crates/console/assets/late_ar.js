// كلمات النقاط التي خُصمت بسبب التأخر.
export default {
  late: {
    taken_off: "{counts}: استحق {earned}، وخُصم {off} بسبب التأخر",
    before: "ما يستحقه العمل. ثم يُخصم {off} بسبب التأخر.",
  },
};
