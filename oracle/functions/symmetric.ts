import { at, floatAt, type Shape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { type Component, judgedBy } from "../truth/index.ts";

/**
 * Functions of symmetric matrices read one half, or both: their cotangents agree in the symmetric part alone,
 * since no tangent within the domain tells the rest. So tangents are made symmetric, and of a cotangent that
 * part is judged.
 */

/** Returns the place of the element on the other side of the diagonal, in a stack of square matrices. */
function mirrored(shape: Shape, element: number): number {
  const n = shape.at(-1) ?? 1;
  const [matrix, place] = [Math.floor(element / (n * n)), element % (n * n)];
  return matrix * n * n + (place % n) * n + Math.floor(place / n);
}

/** Returns the symmetric part of square matrices. */
export function symmetricPart({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.map((x, i) => (x + floatAt(data, mirrored(shape, i))) / 2) };
}

/** Returns what is true of the symmetric part, whose bound is that of either half and a rounding. */
export function symmetricTruth(shape: Shape, truth: readonly Component[]): readonly Component[] {
  return truth.map((component, i) => {
    const other = at(truth, mirrored(shape, i));
    if (other === component) return component;
    const judge: Component["judge"] = (answer) => {
      const [one, two] = [component.near, other.near];
      const reach = (one.bound + two.bound + one.slack + two.slack) / 2;
      const value = (one.value + two.value) / 2;
      if (!Number.isFinite(value + reach)) return "undecided";
      const rounding = 2 ** -50 * (Math.abs(one.value) + Math.abs(two.value));
      return Math.abs(answer - value) <= reach + rounding ? "within" : "outside";
    };
    return judgedBy(component, judge);
  });
}
