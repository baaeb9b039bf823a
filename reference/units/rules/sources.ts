import type { Sources } from "../../../spec/operators/index.ts";
import { sameAxes } from "../axis_links.ts";
import { known } from "../constants.ts";
import { literalOf } from "../literals.ts";
import type { DimensionRule, DimensionRulesOf } from "../rule.ts";
import { askSame } from "./pointwise.ts";

/** A number that stands in the graph, or follows from its shape. */
const literal: Pick<DimensionRule<unknown>, "axes" | "equations"> = {
  axes: () => [],
  equations: ({ own, ask }) => {
    for (let i = 0; i < own.count; i++) ask("literal", [own.first + i, 1n]);
  },
};

/** An entry of Δ is as declared, or as its readers need; numbers are numbers, and zero is anything. */
export const sources: DimensionRulesOf<keyof Sources> = {
  constant: {
    axes: ({ result }) => sameAxes(0, "result", result.length),
    equations: (node) => {
      const [entry] = node.grids;
      if (entry === undefined) return;
      for (let i = 0; i < node.own.count; i++) askSame(node, "result", node.own.first + i, entry.first + i);
    },
  },
  full: { ...literal, constant: ({ attributes: { value } }) => literalOf(value) },
  iota: {
    ...literal,
    constant: ({ attributes: { axis, shape } }) => ((shape[axis] ?? 0) <= 1 ? known.zero : undefined),
  },
  bernoulli_mask: literal,
};
