import { describe, expect, test } from "vitest";
import { type Engine, expanding } from "../../engines/index.ts";
import { execute, float64, tensor } from "../../reference/package.ts";
import {
  at,
  compositeNames,
  entryOf,
  exampleOf,
  expandProgram,
  type FlatTensor,
  type Graph,
  nodeId,
  type Program,
  type ProgramBuilder,
  type ProgramOperand,
  primitiveNames,
  program,
  type Shape,
  type Statement,
  shapesOf,
} from "../../spec/index.ts";
import { floatPrograms, taskAt } from "./draw.ts";
import { executingEngine, type Planted } from "./executing_engine.test.kit.ts";
import { judgeProgram, type ProgramVerdict } from "./judge.ts";
import type { ProgramTask } from "./task.ts";

/** An engine that has primitives alone, with composites written out for it. */
function poorEngine(planted: Planted = {}): Engine {
  const whole = executingEngine(planted);
  const description = { ...whole.describe(), operators: [...primitiveNames] };
  return expanding({ ...whole, describe: () => description });
}

const judged = (engine: Engine, task: ProgramTask): Promise<ProgramVerdict> =>
  judgeProgram(engine, task, { dtype: "float64", shrinkBudget: 0 });

function taskOf(write: (builder: ProgramBuilder) => readonly ProgramOperand[]): ProgramTask {
  const asked = program(write);
  const numbers = (shape: Shape, first: number): FlatTensor => ({
    shape,
    data: Float64Array.from({ length: shape.reduce((x, y) => x * y, 1) }, (_, i) => first + i / 2),
  });
  const { parameters, results } = entryOf(asked);
  return {
    case: {
      program: asked,
      point: {
        inputs: [...parameters, ...asked.state].map(({ shape }, i) => numbers(shape, i + 0.25)),
        environment: new Map(),
      },
      generator: { key: [3, 4], drawn: 0 },
      received: new Map(),
      seeds: results.map(({ shape }, place) => ({ id: nodeId(place), cotangent: numbers(shape, 1) })),
    },
    calls: [
      { parameters: parameters.map(({ shape }) => numbers(shape, -1)), received: new Map(), seeds: [] },
    ],
  };
}

/** Composites on values and locations, in loops, with draws and retained values between. */
const mixed = taskOf(({ input, state, buffer, draw, for_, send }) => {
  const x = input("x", [2]);
  const total = state("total", [2]);
  const y = x.sigmoid();
  y.retain();
  const b = buffer(y);
  for_(2, (i) => b.at(i).update("minimum", 0.5));
  total.update("add", b.silu().multiply(draw({ kind: "uniform" }, [2])));
  send("out", total);
  return [y.softplus(), b];
});

describe("an engine that lacks composites, asked programs", () => {
  test("is said to have them, and agrees as the one that has", async () => {
    expect(poorEngine().describe().operators).toContain("sigmoid");
    for (const engine of [poorEngine(), executingEngine()])
      expect(await judged(engine, mixed)).toEqual({ kind: "agrees" });
    for (let index = 0; index < 12; index++) {
      const task = taskAt(floatPrograms, 5, index);
      expect(await judged(poorEngine(), task)).toEqual(await judged(executingEngine(), task));
    }
  });

  test("is told from one that is wrong, and the witness says and shows what was sent", async () => {
    const halved = poorEngine({
      answer: (answer, { mode }) =>
        mode === "vjp"
          ? {
              ...answer,
              retained: answer.retained.map(({ shape, data }) => ({ shape, data: data.map((x) => x / 2) })),
            }
          : answer,
    });
    const verdict = await judged(halved, mixed);
    if (verdict.kind !== "disagrees") throw new Error(verdict.kind);
    const { sent, blame, part, case: question } = verdict.witness;
    expect(part).toBe("retained");
    expect(question.program).toBe(mixed.case.program);
    expect(blame.sentence).toContain(
      "The engine was sent the expansion of sigmoid, minimum, silu, softplus.",
    );
    expect(sent).toEqual(
      expandProgram(mixed.case.program, (op) => primitiveNames.some((name) => name === op)),
    );
    const whole = await judged(executingEngine({ answer: (answer) => ({ ...answer, drawn: 7 }) }), mixed);
    expect(whole).toMatchObject({ kind: "disagrees", witness: { part: "drawn" } });
    expect(whole.kind === "disagrees" && whole.witness.sent).toBe(undefined);
  });

  test("is not made to refuse by how a composite is written out", async () => {
    // The sweep of max(b, ·) needs no b that a tape saved in place, if b was read into a value.
    const task = taskOf(({ input, buffer }) => {
      const b = buffer(input("x", [2]));
      const y = b.silu();
      b.update("add", 1);
      return [y];
    });
    expect(await judged(poorEngine({ policy: "version" }), task)).toEqual({ kind: "agrees" });
  });

  test("declines what its expansion still lacks, an operator or a statement", async () => {
    const whole = executingEngine();
    const lacking = (operators: readonly string[], statements: readonly string[]): Engine => {
      const description = {
        ...whole.describe(),
        operators: primitiveNames.filter((op) => !operators.includes(op)),
      };
      const { programs } = whole;
      if (programs === undefined) return expect.unreachable("it runs programs");
      const described = {
        ...programs.describePrograms(),
        statements: programs.describePrograms().statements.filter((kind) => !statements.includes(kind)),
      };
      return expanding({
        ...whole,
        describe: () => description,
        programs: { ...programs, describePrograms: () => described },
      });
    };
    const asked = program(({ input, state }) => {
      const b = state("b", [2]);
      b.update("minimum", input("x", [2]));
      return [b];
    });
    const load = (engine: Engine) => engine.programs?.loadProgram(asked, "float64");
    expect(await load(lacking(["maximum"], []))).toEqual({
      kind: "unsupported",
      reason: "the engine does not offer maximum",
    });
    expect(await load(lacking([], ["write"]))).toEqual({
      kind: "unsupported",
      reason: "the engine does not run write",
    });
  });

  test.each(
    compositeNames.filter((op) => exampleOf(op).environment.length === 0),
  )("%s written out leaves the same bits", (op) => {
    const whole = programOf(exampleOf(op));
    const expanded = expandProgram(whole, () => false);
    expect(expanded).not.toBe(whole);
    expect(leftBy(expanded)).toEqual(leftBy(whole));
  });
});

/** A graph of one node as a program, its inputs as locations. */
function programOf(graph: Graph): Program {
  const shapes = shapesOf(graph);
  const body = graph.nodes.map(
    ({ parents, ...applied }): Statement => ({
      do: "let",
      name: "y",
      ...applied,
      operands: parents.map((id) => `x${id}`),
    }),
  );
  return {
    format: "adjudge.program.v1",
    state: graph.inputs.map(({ shape }, i) => ({ name: `x${i}`, shape })),
    environment: [],
    procedures: [
      { name: "main", parameters: [], body, results: [{ name: "y", shape: at(shapes, shapes.length - 1) }] },
    ],
  };
}

/** Returns what the reference leaves of the program after a run. */
function leftBy(asked: Program): unknown {
  const state = asked.state.map(({ shape }, i) => tensor(shape, (position) => 0.5 + i + position / 4));
  const start = { parameters: [], state, environment: new Map(), world: new Map() };
  const left = execute(float64, asked, { ...start, generator: { key: [1, 2], drawn: 0 } });
  return left.ok ? left.value : expect.unreachable(JSON.stringify(left.error));
}
