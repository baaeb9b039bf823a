import { type Outcome, ProcessEngine, smoke } from "../../conformance/index.ts";
import { LineSplitter } from "../../conformance/protocol/lines.ts";
import type { Start } from "../../conformance/runner/process.ts";
import { Testee } from "../../conformance/testees/kit/testee.ts";
import { judgedPosits } from "../../conformance/testees/posits.ts";
import { type Engine, interpreterEngine } from "../../engines/index.ts";
import {
  caseAt,
  drawnAt,
  floatPrograms,
  judge,
  judgeCaseEstimates,
  judgeProgram,
  judgeTapes,
  mix,
  positsProfile,
  scriptAt,
  taskAt,
  tensorProfile,
} from "../../oracle/index.ts";
import { formatIssue, operatorNames } from "../../spec/index.ts";
import { Chance, hostileText } from "./grammar.ts";
import { faultInWords, told } from "./properties.ts";

const names: readonly string[] = [
  "hello",
  "refused",
  "ran",
  "calls",
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

/** Starts an engine that is right, but one line of `rate` that it says is hostile. */
function hostileStart(
  chance: Chance,
  lines: { count: number },
  rate: number,
  engine: Engine = interpreterEngine(),
): Start {
  const testee = new Testee(engine);
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
          say(`${hostileText(reply, names, chance)}\n`);
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

/** What is asked of a hostile engine. */
export const asked = ["graphs", "tapes", "programs", "estimates", "posits"] as const;

/** Asks a question of a kind, and returns what is said of the answers. */
async function said(kind: (typeof asked)[number], engine: Engine, index: number): Promise<unknown> {
  const options = { dtype: "float64", shrinkBudget: 20 } as const;
  switch (kind) {
    case "graphs":
      return judge(engine, caseAt(tensorProfile, 1, index), options);
    case "tapes": {
      const lives = ["once", "until released"] as const;
      const script = { drawing: mix, operators: operatorNames, lives, hooks: true } as const;
      return judgeTapes(engine, scriptAt(script, 1, index), options);
    }
    case "programs":
      return judgeProgram(engine, taskAt(floatPrograms, 1, index), options);
    case "estimates":
      return judgeCaseEstimates(engine, caseAt(tensorProfile, 1, index), {
        ...options,
        samples: 60,
        seed: 1,
        alarm: 1e-6,
      });
    case "posits": {
      const { operators } = engine.describe();
      return judge(engine, drawnAt(positsProfile, operators, 1, index), { ...options, dtype: "posit16" });
    }
  }
}

/** Lists the texts that a verdict has for people: reasons, causes and messages, wherever they are. */
function wordsIn(verdict: unknown): string[] {
  if (typeof verdict !== "object" || verdict === null) return [];
  return Object.entries(verdict).flatMap(([name, value]) =>
    typeof value === "string" && ["message", "reason", "cause", "sentence"].includes(name)
      ? [value]
      : wordsIn(value),
  );
}

/** Judges one engine on questions, and counts its hostile lines; faults are in how the judge took these. */
export async function tryLines(
  seed: number,
  kind: (typeof asked)[number] = "graphs",
  ask: typeof said = said,
): Promise<TriedLines> {
  const chance = new Chance(seed);
  const lines = { count: 0 };
  const words: string[] = [];
  try {
    const right = kind === "posits" ? judgedPosits() : interpreterEngine();
    const engine = await ProcessEngine.start(
      { argv: ["in-memory"] },
      limits,
      "base64",
      hostileStart(chance, lines, chance.of([1, 2, 5, 10, 40]), right),
    );
    if (!engine.ok) words.push(...engine.error.map(formatIssue));
    else {
      const { name, version, language } = engine.value.describe();
      words.push(name, version, language);
      for (let index = 0; index < 3; index++)
        words.push(...wordsIn(await ask(kind, engine.value, chance.below(5000))));
      words.push(...(await engine.value.close()).map(formatIssue));
    }
  } catch (thrown) {
    return { lines: lines.count, faults: [told(thrown)] };
  }
  const fault = faultInWords(words.join("\n"));
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
