import type { BinaryName, Elementary, UnaryName } from "../../../spec/operators/index.ts";
import { elementaryFunctions } from "../plan/index.ts";

/** The scalar functions without an instruction. */
export type HostFunction = Exclude<UnaryName | BinaryName, "sqrt">;

/**
 * What a module imports for functions without an instruction. The functions of `Math` go in as they are: V8 knows several of them in
 * an import and calls its own code directly.
 */
export const hostFunctions: Omit<Elementary<number>, "sqrt"> = withoutRoot(elementaryFunctions);

function withoutRoot({ sqrt: _, ...others }: Elementary<number>): Omit<Elementary<number>, "sqrt"> {
  return others;
}

/** What a module that calls these functions imports under the name `host`. */
export function importsNamed(
  names: Iterable<HostFunction>,
): Record<string, (x: number, y: number) => number> {
  return Object.fromEntries([...names].map((name) => [name, hostFunctions[name]]));
}
