import {
  apply,
  type Expression,
  type Instruction,
  type LoopProgram,
  literal,
  type Pass,
  plan,
  type Read,
  type RewriteName,
  read,
  soundPasses,
} from "../../../engines/compile/plan/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Obligation } from "../obligation.ts";
import { algebraicObligation, type Rewriting } from "./algebraic.ts";
import { type Identity, identityObligation } from "./identity.ts";
import type { LawName } from "./laws.ts";
import { programOf, scalarProgram, whole } from "./programs.ts";

const [x, y] = [read(0), read(1)];
const add = (a: Expression, b: Expression): Expression => apply("add", a, b);

/** A pass rewrites this program, and needs these laws. */
type Row = readonly [name: string, statement: string, program: LoopProgram, laws: readonly LawName[]];

/** This reads the first source's elements in order, along the last loop. */
const along: Read = { value: 0, offset: 0, strides: [1], indirections: [] };

function sumOf(extent: number, expression: Expression): LoopProgram {
  const fold: Instruction = {
    kind: "fold",
    operation: "add",
    shape: [],
    over: [extent],
    reads: [along],
    expression,
  };
  return programOf([[extent]], [fold]);
}

/** Lists each rule that leaves zeros out. */
function zeroRows(): readonly Row[] {
  const piece = (extent: number, expression: Expression) => ({
    shape: [extent],
    place: { offset: 1, strides: [1], indirections: [] },
    reads: [along],
    expression,
  });
  const assemble: Instruction = {
    kind: "assemble",
    shape: [3],
    isCovered: false,
    pieces: [piece(2, literal(-0))],
  };
  const scatter: Instruction = {
    kind: "scatter",
    shape: [2],
    base: 0,
    over: [3],
    place: { offset: 0, strides: [0], indirections: [] },
    reads: [],
    expression: literal(0),
  };
  const minusNothing = (instruction: Instruction, extent: number): LoopProgram =>
    programOf(
      [[extent]],
      [
        instruction,
        {
          kind: "map",
          shape: [extent],
          reads: [whole(0, [extent]), whole(1, [extent])],
          expression: apply("divide", x, y),
        },
      ],
    );
  return [
    ["plus_zero", "x + 0 is x", scalarProgram(1, add(x, literal(0))), ["neutral"]],
    ["zero_plus", "0 + x is x", scalarProgram(1, add(literal(0), x)), ["neutral", "commutative"]],
    [
      "minus_negative_zero",
      "x − (−0) is x",
      scalarProgram(1, apply("subtract", x, literal(-0))),
      ["difference"],
    ],
    ["sum_of_one", "the sum of one element is the element", sumOf(1, x), ["neutral", "commutative"]],
    ["scatter_of_zeros", "scattered zeros change nothing", programOf([[2]], [scatter]), ["neutral"]],
    [
      "assembly_of_zeros",
      "a piece of zeros, of either sign, need not be put in place",
      minusNothing(assemble, 3),
      [],
    ],
  ];
}

/** Lists what the same pass does bit-exactly: sums start at +0, which zeros of either sign do not change. */
function exactZeros(): readonly Identity[] {
  const scan: Instruction = {
    kind: "scan",
    shape: [3],
    axis: 0,
    direction: 1,
    reads: [along],
    expression: literal(-0),
  };
  const map: Instruction = { kind: "map", shape: [3], reads: [], expression: literal(-0) };
  const one: Instruction = { ...map, kind: "map", shape: [] };
  return [
    {
      name: "running_sum_of_zeros",
      statement: "a running sum of zeros, of either sign, is +0 everywhere",
      program: programOf([[3]], [scan]),
      wrong: { name: "as-summed", fault: "a running sum of −0 is −0.", after: programOf([[3]], [map]) },
    },
    {
      name: "sum_of_zeros",
      statement: "a sum of zeros, of either sign, is +0",
      program: sumOf(3, literal(-0)),
      wrong: { name: "as-summed", fault: "a sum of −0 is −0.", after: programOf([[3]], [one]) },
    },
  ];
}

/** Lists what adds a contribution to a part in its place. */
function accumulationRows(): readonly Row[] {
  const place = { offset: 1, strides: [1], indirections: [] };
  const part = { place, reads: [{ ...along, value: 1 }], expression: x };
  const assemble: Instruction = {
    kind: "assemble",
    shape: [4],
    isCovered: false,
    pieces: [{ shape: [2], ...part }],
  };
  const twice: Instruction = {
    kind: "scatter",
    shape: [4],
    base: undefined,
    over: [2],
    ...part,
    place: { ...place, strides: [0] },
  };
  const sum = (made: Instruction, first: number, second: number): LoopProgram =>
    programOf(
      [[4], [2]],
      [
        made,
        { kind: "map", shape: [4], reads: [whole(first, [4]), whole(second, [4])], expression: add(x, y) },
      ],
    );
  return [
    [
      "assembled_part",
      "x + a, where a is zero but for a part, is x with the part added in its place",
      sum(assemble, 0, 2),
      ["neutral"],
    ],
    [
      "assembled_part_first",
      "a + x, where a is zero but for a part, is x with the part added in its place",
      sum(assemble, 2, 0),
      ["neutral", "commutative"],
    ],
    [
      "scattered_part",
      "x + a, where a is scattered onto zeros, is a scattered onto x",
      sum(twice, 0, 2),
      ["neutral", "associative"],
    ],
  ];
}

function rewritingBy(rewrite: RewriteName, pass: Pass, [name, statement, before, laws]: Row): Rewriting {
  const { program: after, fired } = pass(before);
  if (fired === 0) throw new InvariantError(`the pass does not fire on ${name}`);
  const exact = plan(before, { regime: "bit_exact", precision: "float32" }).program;
  return { name, rewrite, statement, pair: { before, after }, exact: { before, after: exact }, laws };
}

/** States what the fast regime does to sums, each as the pass does it to a program with the case. */
export function sumObligations(): readonly Obligation[] {
  return [
    ...zeroRows().map((row) => rewritingBy("zeros", soundPasses.zeros, row)),
    ...accumulationRows().map((row) =>
      rewritingBy("accumulation_in_place", soundPasses.accumulation_in_place, row),
    ),
  ]
    .map(algebraicObligation)
    .concat(
      exactZeros().map((identity) =>
        identityObligation(identity, {
          rewrite: "zeros",
          pass: soundPasses.zeros,
          format: "float32",
          rlimit: 1_000_000,
        }),
      ),
    );
}
