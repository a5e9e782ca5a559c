// Plays scenarios of one theme, several at a time in one browser.
//
//   node lms/run.mjs <outcomes|visits|finding|records|large> <1.2|2004> <folder with <course>-<edition>.zip> [part of a name]
//
// One JSON line per scenario; exits 0 only if none has a fault.
import { World, themes } from "./world.mjs";

const [theme, edition, folder, part = ""] = process.argv.slice(2);
const world = await World.open(folder);
try {
  const wanted = Object.keys(themes[theme]).filter((name) => name.includes(part));
  await world.each(wanted, async (name) => {
    const started = Date.now();
    const fault = await world.fault(name, edition);
    if (fault) process.exitCode = 1;
    console.log(JSON.stringify({ scenario: name, edition, fault, ms: Date.now() - started }));
  });
} finally {
  await world.close();
}
