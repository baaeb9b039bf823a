/**
 * `npm run prove -- WORDS` is `adjudge prove WORDS`; with `--mutate` among them it is the mutation run of
 * this room, which needs the sources and is no part of the published command.
 */
import process from "node:process";

if (process.argv.includes("--mutate")) await import("./main.ts");
else {
  process.argv.splice(2, 0, "prove");
  await import("../../cli/adjudge.ts");
}
