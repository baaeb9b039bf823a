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
  type Key,
  Machine,
  type MachineOf,
  type Memory,
  type Rational,
  rational,
  rationalFromNumber,
  type Tensor,
} from "../../reference/index.ts";
import { at, checkGraph, checkProgram, expand, type Node, type Shape, type View } from "../../spec/index.ts";
import { exactPrograms, floatPrograms, programAt } from "./draw.ts";
import { asRecorded, breaksLawF, leftBy, startOver } from "./laws.test.kit.ts";

const SEED = 1;

/** The first of so many drawn programs on which a machine breaks law F. */
function firstTold(machine: MachineOf<number, boolean>, most: number): number | undefined {
  for (let index = 0; index < most; index++) {
    const drawn = programAt(floatPrograms, SEED, index);
    const start = startOver(drawn, (x) => x);
    if (breaksLawF(float64, drawn.program, start, machine) !== undefined) return index;
  }
  return undefined;
}

class Floats extends Machine<number, boolean> {}

/** Machines with a fault each, as engines have had them. */
const planted: Readonly<Record<string, MachineOf<number, boolean>>> = {
  "a buffer shares the elements of what it copies": class extends Floats {
    override allocate({ data }: Tensor<number>): Memory<number> {
      return Array.isArray(data) ? data : [...data];
    }
  },
  "a write forgets where its view begins": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      super.write(memory, { ...view, offset: 0 }, value);
    }
  },
  "a write forgets the strides of its view": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      value.data.forEach((x, i) => {
        if (view.offset + i < memory.length) memory[view.offset + i] = x;
      });
    }
  },
  "a read forgets the strides of its view": class extends Floats {
    override read(memory: Memory<number>, view: View): Tensor<number> {
      const value = super.read(memory, view);
      return { ...value, data: value.data.map((x, i) => memory[view.offset + i] ?? x) };
    }
  },
  "a write leaves out the last element": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      const before = super.read(memory, view).data.at(-1);
      super.write(memory, view, { ...value, data: [...value.data.slice(0, -1), before ?? 0] });
    }
  },
  "a write through a view of lower rank goes nowhere": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      if (view.shape.length > 0 || memory.length === 1) super.write(memory, view, value);
    }
  },
  "a read is looked at when it is used": class extends Floats {
    override read(memory: Memory<number>, view: View): Tensor<number> {
      const read = (): readonly number[] => super.read(memory, view).data;
      return {
        shape: view.shape,
        get data() {
          return read();
        },
      };
    }
  },
  "a mask is drawn from the same key again": class extends Floats {
    override mask(_: Key, rate: number, shape: Shape): Tensor<number> {
      return super.mask([0, 0], rate, shape);
    }
  },
  "a mask keeps with the rate": class extends Floats {
    override mask(key: Key, rate: number, shape: Shape): Tensor<number> {
      return super.mask(key, 1 - rate, shape);
    }
  },
  "a condition holds at 0": class extends Floats {
    override condition({ shape, data }: Tensor<number>): Tensor<number> {
      return { shape, data: data.map((x) => (x === 0 ? 1 : 0)) };
    }
  },
  "a counter counts from 1": class extends Floats {
    override constant(tensor: Tensor<number>): Tensor<number> {
      return tensor.shape.length === 0 ? { shape: [], data: tensor.data.map((x) => x + 1) } : tensor;
    }
  },
  "an operator in place reads its second operand first": class extends Floats {
    override apply(node: Node, operands: readonly Tensor<number>[]): Tensor<number> {
      return super.apply(node, node.op === "subtract" ? operands.toReversed() : operands);
    }
  },
  "adding in place writes through to the operand": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      super.write(memory, view, { ...value, data: value.data.map((x) => (x === 0 ? 0.25 : x)) });
    }
  },
};

describe("law F", () => {
  test("holds to the bit for random programs over float64", () => {
    for (let index = 0; index < 250; index++) {
      const drawn = programAt(floatPrograms, SEED, index);
      expect([index, breaksLawF(float64, drawn.program, startOver(drawn, Number))]).toEqual([
        index,
        undefined,
      ]);
    }
  });

  test("holds to equality over the rationals", () => {
    for (let index = 0; index < 120; index++) {
      const drawn = programAt(exactPrograms, SEED, index);
      const start = startOver(drawn, rationalFromNumber);
      expect([index, breaksLawF(rational, drawn.program, start)]).toEqual([index, undefined]);
    }
  });

  test.each(Object.entries(planted))("is broken, soon, where %s", (_, machine) => {
    expect(firstTold(machine, 600)).toBeDefined();
  });
});

describe("the derivative of a run", () => {
  const duals = dual(rational);

  /** The tangents of what a program leaves: executed over dual numbers in place, and pushed through the recorded graph. */
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
