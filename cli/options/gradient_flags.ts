import type { GradientsAsked } from "../../oracle/gradients/index.ts";
import { codesOfRanges } from "../../oracle/widths/index.ts";
import { registerNamed } from "../../reference/numerics/index.ts";
import type { RangesJson } from "../../spec/explained/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { type FormatFlags, rangesAsked, targetsAsked } from "./format_flags.ts";

/** Sums are taken in this register unless another is named. */
export const usualAccumulator = "quire:posit32";

/** The words behind `--accumulator`, and those that trees of gradients share with formats. */
export interface GradientFlags extends Pick<FormatFlags, "ranges" | "within" | "targets"> {
  readonly accumulator?: string;
}

/**
 * What trees are asked about beside memory: the register of sums, the ranges of what is given, and targets.
 */
export type AccumulationAsked = Pick<GradientsAsked, "register" | "given" | "targets">;

/**
 * Reads what trees of gradients are asked about. Fails: as the parts do, `widths/accumulator`,
 * `widths/ranges`.
 */
export async function accumulationAsked(
  json: unknown,
  graph: Graph,
  flags: GradientFlags,
  own?: RangesJson,
): Promise<Result<AccumulationAsked, Issue[]>> {
  const register = registerNamed(flags.accumulator ?? usualAccumulator);
  if (!register.ok) return register;
  const targets = await targetsAsked(flags);
  if (!targets.ok) return targets;
  // Codes of integers have scales, which ranges do not tell: those of a text are left aside there.
  const beside = register.value.codes.kind === "integer" ? undefined : own;
  const ranges = await rangesAsked(json, graph, flags, beside);
  if (!ranges.ok) return ranges;
  const given = ranges.value === undefined ? ok(undefined) : codesOfRanges(ranges.value, register.value);
  return given.ok ? ok({ register: register.value, given: given.value, targets: targets.value }) : given;
}

/** Says that the planner cannot count in a graph's tensors. */
export function widthsTooLarge(what: string): Issue {
  return {
    code: "widths/size",
    pointer: "",
    message: `the planner does not take the graph: ${what}.`,
    hint: "ask about a smaller one: a sum has as many terms as its shapes say",
  };
}
