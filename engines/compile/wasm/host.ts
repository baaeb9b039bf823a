import type { BinaryName, Elementary, UnaryName } from "../../../spec/operators/index.ts";
import { elementaryFunctions } from "../plan/index.ts";

/** The scalar functions without an instruction. */
export type HostFunction = Exclude<UnaryName | BinaryName, "sqrt">;

/**
 * The imports of a module for functions without an instruction. They are `Math`'s own functions, several of
 * which V8 recognises in an import and calls directly.
 */
export const hostFunctions: Omit<Elementary<number>, "sqrt"> = withoutRoot(elementaryFunctions);

function withoutRoot({ sqrt: _, ...others }: Elementary<number>): Omit<Elementary<number>, "sqrt"> {
  return others;
}

/** Returns what a module that calls these functions imports under the name `host`. */
export function importsNamed(
  names: Iterable<HostFunction>,
): Record<string, (x: number, y: number) => number> {
  return Object.fromEntries([...names].map((name) => [name, hostFunctions[name]]));
}
