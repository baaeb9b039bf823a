import { type GridType, gradientBits, gridTypes, integerStep } from "../../reference/numerics/index.ts";
import type { RangeJson, RepresentedRunJson, StepJson, SteppedJson } from "../../spec/explained/index.ts";
import { at, type NodeId } from "../../spec/shapes/index.ts";
import { isGridName } from "../../spec/wire/index.ts";

/** An optimiser's step subtracts `rate` times the sum of so many calls' gradients from each parameter. */
export interface StepAsked {
  readonly rate: number;
  readonly calls: number;
}

/** Covers the roundings of a handful of operations, in float32 too. */
const UPWARDS = 1 + 2 ** -20;

/** Returns the step of the grid that a range fills. */
function gridStep({ kind, bits }: GridType, [low, high]: RangeJson): number {
  const [least, most] = [Math.min(low, 0), Math.max(high, 0)];
  return kind === "sym" ? Math.max(most, -least) / (2 ** (bits - 1) - 1) : (most - least) / (2 ** bits - 1);
}

/**
 * Says for each parameter that a target keeps as codes, on the grid that its range fills, how many codes the
 * greatest gradient moves it by, and of how many bits a kept gradient's codes have to be, so that they move
 * it by at most half a code more or less than the exact gradients do: as {@link gradientBits}, whose law the
 * ranges certify. With codes of that width it says what shift a step in 32-bit integers has, and how far it
 * is off: `storage/step` of the obligations. A parameter or gradient without a bound is left out.
 */
export function stepsOf(
  forward: RepresentedRunJson,
  gradient: RepresentedRunJson,
  wrt: readonly NodeId[],
  { rate, calls }: StepAsked,
): StepJson {
  const parameters = forward.assignments.flatMap(({ target, formats }, place) =>
    wrt.flatMap((id, n): SteppedJson[] => {
      const format = formats[id] ?? "";
      const { name, range } = at(forward.values, id);
      const slopes = gradient.assignments[place]?.results[n]?.range;
      if (!isGridName(format) || range === undefined || slopes === undefined) return [];
      const codes = (size: number): number => (UPWARDS * rate * size) / gridStep(gridTypes[format], range);
      const [least, most] = [Math.min(slopes[0], 0), Math.max(slopes[1], 0)];
      const moved = codes(Math.max(most, -least));
      if (!Number.isFinite(moved) || moved === 0) return [];
      const bits = gradientBits(moved, codes(most - least), calls);
      // A sum of all calls fills its grid.
      const step = integerStep((calls * moved) / (2 ** (bits.sym - 1) - 1), bits.sym);
      const integer = step === undefined ? {} : { integer: { shift: step.shift, off: step.off } };
      return [{ parameter: name, target, format, moved, ...bits, ...integer }];
    }),
  );
  return { rate, calls, parameters };
}
