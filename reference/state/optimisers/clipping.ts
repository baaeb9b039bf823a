import type { ProgramValue } from "../../../spec/program_builder/index.ts";
import { normOf, type Scope, squareOf } from "./rule.ts";

/** Clipping keeps gradients within the input `limit` in one of these ways. */
export type Clipping =
  /** Each element is brought between −c and c. */
  | "value"
  /** Each gradient is brought to a norm of at most c, by itself (Keras' `clipnorm`). */
  | "ownNorm"
  /** All gradients together are brought to a norm of at most c: times c / ‖g‖ where ‖g‖ > c (optax). */
  | "globalNorm"
  /** Is `globalNorm` with min (1, c / (‖g‖ + 10⁻⁶)), so that a norm of exactly c is shortened (PyTorch). */
  | "paddedNorm";

/** Returns the gradients within the limit, unchanged if all are 0. Source: Pascanu and others, ICML 2013. */
export function clipped(
  scope: Scope,
  gradients: readonly ProgramValue[],
  clipping: Clipping,
): readonly ProgramValue[] {
  const limit = scope.given("limit");
  switch (clipping) {
    case "value":
      return gradients.map((gradient) => gradient.minimum(limit).maximum(limit.negative()));
    case "ownNorm":
      return gradients.map((gradient) => gradient.multiply(shareOf(scope, normOf(gradient), limit)));
    case "globalNorm":
    case "paddedNorm": {
      const norm = globalNorm(scope, gradients);
      const share =
        clipping === "globalNorm" ? shareOf(scope, norm, limit) : limit.divide(norm.add(1e-6)).minimum(1);
      return gradients.map((gradient) => gradient.multiply(share));
    }
  }
}

function globalNorm({ builder }: Scope, gradients: readonly ProgramValue[]): ProgramValue {
  const zero = builder.full({ shape: [], value: 0 });
  return gradients.reduce((sum, gradient) => sum.add(squareOf(gradient)), zero).sqrt();
}

/** Returns c / ‖g‖ where the norm exceeds c, else 1: a branch avoids the root's derivative at 0. */
function shareOf({ builder }: Scope, norm: ProgramValue, limit: ProgramValue): ProgramValue {
  const share = builder.full({ shape: [], value: 1 });
  builder.if_(limit.less(norm), () => share.becomes(limit.divide(norm)));
  return share;
}
