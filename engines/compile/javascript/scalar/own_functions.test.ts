import { expect, test } from "vitest";
import { drawing } from "../../plan/scalar/graphs.test.kit.ts";
import { arrayFunctions } from "../../wasm/functions/array_functions.test.kit.ts";
import { ownFunctions } from "./own_functions.ts";

const vectors = arrayFunctions("float64");
const count = 20_000;

/** Draws numbers of both signs and all magnitudes up to `most`, and special ones. */
function numbersUpTo(most: number): Float64Array {
  const draw = drawing(17);
  const special = [0, -0, 2 ** -27, -(2 ** -28), 0.78, 1e-300, Number.NaN, -0.78];
  return Float64Array.from({ length: count }, (_, n) => {
    const sign = draw(2) < 1 ? -1 : 1;
    return special[n] ?? sign * most * (n % 2 === 0 ? draw(1) : 2 ** -draw(40));
  });
}

/** Counts where the functions of the text differ from the vector functions in a bit. */
function differences(text: string, name: "exp" | "sin" | "cos", most: number): number {
  const own: unknown = new Function(`${text}; return ${name};`)();
  if (typeof own !== "function") throw new TypeError(name);
  const numbers = numbersUpTo(most);
  vectors.operands.set(numbers);
  vectors.run(name, count);
  return numbers.filter((x, n) => !Object.is(own(x), vectors.results[n])).length;
}

test.each([
  ["exp", 700],
  ["exp", 1],
  ["sin", 0.78],
  ["sin", 10],
  ["sin", 2 ** 20],
  ["cos", 0.78],
  ["cos", 10],
  ["cos", 2 ** 20],
] as const)("%s up to %d is the vector function to the bit, and with one constant changed it is not", (name, most) => {
  expect(differences(ownFunctions, name, most)).toBe(0);
  const constants = ["0.16666666666666433", "0.008333333333322455", "-0.0013888888888874441"];
  const wrong = constants.reduce((text, constant) => text.replaceAll(constant, "0.001"), ownFunctions);
  expect(differences(wrong, name, most)).toBeGreaterThan(100);
});
