import { isOperatorName, type OperatorName } from "../../../spec/composites/index.ts";
import { type DataType, formats } from "../../../spec/wire/index.ts";
import { defaultUlps, type Standard } from "./standard.ts";

/**
 * Returns the ulps that are `√u` of a value, half of its digits. A larger error that an engine declares of an
 * operator excuses answers in which hardly a digit need be right.
 */
function ceilingUlps(dtype: DataType): number {
  return 1 / (2 * Math.sqrt(formats[dtype].unitRoundoff));
}

/** Lists the operators of which a larger error is declared than the ceiling and the default. */
export function beyondCeiling(
  accuracy: Standard["accuracy"],
  dtype: DataType,
): readonly (readonly [op: OperatorName, ulps: number])[] {
  return Object.entries(accuracy).flatMap(([op, ulps]): [OperatorName, number][] =>
    isOperatorName(op) && ulps > Math.max(ceilingUlps(dtype), defaultUlps(op)) ? [[op, ulps]] : [],
  );
}

const cappedStandards = new WeakMap<Standard, Standard | undefined>();

/** Returns the standard with no declaration beyond the ceiling; `undefined` if it has none such. */
export function cappedStandard(standard: Standard): Standard | undefined {
  if (!cappedStandards.has(standard)) cappedStandards.set(standard, capped(standard));
  return cappedStandards.get(standard);
}

function capped(standard: Standard): Standard | undefined {
  const { accuracy, dtype } = standard;
  const beyond = beyondCeiling(accuracy, dtype);
  if (beyond.length === 0) return undefined;
  const ceilings = beyond.map(([op]) => [op, Math.max(ceilingUlps(dtype), defaultUlps(op))]);
  return { ...standard, accuracy: { ...accuracy, ...Object.fromEntries(ceilings) } };
}
