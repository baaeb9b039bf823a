import {
  apply,
  type Expression,
  type Instruction,
  type LoopProgram,
  read,
} from "../../../engines/compile/plan/index.ts";
import type { Identity } from "./identity.ts";
import { programOf, whole } from "./programs.ts";

const [x, y] = [read(0), read(1)];

/** States that sums, products and equalities commute, which the merging of equal parts uses. */
export function commutedOperands(): readonly Identity[] {
  const twice = (one: Expression, other: Expression): LoopProgram => {
    const reads = [whole(0, []), whole(1, [])];
    const map = (expression: Expression): Instruction => ({ kind: "map", shape: [], reads, expression });
    return programOf([[], []], [map(one), map(other)], [2, 3]);
  };
  const [a, b] = [apply("subtract", x, y), apply("subtract", y, x)];
  return (
    [
      ["sums", "x + y and y + x", "add"],
      ["products", "x · y and y · x", "multiply"],
      ["equalities", "x = y and y = x", "equal"],
    ] as const
  ).map(([name, told, operation]) => ({
    name,
    statement: `${told} are computed once`,
    program: twice(apply(operation, x, y), apply(operation, y, x)),
    wrong: {
      name: "differences",
      fault: "x − y and y − x are computed once",
      before: twice(a, b),
      after: twice(a, a),
    },
  }));
}
