// A page inside a frame that opens the package in a window of its own: the API is with the opener's parent.
document.getElementById("launch").onclick = () => window.open("within-2-here", "sco", "width=900,height=700");
