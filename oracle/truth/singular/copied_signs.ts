import type { Application } from "../../../spec/expansion/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import {
  anything,
  type FloatSet,
  floatSet,
  isOnly,
  ofKinds,
  union,
  withoutSigns,
} from "../sets/float_set.ts";
import {
  areNumbers,
  filled,
  isZero,
  type Operations,
  operandsOf,
  pairsOf,
  type SingularComposite,
  sizeOfSet,
  upTo,
} from "./composite.ts";

/**
 * Returns the `copysign` of a case where y is a zero, or an operand no number. Engines differ in the signs of
 * zeros and NaN, so either counts. The slope by x is of size 1, at x = 0 anything between (0 by definition);
 * by y it is 0.
 */
export function copiedSignsOf(question: PrimitiveCase, a: Operations): readonly SingularComposite[] {
  return pairsOf(question, "copysign").map((application) => copiedSign(application, a));
}

function copiedSign(application: Application, a: Operations): SingularComposite {
  const x = present(application.node.parents[0], "an operand");
  return {
    application,
    value: (context) =>
      filled(
        present(context[x], "x"),
        operandsOf(application, context).map(([size, sign]) =>
          withoutSigns(signed(a, absolute(a, size), sign)),
        ),
      ),
    tangent: (context, tangents) => {
      const along = operandsOf(application, tangents);
      return filled(
        present(context[x], "x"),
        operandsOf(application, context).map(([size, sign], position) => {
          const [xDot, yDot] = along[position] ?? [anything, anything];
          return areNumbers(yDot) ? scaled(a, xDot, size, sign) : anything;
        }),
      );
    },
    cotangents: (context, c) => {
      const bars = operandsOf(application, context).map(([size, sign], position) =>
        scaled(a, c.data[position] ?? anything, size, sign),
      );
      return new Map([[x, filled(present(context[x], "x"), bars)]]);
    },
  };
}

const positive = ["+", "far", "inf"] as const;
const negative = ["-", "-far", "-inf"] as const;

function absolute(a: Operations, { pieces }: FloatSet): FloatSet {
  return union(
    ...pieces.map((piece) => {
      const one = floatSet([piece]);
      return isOnly(one, ...negative) ? a.negative(one) : one;
    }),
  );
}

/** Returns `size` or its negative, by the sign of `by`; NaN too where that is NaN. */
function signed(a: Operations, size: FloatSet, by: FloatSet): FloatSet {
  if (isOnly(by, ...positive)) return size;
  if (isOnly(by, ...negative)) return a.negative(size);
  return union(
    size,
    a.negative(size),
    ...(by.pieces.some(({ kind }) => kind === "nan") ? [ofKinds("nan")] : []),
  );
}

/** Returns `c` times the slope by x. */
function scaled(a: Operations, c: FloatSet, x: FloatSet, y: FloatSet): FloatSet {
  if (!areNumbers(c)) return anything;
  if (!areNumbers(x)) return union(upTo(sizeOfSet(c)), ofKinds("nan"));
  if (isOnly(x, ...positive, ...negative) && !isZero(x)) return signed(a, signed(a, c, x), y);
  return signed(a, upTo(sizeOfSet(c)), y);
}
