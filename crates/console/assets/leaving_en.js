// Words of what is asked before somebody signs out.
export default {
  leaving: {
    title: "Something of yours is not saved", what: "Not saved yet: {count}. It stands in this browser, for you alone among those who sign in here, and is back when you open it again.",
    shared: "On a computer that others use as well, throw it away, or stay and save it first.", drop: "Throw it away and sign out", keep: "Keep it and sign out",
  },
};
