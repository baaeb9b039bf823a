import { type Outcome, ProcessEngine, smoke } from "../../conformance/index.ts";
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

/** An engine in memory needs far less time than this. */
const limits = { requestMilliseconds: 50, startMilliseconds: 50, exitMilliseconds: 50, lineBytes: 2 ** 20 };

/** Starts an engine that is the interpreter, but one line of `rate` that it says is hostile. */
function hostileStart(chance: Chance, lines: { count: number }, rate: number): Start {
  const testee = new Testee(interpreterEngine());
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

/** An engine's lines had this outcome. */
export interface TriedLines {
  readonly lines: number;
  readonly faults: readonly string[];
}

/** Judges one engine on cases, and counts its hostile lines; faults are in how the judge took these. */
export async function tryLines(seed: number): Promise<TriedLines> {
  const chance = new Chance(seed);
  const lines = { count: 0 };
  const said: string[] = [];
  try {
    const engine = await ProcessEngine.start(
      { argv: ["in-memory"] },
      limits,
      "base64",
      hostileStart(chance, lines, chance.of([1, 2, 5, 10])),
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

/** An engine that behaves for long enough to be asked of its operators, or none that does. */
const smokeRates = [2, 5, 30, 300, 3000];

function wordsOf(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case "passed":
      return [];
    case "skipped":
      return [outcome.reason];
    case "failed":
      return [outcome.message, outcome.hint];
  }
}

/** Runs `smoke` on one engine: each step must have a name, an outcome and a hint in printable words. */
export async function trySmoke(seed: number, run: typeof smoke = smoke): Promise<TriedLines> {
  const chance = new Chance(seed);
  const lines = { count: 0 };
  const said: string[] = [];
  try {
    const start = hostileStart(chance, lines, chance.of(smokeRates));
    const report = await run(
      { argv: ["in-memory"] },
      limits,
      ({ name, outcome }) => said.push(name, ...wordsOf(outcome)),
      start,
    );
    said.push(...report.engineFaults);
    const { description, steps, isFine } = report;
    if (description !== undefined) said.push(description.name, description.version, description.language);
    if (steps.length === 0) return { lines: lines.count, faults: ["no step was made"] };
    if (description === undefined && isFine)
      return { lines: lines.count, faults: ["who says nothing is fine"] };
  } catch (thrown) {
    return { lines: lines.count, faults: [told(thrown)] };
  }
  const fault = faultInWords(said.join("\n"));
  return { lines: lines.count, faults: fault === undefined ? [] : [fault] };
}
