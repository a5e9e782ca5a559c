// Words for points that were taken off because work came late.
export default {
  late: {
    taken_off: "{counts}: {earned} earned, {off} off for coming late",
    before: "What the work is worth. {off} are taken off after that, for coming late.",
  },
};
