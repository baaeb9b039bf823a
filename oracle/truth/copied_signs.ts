import type { Application } from "../../spec/composites/index.ts";
import { present } from "../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { anything, either, isOnly, type Possible, possible, those, withoutSigns } from "./possible.ts";
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
} from "./singular_composite.ts";

/**
 * The `copysign` of a case where y is a zero, or an operand no number. Of a zero and of a NaN the sign is either: engines
 * differ in those. The slope is of size 1, by x at 0 anything between (0 by definition), and by y it is 0.
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

function absolute(a: Operations, { pieces }: Possible): Possible {
  return either(
    ...pieces.map((piece) => {
      const one = possible([piece]);
      return isOnly(one, ...negative) ? a.negative(one) : one;
    }),
  );
}

/** `size` or its negative, by the sign of `by`; NaN too where that is NaN. */
function signed(a: Operations, size: Possible, by: Possible): Possible {
  if (isOnly(by, ...positive)) return size;
  if (isOnly(by, ...negative)) return a.negative(size);
  return either(
    size,
    a.negative(size),
    ...(by.pieces.some(({ kind }) => kind === "nan") ? [those("nan")] : []),
  );
}

/** `c` times the slope by x. */
function scaled(a: Operations, c: Possible, x: Possible, y: Possible): Possible {
  if (!areNumbers(c)) return anything;
  if (!areNumbers(x)) return either(upTo(sizeOfSet(c)), those("nan"));
  if (isOnly(x, ...positive, ...negative) && !isZero(x)) return signed(a, signed(a, c, x), y);
  return signed(a, upTo(sizeOfSet(c)), y);
}
