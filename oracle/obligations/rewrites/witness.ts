import { present } from "../../../spec/shapes/index.ts";
import type { Execution, Model } from "../obligation.ts";
import { type FormatName, floatConstant, formats } from "./numbers.ts";
import type { Given } from "./theories.ts";

/** Signs, zeros, halves that are lost beside 1, odd factors, and no number; a format has most of them. */
const candidates = [1, -1, 2, 3, 0, -0, 0.5, 1 + 2 ** -10, 2 ** -11, 7, Infinity] as const;

/** So many points are tried. */
const TRIES = 500;

/**
 * Finds numbers at which a wrong rewriting shows its fault when it is run, so that no solver searches floats
 * for them; none, if no point that is tried shows it. The solver still says whether they are a model.
 */
export function witnessOf(
  symbols: readonly string[],
  format: FormatName,
  execute: (model: Model) => Execution,
): Given {
  const numbers = candidates.filter((x) => Object.is(formats[format].round(x), x));
  let state = 1;
  const drawn = (): number => {
    state = (state * 48_271) % 0x7fffffff;
    return present(numbers[state % numbers.length], "a number");
  };
  for (let tries = 0; tries < TRIES; tries += 1) {
    const point = symbols.map((symbol): readonly [string, number] => [symbol, drawn()]);
    const model = new Map(point.map(([symbol, x]) => [symbol, floatConstant(format, x)]));
    if (execute(model).showsFault) return Object.fromEntries(point);
  }
  return {};
}
