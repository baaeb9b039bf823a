import { type CaseProfile, profiles } from "./index.ts";

function named(name: string): CaseProfile {
  const profile = profiles.get(name);
  if (profile === undefined) throw new Error(name);
  return profile;
}

const tensor: CaseProfile = named("tensor");
const scalars: CaseProfile = { ...named("scalar20"), nodes: [12, 20], inputs: [1, 2] };

/** Each profile has the few operators that a rewrite looks for, so that random graphs meet it often. */
const pieces: CaseProfile = {
  ...tensor,
  name: "pieces",
  nodes: [2, 6],
  operators: ["concat", "slice", "pad", "multiply"],
};
const parts: CaseProfile = {
  ...tensor,
  name: "parts",
  nodes: [4, 10],
  inputs: [1, 2],
  operators: ["slice", "concat", "take", "multiply", "sin"],
};
const reshapes: CaseProfile = {
  ...tensor,
  name: "reshapes",
  nodes: [2, 5],
  inputs: [1, 1],
  operators: ["permute_dims", "reshape", "multiply"],
};
const squares: CaseProfile = {
  ...tensor,
  name: "squares",
  nodes: [3, 8],
  inputs: [1, 2],
  maximumRank: 2,
  extents: [3],
  operators: ["permute_dims", "multiply", "sin"],
};
const lookups: CaseProfile = {
  ...tensor,
  name: "lookups",
  nodes: [3, 8],
  inputs: [1, 1],
  maximumRank: 1,
  extents: [3],
  operators: ["take", "multiply"],
};
const differences: CaseProfile = {
  ...tensor,
  name: "differences",
  nodes: [4, 10],
  inputs: [1, 2],
  maximumRank: 1,
  operators: ["subtract", "multiply"],
};
const stills: CaseProfile = {
  ...tensor,
  name: "stills",
  nodes: [2, 8],
  inputs: [1, 2],
  maximumRank: 1,
  operators: ["subtract", "relu", "stop_gradient", "multiply", "full"],
};
const sums: CaseProfile = {
  ...tensor,
  name: "sums",
  nodes: [3, 10],
  operators: ["sum", "sin", "cos", "multiply", "broadcast_to"],
};
const longSums: CaseProfile = {
  ...named("wide"),
  name: "long sums",
  nodes: [1, 4],
  inputs: [1, 2],
  operators: ["sum", "matmul", "multiply"],
};
const layers: CaseProfile = {
  ...tensor,
  name: "layers",
  nodes: [10, 16],
  inputs: [1, 2],
  isChain: true,
  operators: ["scatter_add", "sin", "tanh", "multiply", "sum", "broadcast_to"],
};
const products: CaseProfile = {
  ...tensor,
  name: "products",
  nodes: [1, 4],
  operators: ["matmul", "sum", "multiply"],
};
const extremes: CaseProfile = {
  ...tensor,
  name: "extremes",
  nodes: [1, 4],
  inputs: [1, 2],
  operators: ["max", "min", "multiply", "concat"],
};
const convolutions: CaseProfile = {
  ...named("composite"),
  name: "convolutions",
  nodes: [3, 6],
  inputs: [1, 1],
  operators: ["conv", "full", "constant", "iota"],
};
const exponentials: CaseProfile = {
  ...scalars,
  name: "exponentials",
  nodes: [1, 4],
  operators: ["exp", "log", "expm1", "log1p"],
};
const branches: CaseProfile = {
  ...scalars,
  name: "branches",
  operators: ["constant", "subtract", "multiply", "atan2", "sin", "where"],
};
const levels: CaseProfile = {
  ...scalars,
  name: "levels",
  operators: ["sin", "multiply", "add", "negative"],
};
const ordered: CaseProfile = {
  ...scalars,
  name: "ordered",
  nodes: [12, 12],
  inputs: [2, 2],
  operators: ["subtract", "atan2"],
};
const constants: CaseProfile = {
  ...scalars,
  name: "constants",
  nodes: [8, 12],
  operators: ["constant", "multiply", "add"],
};

/** Each mutant's cases are drawn from the profile under its name. */
export const casesOf: ReadonlyMap<string, CaseProfile> = new Map([
  ["scatter_base_unread", parts],
  ["piece_of_one_dropped", pieces],
  ["activity_of_first_operand_in_plan", branches],
  ["offset_not_compared", pieces],
  ["index_not_compared", lookups],
  ["difference_unordered", differences],
  ["signs_of_zeros_merged", named("kink")],
  ["inner_offset_forgotten", pieces],
  ["strided_view_reshaped", reshapes],
  ["offset_lost_in_fusion", pieces],
  ["lookup_lost_in_fusion", lookups],
  ["hoisted_out_of_fold", tensor],
  ["applied_after_sum", sums],
  ["life_ends_early", tensor],
  ["results_not_kept", tensor],
  ["permuted_in_place", squares],
  ["read_again_in_place", squares],
  ["recomputed_from_the_dead", layers],
  ["copy_without_base", layers],
  ["positive_zero_is_neutral", tensor],
  ["difference_from_positive_zero", stills],
  ["sign_into_wrong_operand", tensor],
  ["zero_minus_number", stills],
  ["level_of_first_operand", levels],
  ["last_round_lost", longSums],
  ["part_overwritten", named("composite")],
  ["part_added_to_itself", parts],
  ["nodes_merged_in_any_order", ordered],
  ["constants_merged", constants],
  ["same_product_twice", products],
  ["second_product_lost", products],
  ["product_negated", products],
  ["short_polynomials", exponentials],
  ["max_cotangent_to_all", extremes],
  ["conv_cotangents_undilated", convolutions],
]);
