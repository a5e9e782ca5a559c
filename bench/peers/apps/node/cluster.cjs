// A program on every processor, all behind one port: what `pm2 start -i max` does.
//
//   cluster.cjs PROGRAM [ARGUMENTS]
const cluster = require("node:cluster");
const os = require("node:os");

cluster.setupPrimary({ exec: process.argv[2], args: process.argv.slice(3) });
os.cpus().forEach(() => cluster.fork());

let isEnding = false;

function end(code) {
  isEnding = true;
  process.exitCode = code;
  Object.values(cluster.workers).forEach((worker) => worker.process.kill("SIGTERM"));
}

process.on("SIGTERM", () => end(0));
// One that is gone would be missing from what is measured.
cluster.on("exit", () => isEnding || end(1));
