import type { PrimitiveName } from "../../spec/operators/index.ts";
import { arithmetic } from "./arithmetic.ts";
import { bernoulliMask } from "./bernoulli_mask.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { choices } from "./choices.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import { cumulativeSum } from "./cumulative_sum.ts";
import { det } from "./det.ts";
import { elementary } from "./elementary.ts";
import { full } from "./full.ts";
import { gather, scatterAdd } from "./gather.ts";
import { iota } from "./iota.ts";
import { matmul } from "./matmul.ts";
import { pad } from "./pad.ts";
import { permuteDims } from "./permute_dims.ts";
import { reshape } from "./reshape.ts";
import type { RulesOf } from "./rule.ts";
import { slice } from "./slice.ts";
import { solve } from "./solve.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";
import { takeAlongAxis } from "./take_along_axis.ts";

/** The rules say what each primitive means. */
export const rules: RulesOf<PrimitiveName> = {
  constant,
  full,
  iota,
  bernoulli_mask: bernoulliMask,
  ...arithmetic,
  ...elementary,
  ...choices,
  sum,
  broadcast_to: broadcastTo,
  reshape,
  permute_dims: permuteDims,
  concat,
  take,
  slice,
  pad,
  take_along_axis: takeAlongAxis,
  gather,
  scatter_add: scatterAdd,
  cumulative_sum: cumulativeSum,
  matmul,
  solve,
  det,
};

export type { Application, Pullback, Rule } from "./rule.ts";
