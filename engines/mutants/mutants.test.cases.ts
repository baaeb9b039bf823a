import type { FlatTensor, Seed } from "../../spec/index.ts";
import { node, type Question, question, scalar, seed, tensor } from "../asking.test.kit.ts";

/** A question that tells a mutant from the interpreter, and both answers, worked out by hand. */
export interface Telling extends Question {
  /** What is asked: the values, the tangents along `tangents`, or the cotangents of all ids for `seeds`. */
  readonly ask:
    | { readonly mode: "evaluate" }
    | { readonly mode: "jvp"; readonly tangents: readonly FlatTensor[] }
    | { readonly mode: "backwardDense"; readonly seeds: readonly Seed[] };
  /** How often it is asked before the answer is looked at; 1 unless the fault is one of memory. */
  readonly times?: number;
  readonly right: readonly FlatTensor[];
  readonly wrong: readonly FlatTensor[];
}

const pull = (...seeds: Seed[]): Telling["ask"] => ({ mode: "backwardDense", seeds });

/** One node of one scalar input, pulled back from 1. */
const one = (x: number, only: Parameters<typeof question>[1][number]): Pick<Telling, "graph" | "point" | "ask"> => ({
  ...question([scalar(x)], [only]),
  ask: pull(seed(1, scalar(1))),
});

const scalars = (...values: number[]): FlatTensor[] => values.map(scalar);

/** x·x, then x³ as its product with x. */
const cube = question([scalar(2)], [node("multiply", {}, 0, 0), node("multiply", {}, 1, 0)]);

/** For each mutant, by name. */
export const telling: Readonly<Record<string, Telling>> = {
  // The product gives x 12, the square 4 · 2.
  fan_out_overwritten: {
    ...question([scalar(2)], [node("negative", {}, 0), node("add", {}, 1, 0)]),
    ask: pull(seed(2, scalar(1))),
    right: scalars(0, 1, 1),
    wrong: scalars(-1, 1, 1),
  },
  repeated_operand_once: {
    ...one(3, node("multiply", {}, 0, 0)),
    right: scalars(6, 1),
    wrong: scalars(3, 1),
  },
  // The square is read once; x is an input, so only a node between tells.
  swept_once_per_use: {
    ...question([scalar(2)], [node("negative", {}, 0), node("add", {}, 1, 1)]),
    ask: pull(seed(2, scalar(1))),
    right: scalars(-2, 2, 1),
    wrong: scalars(-4, 2, 1),
  },
};
void cube;
