export type { NodeNeeds, PullNeeds } from "../reverse_needs.ts";
export * from "./aliases.ts";
export { type ArenaPoint, type ArenaRun, runInArena } from "./arena_run.ts";
export * from "./carried.ts";
export type { Key } from "./domain.ts";
export * from "./effect_list.ts";
export * from "./effects.ts";
export * from "./execute.ts";
export * from "./hazards.ts";
export {
  type CotangentLifetime,
  type EntryLifetime,
  type Interval,
  type Lifetime,
  type LifetimeOptions,
  type Lifetimes,
  lifetimes,
  type PrimalLifetime,
  type Step,
  type Wanted,
} from "./lifetimes.ts";
export { Machine } from "./machine.ts";
export type { Memory } from "./memory.ts";
export * from "./optimisers/index.ts";
export * from "./policies.ts";
export { type MemoryEvent, type Retained, TOO_MUCH_RECORDED } from "./recorder.ts";
export * from "./session.ts";
export { defaultLimits, type Generator, type Limits, type Sent, type World } from "./setting.ts";
export {
  assignedBy,
  jumpsOf,
  operandsIn,
  readByEnd,
  replaced,
  type SsaBlock,
  type SsaCount,
  type SsaEnd,
  type SsaForm,
  type SsaFunction,
  type SsaIndex,
  type SsaInstruction,
  type SsaJump,
  type SsaOperand,
  type SsaTensor,
  type SsaTerm,
  type SsaValue,
  type SsaView,
} from "./ssa.ts";
export { MOST_SEARCHED, type Optimum, optimalPlan } from "./storage_optimum.ts";
export {
  type Block,
  type GreatestNeed,
  greatestNeed,
  type PlanFault,
  planBySize,
  planFaults,
  planInTime,
  type StoragePlan,
} from "./storage_plan.ts";
export * from "./tape_entries.ts";
export { MAXIMUM_INSTRUCTIONS, toSsa } from "./to_ssa.ts";
