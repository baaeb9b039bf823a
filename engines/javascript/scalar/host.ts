import { errorFunction } from "../../plan/functions/error_function.ts";

/** What generated code calls that `Math` does not have, by the name it is called by. */
export const hostFunctions: { readonly power: typeof power; readonly errorFunction: typeof errorFunction } = {
  power,
  errorFunction,
};

/** IEEE 754's power: `**` alone is NaN where 1 or −1 is raised to an infinite power, and 1 to NaN. */
function power(x: number, y: number): number {
  if (x === 1 || (x === -1 && (y === Infinity || y === -Infinity))) return 1;
  return x ** y;
}
