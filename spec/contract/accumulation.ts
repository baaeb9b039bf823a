import type { Description } from "./engine.ts";

const sequential = { order: "sequential" } as const;

/**
 * The promise of an engine that owes the reference every bit of its sums: terms are added one after the
 * other, in the order of the definition [SEMANTICS §7].
 */
export const definitionOrder: NonNullable<Description["accumulation"]> = {
  sum: sequential,
  broadcast_to: sequential,
  take: sequential,
  take_along_axis: sequential,
  gather: sequential,
  scatter_add: sequential,
  cumulative_sum: sequential,
  matmul: sequential,
};
