import type { Sources } from "../operators/index.ts";
import type { DerivativeRule, DerivativesOf } from "./rule.ts";

/** A value that moves with nothing. */
const still: DerivativeRule<unknown> = {
  cotangents: () => [],
  tangent: () => undefined,
};

/** Operators without operands have no derivative. */
export const sources: DerivativesOf<keyof Sources> = {
  constant: still,
  full: still,
  iota: still,
  bernoulli_mask: still,
};
