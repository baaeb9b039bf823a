import type { LinearAlgebra } from "../../../spec/operators/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { KernelTable } from "../kernel.ts";
import { type Arena, contribute, outside, rounded } from "../machine.ts";
import { expand, expandTangents, type Minors, minorsOf, prepareMinors, spaceFor } from "./minors.ts";

/** These use Cramer's rule, which works over every field and chooses no pivots; see {@link prepareMinors}. */
export const linearAlgebra: Pick<KernelTable, keyof LinearAlgebra> = {
  /** X = (Cᵀ B) / det A with A's cofactors C; B̄ = (C c) / det A, stored after the minors; Ā = −B̄ Xᵀ. */
  solve: {
    firstReceiver: 0,
    prepare({ parents }) {
      const b = at(parents, 1);
      return prepareMinors(at(parents, 0), at(b, b.length - 1));
    },
    scratchLength: spaceFor,
    forward(machine, step) {
      const { values } = machine;
      const minors = minorsOf(machine, step);
      const { count, order, columns } = minors;
      for (let n = 0; n < count; n++) {
        const sides = n * order * columns;
        expand(minors, { numbers: values, at: step.x + n * order * order }, "cofactors");
        solve(minors, "straight", values, step.y + sides, values, step.out + sides);
      }
    },
    jvp(machine, step) {
      const { values, tangents } = machine;
      const minors = minorsOf(machine, step);
      const { scratch, isSingle, count, order, columns, determinant, length } = minors;
      for (let n = 0; n < count; n++) {
        const sides = n * order * columns;
        expand(minors, { numbers: values, at: step.x + n * order * order }, "cofactors");
        expandTangents(minors, { numbers: tangents, at: step.x + n * order * order }, "cofactors");
        for (let i = 0; i < order * columns; i++) {
          const x = values[step.out + sides + i] ?? outside();
          const drop = rounded(x * (scratch[length + determinant] ?? outside()), isSingle);
          const rise = rounded(productTangent(minors, values, tangents, step.y + sides, i) - drop, isSingle);
          tangents[step.out + sides + i] = rise / (scratch[determinant] ?? outside());
        }
      }
    },
    vjp(machine, step) {
      const { values, cotangents, isSingle } = machine;
      const minors = minorsOf(machine, step);
      const { scratch, count, order, columns, length: ofMinors } = minors;
      const bBar = 2 * ofMinors;
      for (let n = 0; n < count; n++) {
        const [matrix, sides] = [n * order * order, n * order * columns];
        expand(minors, { numbers: values, at: step.x + matrix }, "cofactors");
        solve(minors, "transposed", cotangents, step.out + sides, scratch, bBar);
        for (let i = 0; i < order; i++) {
          for (let k = 0; k < order; k++) {
            let total = 0;
            for (let j = 0; j < columns; j++) {
              const x = values[step.out + sides + k * columns + j] ?? outside();
              const term = rounded((scratch[bBar + i * columns + j] ?? outside()) * x, isSingle);
              total = rounded(total + term, isSingle);
            }
            contribute(machine, step.xBar + matrix + i * order + k, -total);
          }
        }
        for (let i = 0; i < order * columns; i++) {
          contribute(machine, step.yBar + sides + i, scratch[bBar + i] ?? outside());
        }
      }
    },
  },
  det: {
    firstReceiver: 0,
    prepare: ({ parents }) => prepareMinors(at(parents, 0), 0),
    scratchLength: spaceFor,
    forward(machine, step) {
      const minors = minorsOf(machine, step);
      const { scratch, count, order, determinant } = minors;
      for (let n = 0; n < count; n++) {
        expand(minors, { numbers: machine.values, at: step.x + n * order * order }, "determinant");
        machine.values[step.out + n] = scratch[determinant] ?? outside();
      }
    },
    jvp(machine, step) {
      const minors = minorsOf(machine, step);
      const { scratch, count, order, determinant, length } = minors;
      for (let n = 0; n < count; n++) {
        expand(minors, { numbers: machine.values, at: step.x + n * order * order }, "determinant");
        expandTangents(minors, { numbers: machine.tangents, at: step.x + n * order * order }, "determinant");
        machine.tangents[step.out + n] = scratch[length + determinant] ?? outside();
      }
    },
    vjp(machine, step) {
      const minors = minorsOf(machine, step);
      const { scratch, count, order, cofactors } = minors;
      for (let n = 0; n < count; n++) {
        expand(minors, { numbers: machine.values, at: step.x + n * order * order }, "cofactors");
        const c = machine.cotangents[step.out + n] ?? outside();
        for (let i = 0; i < order * order; i++) {
          contribute(machine, step.xBar + n * order * order + i, c * (scratch[cofactors + i] ?? outside()));
        }
      }
    },
  },
};

/** Stores at `x` the solution of A X = B, or of Aᵀ X = B, for the B at `b`. */
function solve(
  { scratch, isSingle, order, columns, determinant, cofactors }: Minors,
  which: "straight" | "transposed",
  sides: Arena,
  b: number,
  solution: Arena,
  x: number,
): void {
  const [byRow, byTerm] = which === "straight" ? [1, order] : [order, 1];
  for (let row = 0; row < order; row++) {
    for (let column = 0; column < columns; column++) {
      let total = 0;
      for (let k = 0; k < order; k++) {
        const cofactor = scratch[cofactors + row * byRow + k * byTerm] ?? outside();
        const term = rounded(cofactor * (sides[b + k * columns + column] ?? outside()), isSingle);
        total = rounded(total + term, isSingle);
      }
      solution[x + row * columns + column] = rounded(total / (scratch[determinant] ?? outside()), isSingle);
    }
  }
}

/** Computes the tangent of an element of Cᵀ B. */
function productTangent(
  { scratch, isSingle, order, columns, cofactors, length }: Minors,
  values: Arena,
  tangents: Arena,
  b: number,
  element: number,
): number {
  const [row, column] = [Math.floor(element / columns), element % columns];
  let total = 0;
  for (let k = 0; k < order; k++) {
    const [cofactor, side] = [cofactors + k * order + row, b + k * columns + column];
    const fromMatrix = rounded(
      (scratch[length + cofactor] ?? outside()) * (values[side] ?? outside()),
      isSingle,
    );
    const fromSides = rounded((scratch[cofactor] ?? outside()) * (tangents[side] ?? outside()), isSingle);
    total = rounded(total + rounded(fromMatrix + fromSides, isSingle), isSingle);
  }
  return total;
}
