import type { Source } from "../../engines/compile/plan/index.ts";
import { rationalFromNumber } from "../../reference/index.ts";
import type { Register } from "../../reference/numerics/index.ts";
import type { RangeJson } from "../../spec/explained/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { GivenRanges } from "../representations/index.ts";
import { between } from "./scalar_ranges.ts";
import { anyCode, type CodeRange } from "./summands.ts";

/**
 * Turns ranges into codes of posits, rounded outwards. Fails: `widths/ranges` for codes of a tensor with a
 * scale, which fill their bits whatever the range is.
 */
export function codesOfRanges(
  { inputs, environment }: GivenRanges,
  register: Register,
): Result<(source: Source) => CodeRange, Issue[]> {
  const { codes: asked } = register;
  if (asked.kind === "integer") return fail([scaled]);
  const codes = (range: RangeJson | undefined): CodeRange =>
    range === undefined
      ? anyCode(register)
      : between(rationalFromNumber(range[0]), rationalFromNumber(range[1]), asked.format);
  return ok(({ origin }) => {
    switch (origin.kind) {
      case "input":
        return codes(inputs[origin.position]);
      case "environment":
        return codes(environment.get(origin.name));
      case "tangent":
      case "seed":
        return anyCode(register);
    }
  });
}

const scaled: Issue = {
  code: "widths/ranges",
  pointer: "/accumulator",
  message: "ranges do not bound integer codes, since a tensor's scale makes them fill their bits.",
  hint: "leave --ranges and --within out, or ask about a quire, such as quire:posit32",
};
