import { judgeStorage, startFramework, storagePoints } from "../../conformance/index.ts";
import { LineSplitter } from "../../conformance/protocol/lines.ts";
import type { Start } from "../../conformance/runner/process.ts";
import { visibleJson } from "../../spec/shapes/index.ts";
import { Chance } from "./grammar.ts";
import { faultInWords, told } from "./properties.ts";

/** A framework in memory needs far less time than this. */
const limits = { requestMilliseconds: 50, startMilliseconds: 50, exitMilliseconds: 50, lineBytes: 2 ** 16 };

const odd: readonly string[] = [
  "",
  "-1",
  "99999999999",
  "1e99",
  "NaN",
  "7fc00000",
  "ff800000",
  "00000000",
  "sym4",
  "sym99",
  "bfp4e5/2",
  "asym8",
  "float32",
  "-",
  "\u001b[2J",
  "\u202e",
  "ok",
  "x".repeat(300),
];

/** Answers a question with some of its own words, which are often a tensor, and with odd ones among them. */
function answerTo(question: string, chance: Chance): string {
  if (question.startsWith("hello"))
    return chance.once(20) ? `ok 1 ${chance.of(odd)}` : "ok 1 hostile 1 float32 int32 sym_int32 sym asym bfp";
  const words = question.split(" ");
  const own = words.slice(chance.below(words.length));
  for (let times = chance.of([0, 0, 1, 2]); times > 0; times--)
    own.splice(chance.below(own.length + 1), chance.below(2), chance.of(odd));
  return `${chance.of(["ok", "ok", "ok", "ok", "refused", "unsupported", "what"])} ${own.join(" ")}`;
}

/** Starts a framework that says hostile lines, ends, or is silent. */
function hostileStart(chance: Chance, lines: { count: number }): Start {
  return (_command, limits, events) => {
    const ended = Promise.withResolvers<Awaited<ReturnType<Start>["ended"]>>();
    const splitter = new LineSplitter(limits.lineBytes);
    const end = (how: string, code?: number): void =>
      ended.resolve({ how, code, unfinishedBytes: 0, lastWords: chance.of(["", "\u001b[2Jalas"]) });
    return {
      ended: ended.promise,
      send: (line) => {
        lines.count += 1;
        if (chance.once(60)) return end("exited with code 139", 139);
        if (chance.once(60)) return end("exited with code 1", 1);
        if (chance.once(2000)) return;
        const heard = splitter.push(Buffer.from(`${answerTo(line, chance)}\n`));
        queueMicrotask(() => {
          for (const whole of heard.lines) events.line(whole);
          if (heard.fault !== undefined) events.fault(`sent ${heard.fault}`);
        });
      },
      close: () => end("exited with code 0", 0),
      kill: () => end("was killed"),
    };
  };
}

/** Puts a hostile framework through the points; it may hold to none that has bits to compare. */
export async function tryStorage(
  seed: number,
): Promise<{ readonly lines: number; readonly faults: string[] }> {
  const chance = new Chance(seed);
  const lines = { count: 0 };
  const said: string[] = [];
  try {
    const start = hostileStart(chance, lines);
    const framework = await startFramework({ argv: ["in-memory"] }, limits, start);
    if (framework.ok) {
      const points = [chance.of(storagePoints), chance.of(storagePoints)];
      for await (const outcome of judgeStorage(framework.value, { seed, cases: 5 }, points))
        said.push(visibleJson(outcome));
      await framework.value.close();
    } else said.push(...framework.error.map(({ message }) => message));
  } catch (thrown) {
    return { lines: lines.count, faults: [told(thrown)] };
  }
  const fault = faultInWords(said.join("\n"));
  return { lines: lines.count, faults: fault === undefined ? [] : [fault] };
}
