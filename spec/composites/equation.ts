import { fail, formatShape, ok, type Result, type Shape, type ShapeFault } from "../shapes/index.ts";

/** An equation names each axis of each operand and of the result. */
export interface Equation {
  readonly operands: readonly (readonly string[])[];
  readonly result: readonly string[];
  /** The extent of each name. */
  readonly extents: ReadonlyMap<string, number>;
}

const form = /^[A-Za-z]*(?:,[A-Za-z]*)*->[A-Za-z]*$/;

/** JSON Schema describes by this pattern what {@link readEquation} reads. */
export const equationPattern: string = form.source;

/**
 * Reads `ij,jk->ik` for operands of these shapes. Fails: `einsum/equation` where it is not of that form;
 * `einsum/operands`, `einsum/rank`, `einsum/extent` where the operands do not fit it; `einsum/result` where
 * the result names an axis twice, or one that no operand has.
 */
export function readEquation(equation: string, shapes: readonly Shape[]): Result<Equation, ShapeFault> {
  if (!form.test(equation)) {
    return failed(
      "equation",
      `${JSON.stringify(equation)} is no equation.`,
      "write letters for the axes of each operand, commas between, -> and the result's: ij,jk->ik",
    );
  }
  const [left = "", right = ""] = equation.split("->");
  const operands = left.split(",").map((names) => [...names]);
  const result = [...right];
  const extents = new Map<string, number>();
  const fault =
    countFault(operands, shapes) ?? extentFault(operands, shapes, extents) ?? resultFault(result, extents);
  return fault === undefined ? ok({ operands, result, extents }) : fail(fault);
}

function countFault(operands: Equation["operands"], shapes: readonly Shape[]): ShapeFault | undefined {
  if (operands.length === shapes.length) return undefined;
  return fault(
    "operands",
    `the equation has ${operands.length} operands, and the node ${shapes.length}.`,
    "separate the operands' axes by commas",
  );
}

/** Finds what is wrong with the operands' ranks and extents, and collects these in `extents`. */
function extentFault(
  operands: Equation["operands"],
  shapes: readonly Shape[],
  extents: Map<string, number>,
): ShapeFault | undefined {
  for (const [place, names] of operands.entries()) {
    const shape = shapes[place] ?? [];
    if (names.length !== shape.length) {
      const message = `${names.join("") || "no letter"} names the axes of ${formatShape(shape)}.`;
      return fault("rank", message, "give one letter for each axis");
    }
    for (const [axis, name] of names.entries()) {
      const extent = shape[axis] ?? 0;
      const other = extents.get(name) ?? extent;
      if (other !== extent) {
        const message = `${name} is an axis of extent ${other} and one of ${extent}.`;
        return fault("extent", message, "axes of one name have one extent; nothing is broadcast");
      }
      extents.set(name, extent);
    }
  }
  return undefined;
}

function resultFault(
  result: readonly string[],
  extents: ReadonlyMap<string, number>,
): ShapeFault | undefined {
  const odd = result.find((name, axis) => !extents.has(name) || result.indexOf(name) < axis);
  if (odd === undefined) return undefined;
  const message = extents.has(odd) ? `the result names ${odd} twice.` : `no operand has an axis ${odd}.`;
  return fault("result", message, "the result names axes of the operands, each once");
}

function fault(what: string, message: string, hint: string): ShapeFault {
  return { code: `einsum/${what}`, message, hint };
}

function failed(what: string, message: string, hint: string): Result<never, ShapeFault> {
  return fail(fault(what, message, hint));
}
