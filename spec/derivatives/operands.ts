import type { Value } from "../construction/value.ts";
import { present } from "../shapes/index.ts";
import type { Applied } from "./rule.ts";

/** Returns the operand at a position that the operator's arity guarantees. */
export function operandAt({ operands }: Pick<Applied<unknown>, "operands">, place: number): Value {
  return present(operands[place], "an operand");
}
