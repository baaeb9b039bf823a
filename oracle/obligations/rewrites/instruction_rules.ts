import {
  apply,
  type Expression,
  type Instruction,
  type LoopProgram,
  literal,
  read,
} from "../../../engines/compile/plan/index.ts";
import type { Identity } from "./identity.ts";
import { programOf, whole } from "./programs.ts";

const [x, y] = [read(0), read(1)];
const add = (a: Expression, b: Expression): Expression => apply("add", a, b);
const subtract = (a: Expression, b: Expression): Expression => apply("subtract", a, b);

const scalar = whole(0, []);
const of = (value: number, expression: Expression): Instruction => ({
  kind: "map",
  shape: [],
  reads: [scalar, whole(value, [])],
  expression,
});
const plus = (value: number): Instruction => of(value, add(x, y));
const minus = (value: number): Instruction => of(value, subtract(x, y));
const copy = programOf([[]], [{ kind: "map", shape: [], reads: [scalar], expression: x }]);
const numbers = (value: number): Instruction => ({
  kind: "map",
  shape: [],
  reads: [],
  expression: literal(value),
});
const nothing: Instruction = { kind: "assemble", shape: [], isCovered: false, pieces: [] };
const place = { offset: 0, strides: [0], indirections: [] };
const nowhere: Instruction = {
  kind: "scatter",
  shape: [],
  base: undefined,
  over: [0],
  place,
  reads: [],
  expression: literal(1),
};
const fold = (operation: "add" | "maximum", extent: number): Instruction => ({
  kind: "fold",
  operation,
  shape: [],
  over: [extent],
  reads: [{ value: 0, offset: 0, strides: [1], indirections: [] }],
  expression: x,
});
const over = (extent: number, ...instructions: Instruction[]): LoopProgram =>
  programOf([[extent]], instructions);

/** Lists the unit pass's rules for instructions: a loop makes one number, or a fold of 0 or 1 terms. */
export function instructionRules(): readonly Identity[] {
  return [
    {
      name: "number_read_through",
      statement: "what is read of a value that is −0 everywhere is −0, so that adding it changes nothing",
      program: programOf([[]], [numbers(-0), plus(1)]),
      wrong: {
        name: "positive",
        fault: "a value of +0 is treated as one of −0",
        before: programOf([[]], [numbers(0), plus(1)]),
        after: copy,
      },
    },
    {
      name: "assembly_of_nothing",
      statement: "an assembly of nothing is +0, so that subtracting it changes nothing",
      program: programOf([[]], [nothing, minus(1)]),
      wrong: {
        name: "added",
        fault: "adding an assembly of nothing changes nothing",
        before: programOf([[]], [nothing, plus(1)]),
        after: copy,
      },
    },
    {
      name: "scatter_of_nothing",
      statement: "a scatter of nothing is +0, so that subtracting it changes nothing",
      program: programOf([[]], [nowhere, minus(1)]),
      wrong: {
        name: "added",
        fault: "adding a scatter of nothing changes nothing",
        before: programOf([[]], [nowhere, plus(1)]),
        after: copy,
      },
    },
    {
      name: "sum_of_nothing",
      statement: "the sum of nothing is +0",
      program: over(0, fold("add", 0)),
      wrong: { name: "negative", fault: "the sum of nothing is −0", after: over(0, numbers(-0)) },
    },
    {
      name: "maximum_of_nothing",
      statement: "the maximum of nothing is −∞",
      program: over(0, fold("maximum", 0)),
      wrong: { name: "zero", fault: "the maximum of nothing is 0", after: over(0, numbers(0)) },
    },
    {
      name: "maximum_of_one",
      statement: "the maximum of one element is the element",
      program: over(1, fold("maximum", 1)),
      wrong: {
        name: "sum_of_one",
        fault: "the sum of one element is the element",
        before: over(1, fold("add", 1)),
        after: over(1, {
          kind: "map",
          shape: [],
          reads: [{ value: 0, offset: 0, strides: [], indirections: [] }],
          expression: x,
        }),
      },
    },
  ];
}
