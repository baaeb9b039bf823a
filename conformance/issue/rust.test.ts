import { describe, expect, test } from "vitest";
import { answerIn, type DataType, type Engine, type Mode } from "../../engines/index.ts";
import { type Case, caseAt, tensorProfile } from "../../oracle/index.ts";
import { type OperatorName, operatorsWithin, type Shape } from "../../spec/index.ts";
import { ProcessEngine } from "../runner/engine.ts";
import { node, question, resultOf, scalar } from "../testees/asking.test.kit.ts";
import { candleTestee } from "../testees/bundled.ts";
import type { IssueQuestion, RightNumbers } from "./question.ts";
import { runRust } from "./running_rust.ts";
import { candleScripts } from "./rust.ts";

const command = candleTestee();
const note = command === undefined ? " (skipped: it is not built)" : "";

/** Draws a small random case of one operator. */
function caseOf(op: OperatorName, index: number): Case {
  const profile = { ...tensorProfile, name: op, operators: [op], nodes: [1, 2], ranks: [1, 2, 3] } as const;
  return caseAt(profile, 21, index);
}

/** Makes the script that takes the last number of the engine's answer for right, and all others for wrong. */
async function asIfRight(
  engine: Engine,
  asked: Case,
  dtype: DataType,
  mode: Mode,
): Promise<IssueQuestion | undefined> {
  const loaded = resultOf(await engine.load(asked.graph, dtype));
  const reply = await answerIn(loaded, mode, asked);
  await loaded.unload();
  const answer = reply.kind === "result" ? reply.value : [];
  const place = answer.findLastIndex(({ data }) => data.length > 0);
  const data = answer[place]?.data ?? Float64Array.of();
  const last = data.at(-1);
  if (last === undefined) return undefined;
  const right: RightNumbers = Number.isNaN(last) ? "nan" : { low: last, high: last };
  const due = { kind: "number", element: data.length - 1, right } as const;
  const title = operatorsWithin(asked.graph).join(" ");
  return { title, note: mode, case: asked, dtype, mode, wrong: { place, truth: `${last}`, due } };
}

/** Asks whether a scalar's exponential is a tensor of that shape. */
function ofShape(shape: Shape): IssueQuestion {
  const asked = { ...question([scalar(1)], [node("exp", {}, 0)]), tangents: [], seeds: [] };
  const wrong = { place: 0, truth: "a {shape}", due: { kind: "shape", shape } } as const;
  return { title: "a shape", note: "", case: asked, dtype: "float64", mode: "evaluate", wrong };
}

describe.skipIf(command === undefined)(`a script that asks candle${note}`, () => {
  test("gets the answer that the adapter got, for every operator", { timeout: 300_000 }, async () => {
    if (command === undefined) return;
    const started = await ProcessEngine.start(command);
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    await using engine = started.value;
    const { operators } = engine.describe();
    const questions: IssueQuestion[] = [];
    for (const [place, op] of operators.entries()) {
      const back = place % 2 === 0 ? "vjp" : "backward_dense";
      let put: IssueQuestion[] = [];
      // A case without elements has no number to ask for.
      for (let index = 0; put.length === 0 && index < 20; index++) {
        const asked = caseOf(op, index);
        const both = [
          await asIfRight(engine, asked, "float64", "evaluate"),
          await asIfRight(engine, asked, "float32", back),
        ];
        put = both.filter((question) => question !== undefined);
      }
      expect(put, op).not.toEqual([]);
      questions.push(...put);
    }
    const scripts = candleScripts([...questions, ofShape([]), ofShape([1])]);
    expect(scripts.filter((script) => !script.ok)).toEqual([]);
    const { codes, printed } = runRust(scripts.flatMap((script) => (script.ok ? [script.value] : [])));
    const failed = scripts.filter((_, place) => codes[place] !== 0);
    expect([codes.length, failed], printed).toEqual([scripts.length, scripts.slice(-1)]);
    expect(codes.at(-1)).toBe(1);
  });
});
