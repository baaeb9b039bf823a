import {
  type Aspect,
  blockWith,
  type DimensionSystem,
  dimensionSystem,
  dimensionsOf,
  rangeOf,
} from "../../reference/units/index.ts";
import { type DimensionRules, dimensionRules } from "../../reference/units/rules/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, type Issue, type NodeId } from "../../spec/shapes/index.ts";
import { addExponents, type Declarations, exponentOf, multiplyExponents } from "../../spec/units/index.ts";
import type { Certificate } from "./certificate.ts";
import type { Elimination, Form } from "./elimination.ts";
import { solve } from "./solve.ts";

/** A graph's dimensions are assigned, obstructed or refused. */
export type Inference =
  | {
      readonly kind: "assigned";
      readonly system: DimensionSystem;
      /** This is the principal solution: every other one puts dimensions for the free ones. */
      readonly solution: Elimination;
    }
  | {
      readonly kind: "obstructed";
      readonly system: DimensionSystem;
      /** These equations cannot all hold, and none of them can be left out. */
      readonly certificate: Certificate;
    }
  | {
      /** The graph's values have too many blocks. */
      readonly kind: "refused";
      readonly issue: Issue;
    };

/**
 * Infers the dimensions of a graph's values from declarations, without running it. `rules` is another table,
 * for tests of wrong rules. Cost: {@link dimensionSystem} and {@link solve}.
 */
export function inferDimensions(
  graph: Graph,
  declarations: Declarations,
  aspect: Aspect = dimensionsOf(declarations),
  rules: DimensionRules = dimensionRules,
): Inference {
  const made = dimensionSystem(graph, declarations, aspect, rules);
  if (!made.ok) return { kind: "refused", issue: made.error };
  const system = made.value;
  const { unknowns, equations } = system;
  const solution = solve({ bases: aspect.bases.length, unknowns, equations });
  return solution.kind === "solved"
    ? { kind: "assigned", system, solution: solution.elimination }
    : { kind: "obstructed", system, certificate: solution.certificate };
}

/** A block has a half-open range along each axis, and a dimension. */
export interface BlockForm {
  readonly ranges: readonly (readonly [start: number, end: number])[];
  readonly form: Form;
}

type Assigned = Extract<Inference, { readonly kind: "assigned" }>;

/** Returns the dimensions of a value, block by block; `value` is its place among the system's values. */
export function formsOfValue({ system, solution }: Assigned, value: number): BlockForm[] {
  const grid = at(system.grids, value);
  return Array.from({ length: grid.count }, (_, place) => {
    const unknown = grid.first + place;
    const blocks = blockWith(grid, unknown);
    return {
      ranges: blocks.map((block, axis) => rangeOf(grid, axis, block)),
      form: solution.formOf([[unknown, 1n]]),
    };
  });
}

/**
 * Returns the dimensions of the cotangents at `wrt`, of a loss that has the dimension `loss`: block by block,
 * loss over value. Without `loss`, the value at `of` is the loss, and has one block.
 */
export function cotangentForms(inference: Assigned, of: NodeId, wrt: NodeId, loss?: Form): BlockForm[] {
  const { system } = inference;
  const total = loss ?? at(formsOfValue(inference, system.valueOf(of)), 0).form;
  return formsOfValue(inference, system.valueOf(wrt)).map(({ ranges, form }) => ({
    ranges,
    form: overForm(total, form),
  }));
}

/** Divides one form by another. */
export function overForm(x: Form, y: Form): Form {
  const quotient = new Map(x);
  for (const [unknown, exponent] of y) {
    const power = addExponents(
      quotient.get(unknown) ?? exponentOf(0n),
      multiplyExponents(exponent, exponentOf(-1n)),
    );
    if (power.numerator === 0n) quotient.delete(unknown);
    else quotient.set(unknown, power);
  }
  return quotient;
}
