import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import {
  type Dual,
  dual,
  entry,
  execute,
  float64,
  functionalise,
  interpret,
  jvpCtx,
  Machine,
  type MachineOf,
  type Rational,
  rational,
  rationalFromNumber,
  type Tensor,
} from "../../reference/package.ts";
import {
  at,
  type Block,
  blocksOf,
  checkGraph,
  checkProgram,
  expand,
  type Node,
  type Program,
  shapesOf,
} from "../../spec/index.ts";
import { exactPrograms, floatPrograms, programAt } from "./draw.ts";
import { asRecorded, breaksLawF, drawnWithMeaning, firstTold, leftBy, startOver } from "./laws.test.kit.ts";
import { plantedMachines } from "./machines.test.data.ts";

const SEED = 1;

describe("law F", () => {
  test("holds to the bit for random programs over float64", () => {
    for (const { index, program, start } of drawnWithMeaning(SEED, 250))
      expect([index, breaksLawF(float64, program, start)]).toEqual([index, undefined]);
  });

  test("holds to equality over the rationals", () => {
    for (let index = 0; index < 120; index++) {
      const drawn = programAt(exactPrograms, SEED, index);
      const start = startOver(drawn, rationalFromNumber);
      expect([index, breaksLawF(rational, drawn.program, start)]).toEqual([index, undefined]);
    }
  });

  test.each(Object.entries(plantedMachines))("is broken, soon, where %s", (_, machine) => {
    expect(firstTold(machine, SEED, 600)).toBeDefined();
  });
});

describe("law G", () => {
  /** Returns the first of so many programs that leaves other values with `checkpoint` for each `no_grad`. */
  function firstChanged(most: number, machine?: MachineOf<number, boolean>): number | undefined {
    for (const { index, program, start } of drawnWithMeaning(SEED, most)) {
      const [one, other] = [program, recordingAll(program)].map((each) => {
        const left = execute(float64, each, start, undefined, machine);
        return left.ok ? leftBy(left.value) : undefined;
      });
      if (one === undefined || !isDeepStrictEqual(one, other)) return index;
    }
    return undefined;
  }

  /** Returns the program with `checkpoint` for each `no_grad` of its entry. */
  function recordingAll(program: Program): Program {
    const within = (block: Block): Block =>
      block.map((statement) => {
        const inner = blocksOf(statement).map(([property, body]) => [property, within(body)]);
        const own = statement.do === "no_grad" ? { do: "checkpoint" } : {};
        return { ...statement, ...own, ...Object.fromEntries(inner) };
      });
    const [entry, ...others] = program.procedures;
    return entry === undefined
      ? program
      : { ...program, procedures: [{ ...entry, body: within(entry.body) }, ...others] };
  }

  test("holds to the bit: no value changes because no derivative of it is taken", () => {
    expect(firstChanged(250)).toBeUndefined();
  });

  test("is broken, soon, where what has no derivative is not computed", () => {
    class Idle extends Machine<number, boolean> {
      override apply(node: Node, operands: readonly Tensor<number>[]): Tensor<number> {
        const value = super.apply(node, operands);
        return node.op === "stop_gradient" ? { ...value, data: value.data.map(() => 0) } : value;
      }
    }
    expect(firstChanged(60, Idle)).toBeDefined();
  });
});

describe("a recorded graph", () => {
  test("has the shapes that the rules give, not only those that the recorder says", () => {
    for (const { index, program, start } of drawnWithMeaning(SEED, 250)) {
      const { graph } = asRecorded(float64, program, start).recording;
      expect([index, shapesOf(graph)]).toEqual([index, shapesOf({ ...graph })]);
    }
  });
});

describe("the derivative of a run", () => {
  const duals = dual(rational);

  /** Returns tangents of what a program leaves: by dual numbers in place, and by the recorded graph. */
  function tangentsOf(
    index: number,
    machine?: MachineOf<Dual<Rational>, unknown>,
  ): { readonly executed: string[]; readonly recorded: string[] } {
    const drawn = programAt(exactPrograms, SEED, index);
    let count = 0;
    const along = (): Rational => rationalFromNumber(((count++ * 5) % 7) - 3);
    const start = startOver(drawn, rationalFromNumber);
    const inputs = [...start.parameters, ...start.state];
    const directions = inputs.map(({ shape, data }) => ({ shape, data: data.map(along) }));
    const moved = inputs.map(({ shape, data }, i) => ({
      shape,
      data: data.map((x, position) => ({ x, xDot: at([...(directions[i]?.data ?? [])], position) })),
    }));
    const constant = (x: number): Dual<Rational> => ({
      x: rationalFromNumber(x),
      xDot: rationalFromNumber(0),
    });
    const over = { ...startOver(drawn, constant), parameters: moved.slice(0, start.parameters.length) };
    const state = moved.slice(start.parameters.length);
    const executed = execute(duals, drawn.program, { ...over, state }, undefined, machine);
    if (!executed.ok) return { executed: [String(executed.error[0]?.code)], recorded: [] };
    const { recording, left } = asRecorded(rational, drawn.program, start);
    const { graph } = expand(recording.graph);
    const meaning = interpret(graph, rational);
    if (!meaning.ok) throw new Error("no meaning");
    const tangents = jvpCtx(meaning.value, inputs, directions, recording.environment);
    const text = (data: readonly Rational[]): string => data.map(rational.format).join(" ");
    return {
      executed: leftBy(executed.value).map(({ data }) => text(data.map(({ xDot }) => xDot))),
      recorded: left.map((id) => text(entry(tangents, id).data)),
    };
  }

  test("is that of its graph: memory overwritten over dual numbers says the same", () => {
    for (let index = 0; index < 120; index++) {
      const { executed, recorded } = tangentsOf(index);
      expect([index, executed]).toEqual([index, recorded]);
    }
  });

  test("is another where detaching is forgotten", () => {
    class Attached extends Machine<Dual<Rational>, unknown> {
      override apply(node: Node, operands: readonly Tensor<Dual<Rational>>[]): Tensor<Dual<Rational>> {
        const [only] = operands;
        return node.op === "stop_gradient" && only !== undefined ? only : super.apply(node, operands);
      }
    }
    const isTold = (index: number): boolean => {
      const { executed, recorded } = tangentsOf(index, Attached);
      return executed.join() !== recorded.join();
    };
    expect(Array.from({ length: 60 }, (_, index) => index).some(isTold)).toBe(true);
  });
});

describe("random programs", () => {
  test("are well-formed, replay, and their runs are well-formed graphs", () => {
    for (let index = 0; index < 60; index++) {
      const drawn = programAt(floatPrograms, 2, index);
      expect(programAt(floatPrograms, 2, index)).toEqual(drawn);
      expect(checkProgram(JSON.parse(JSON.stringify(drawn.program)))).toEqual({
        ok: true,
        value: drawn.program,
      });
      const { recording } = asRecorded(float64, drawn.program, startOver(drawn, Number));
      expect(checkGraph(recording.graph).ok).toBe(true);
    }
  });

  test("have one graph for all points where no condition depends on an input", () => {
    const outcomes = { static: 0, dynamic: 0 };
    for (let index = 0; index < 150; index++) {
      const drawn = programAt(floatPrograms, 3, index);
      const start = startOver(drawn, Number);
      const fixed = functionalise(float64, drawn.program, start);
      outcomes[fixed.ok ? "static" : "dynamic"]++;
      if (fixed.ok) {
        const { recording } = asRecorded(float64, drawn.program, start);
        expect(fixed.value.graph).toEqual(recording.graph);
      } else expect(fixed.error[0]?.code).toBe("program/condition");
    }
    expect(outcomes.static).toBeGreaterThan(30);
    expect(outcomes.dynamic).toBeGreaterThan(30);
  });
});
