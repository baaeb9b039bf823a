import { describe, expect, test } from "vitest";
import type { Instruction, LoopProgram } from "../../engines/compile/plan/index.ts";
import { Choice } from "../../engines/compile/plan/programs.test.kit.ts";
import { formatPosit, posit, quireRegister, type Register } from "../../reference/numerics/index.ts";
import { backpropSparse, evaluate, interpret, tensor } from "../../reference/package.ts";
import {
  at,
  expand,
  type Graph,
  graph,
  idCount,
  nodeId,
  present,
  sizeOf,
  standardPosit,
} from "../../spec/index.ts";
import { rangeOfId, rangesOver } from "./code_ranges.ts";
import { loweredFor } from "./graph_sums.ts";
import type { CodeRange } from "./summands.ts";

const format = standardPosit(16);
const register: Register = quireRegister(format);
const algebra = (() => {
  const made = posit(format, "quire");
  if (!made.ok) throw new Error("no posits");
  return made.value;
})();

const rows = { axes: [1], keepdims: true } as const;
const all = { axes: [0, 1], keepdims: false } as const;
const graphs: Readonly<Record<string, Graph>> = {
  perceptron: graph(({ input }) => {
    const [x, w, b] = [input("x", [4, 5]), input("w", [5, 3]), input("b", [3])];
    x.matmul(w).add(b).tanh().softmax({ axis: 1 }).log().sum(all);
  }),
  normalised: graph(({ input }) => {
    const x = input("x", [3, 4]);
    const centred = x.subtract(x.mean(rows));
    centred.divide(centred.multiply(centred).mean(rows).add(1).sqrt()).exp().sum(all);
  }),
  windows: graph(({ input }) => {
    const [x, w] = [input("x", [1, 2, 4, 4]), input("w", [2, 2, 2, 2])];
    const padding = [
      [1, 1],
      [1, 1],
    ] as const;
    const made = x.conv(w, { strides: [1, 1], padding, dilations: [1, 1], groups: 1 });
    made
      .relu()
      .max({ axes: [2, 3], keepdims: false })
      .cumulative_sum({ axis: 1 })
      .sum(all);
  }),
};

/** Inputs lie between −2 and 3/2, or at these ends. */
const given: CodeRange = {
  low: -present(algebra.parse("2"), "2"),
  high: present(algebra.parse("1.5"), "1.5"),
};

/** Computes the value of the last id and the cotangents of all inputs, at drawn inputs. */
function run(of: Graph, choice: Choice): readonly (readonly bigint[])[] {
  const written = interpret(expand(of).graph, algebra);
  if (!written.ok) throw new Error("no meaning");
  const drawn = (): bigint => {
    const span = Number(given.high - given.low);
    return choice.of(given.low, given.high, given.low + BigInt(choice.below(span)));
  };
  const isLow = choice.happens(0.2);
  const isHigh = choice.happens(0.2);
  const inputs = of.inputs.map(({ shape }) =>
    tensor(shape, () => (isLow ? given.low : isHigh ? given.high : drawn())),
  );
  const values = evaluate(written.value, inputs, new Map());
  const last = nodeId(values.length - 1);
  const one = tensor(at(values, last).shape, () => present(algebra.levels.semiring, "ones").one);
  const bars = backpropSparse(algebra.additive, written.value, inputs, new Map(), new Map([[last, one]]));
  return [at(values, last), ...of.inputs.map((_, id) => present(bars.get(nodeId(id)), "a cotangent"))].map(
    ({ data }) => Array.from(data),
  );
}

/** Finds the ranges of the same values, by the program that they are lowered to. */
function rangesOf(of: Graph, change = (program: LoopProgram) => program): readonly CodeRange[] {
  const wrt = of.inputs.map((_, id) => nodeId(id));
  const lowered = loweredFor({ graph: of, of: [nodeId(idCount(of) - 1)], wrt }, "bit_exact");
  const program = change(lowered.program);
  const known = rangesOver(program, register, () => given);
  return program.results.map((value) => rangeOfId(known, value));
}

/** Lists where a run leaves the ranges. */
function escapes(of: Graph, ranges: readonly CodeRange[], seeds: number): string[] {
  return Array.from({ length: seeds }, (_, seed) => run(of, new Choice(seed))).flatMap((found, seed) =>
    found.flatMap((codes, result) => {
      const { low, high } = at(ranges, result);
      return codes
        .filter((code) => code < low || code > high)
        .map((code) => `seed ${seed}, result ${result}: ${formatPosit(format, code)}`);
    }),
  );
}

describe("ranges of codes", () => {
  test.each(
    Object.entries(graphs),
  )("hold every value and cotangent of the reference's runs: %s", (_, one) => {
    expect(escapes(one, rangesOf(one), 12)).toEqual([]);
  });

  test("are left by a run if a sum is taken for one that is a term shorter", () => {
    const shorter = (instruction: Instruction): Instruction =>
      instruction.kind === "fold" && sizeOf(instruction.over) > 1
        ? { ...instruction, over: [sizeOf(instruction.over) - 1] }
        : instruction;
    const sum = graph(({ input }) => void input("x", [3, 4]).sum(all));
    const change = (program: LoopProgram): LoopProgram => ({
      ...program,
      instructions: program.instructions.map(shorter),
    });
    expect(escapes(sum, rangesOf(sum), 12)).toEqual([]);
    expect(escapes(sum, rangesOf(sum, change), 12)).not.toEqual([]);
  });

  test("are not trivial: a tanh is within one, and a sum of twelve within twelve times its terms", () => {
    const [tanh] = rangesOf(graph(({ input }) => void input("x", [3]).tanh()));
    const one = present(algebra.parse("1"), "1");
    expect(tanh).toMatchObject({ high: expect.toSatisfy((code: bigint) => code <= one) });
    expect(rangesOf(graph(({ input }) => void input("x", [3, 4]).sum(all)))[0]).toEqual({
      low: -present(algebra.parse("24"), "24"),
      high: present(algebra.parse("18"), "18"),
    });
  });
});
