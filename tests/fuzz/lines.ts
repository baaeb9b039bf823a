import { ProcessEngine } from "../../conformance/index.ts";
import { LineSplitter } from "../../conformance/protocol/lines.ts";
import type { Start } from "../../conformance/runner/process.ts";
import { Testee } from "../../conformance/testees/kit/testee.ts";
import { interpreterEngine } from "../../engines/index.ts";
import { caseAt, judge, tensorProfile } from "../../oracle/index.ts";
import { formatIssue } from "../../spec/index.ts";
import { Chance, hostileText } from "./grammar.ts";
import { faultInWords, told } from "./properties.ts";

const words: readonly string[] = [
  "hello",
  "done",
  "tensors",
  "unsupported",
  "error",
  "float64",
  "float32",
  "add",
  "vjp",
];

/** The lines of one engine that is the interpreter but for what it says: once in so many times a line is hostile. */
function hostileStart(chance: Chance, lines: { count: number }): Start {
  const testee = new Testee(interpreterEngine());
  const rate = chance.of([1, 2, 5, 10]);
  return (_command, limits, events) => {
    const ended = Promise.withResolvers<Awaited<ReturnType<Start>["ended"]>>();
    const splitter = new LineSplitter(limits.lineBytes);
    const end = (how: string): void =>
      ended.resolve({
        how,
        code: 0,
        unfinishedBytes: splitter.pendingBytes,
        lastWords: chance.of(["", "\u001b[2Jalas"]),
      });
    let isDeaf = false;
    const say = (text: string): void => {
      const { lines: whole, fault } = splitter.push(Buffer.from(text));
      for (const line of whole) if (!isDeaf) events.line(line);
      if (fault !== undefined && !isDeaf) events.fault(`sent ${fault}`);
    };
    return {
      ended: ended.promise,
      send: (line) => {
        void testee.answer(line).then((reply) => {
          if (!chance.once(rate)) return say(`${JSON.stringify(reply)}\n`);
          lines.count += 1;
          say(`${hostileText(reply, words, chance)}\n`);
          // What was cut off in the middle answers nobody: it is the end.
          if (chance.once(4)) end("exited with code 0");
        });
      },
      close: () => end("exited with code 0"),
      kill: () => {
        isDeaf = true;
        end("was killed");
      },
    };
  };
}

/** One engine that is judged on a case: how many hostile lines it said, and what is wrong with how they were taken. */
export async function tryLines(seed: number): Promise<{ readonly lines: number; readonly faults: string[] }> {
  const chance = new Chance(seed);
  const lines = { count: 0 };
  const said: string[] = [];
  try {
    const limits = {
      requestMilliseconds: 50,
      startMilliseconds: 50,
      exitMilliseconds: 50,
      lineBytes: 2 ** 20,
    };
    const engine = await ProcessEngine.start(
      { argv: ["in-memory"] },
      limits,
      "base64",
      hostileStart(chance, lines),
    );
    if (!engine.ok) said.push(...engine.error.map(formatIssue));
    else {
      const { name, version, language } = engine.value.describe();
      said.push(name, version, language);
      for (let index = 0; index < 3; index++) {
        const verdict = await judge(engine.value, caseAt(tensorProfile, 1, chance.below(5000)), {
          dtype: "float64",
          shrinkBudget: 20,
        });
        if (verdict.kind === "crashed") said.push(verdict.message);
        if (verdict.kind === "unsupported") said.push(verdict.reason);
      }
      said.push(...(await engine.value.close()).map(formatIssue));
    }
  } catch (thrown) {
    return { lines: lines.count, faults: [told(thrown)] };
  }
  const fault = faultInWords(said.join("\n"));
  return { lines: lines.count, faults: fault === undefined ? [] : [fault] };
}
