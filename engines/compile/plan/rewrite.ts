/**
 * The least algebra in which a rewrite changes no answer: `any`, whatever the scalars are; `ieee`, in IEEE
 * 754 arithmetic (with signed zeros and one NaN); `monoid`, where + is associative and commutative with the
 * neutral element 0; `ring`; `real`, in the real numbers only.
 */
type Exactness = "any" | "ieee" | "monoid" | "ring" | "real";

/** A rewrite of a plan is described by what it does, and where it is exact. */
export interface Rewrite {
  /** The statement says what is replaced by what. */
  readonly statement: string;
  readonly exactIn: Exactness;
  /**
   * It says what happens to sums: `kept` if none has more or larger terms than a sum had before; `restated`
   * if sums are merged or terms become products, so that their widths must be proved again.
   */
  readonly sums: "kept" | "restated";
}

/** The name of a rewrite. */
export type RewriteName =
  | "dead_code"
  | "common_subexpressions"
  | "view_composition"
  | "map_fusion"
  | "fold_fusion"
  | "buffer_reuse"
  | "in_place"
  | "checkpointing"
  | "units"
  | "zeros"
  | "level_order"
  | "reassociation"
  | "accumulation_in_place"
  | "merged_nodes"
  | "split_tangents"
  | "contraction"
  | "own_functions"
  | "whole_composites";

/** The rewrites of the planner and the backends, by name. */
export const rewrites: Readonly<Record<RewriteName, Rewrite>> = {
  dead_code: { statement: "what no result depends on is not computed", exactIn: "any", sums: "kept" },
  common_subexpressions: {
    statement: "equal instructions are computed once, whichever way round a sum or a product stands",
    exactIn: "ieee",
    sums: "kept",
  },
  view_composition: {
    statement: "what only moves elements is read where they came from",
    exactIn: "any",
    sums: "kept",
  },
  map_fusion: {
    statement: "a map that one loop reads is computed inside that loop",
    exactIn: "any",
    sums: "restated",
  },
  fold_fusion: {
    statement: "a map that a fold reads is computed inside the fold",
    exactIn: "any",
    sums: "restated",
  },
  buffer_reuse: {
    statement: "a value takes the place of one that nothing reads any more",
    exactIn: "any",
    sums: "kept",
  },
  in_place: {
    statement: "a map writes over the operand that it is the last to read",
    exactIn: "any",
    sums: "kept",
  },
  checkpointing: { statement: "a value is computed again rather than kept", exactIn: "any", sums: "kept" },
  units: {
    statement:
      "x · 1, x ÷ 1, x + (−0) and −(−x) are x; signs move into products; numbers are computed beforehand",
    exactIn: "ieee",
    sums: "kept",
  },
  zeros: { statement: "x + 0 is x, and a zero contribution is left out", exactIn: "monoid", sums: "kept" },
  level_order: {
    statement: "contributions are added in the order of levels",
    exactIn: "monoid",
    sums: "kept",
  },
  reassociation: { statement: "a fold is computed in several parts", exactIn: "monoid", sums: "kept" },
  accumulation_in_place: {
    statement: "a contribution to a part is added to that part alone",
    exactIn: "monoid",
    sums: "restated",
  },
  merged_nodes: {
    statement: "equal nodes of the graph are one node, and their cotangents one sum",
    exactIn: "ring",
    sums: "restated",
  },
  split_tangents: {
    statement: "the tangent of a product of matrices is two products",
    exactIn: "monoid",
    sums: "restated",
  },
  contraction: {
    statement: "x · y + z is rounded once, and what is between memory and memory as float64 not to float32",
    exactIn: "real",
    sums: "restated",
  },
  own_functions: { statement: "elementary functions are the engine's own", exactIn: "real", sums: "kept" },
  whole_composites: {
    statement: "a composite is computed by its own formula",
    exactIn: "real",
    sums: "restated",
  },
};

/** An engine owes the reference's bits, or the truth within the derived bound. */
export type Regime = "bit_exact" | "fast";

/** Says whether a regime allows a rewrite: bit-exact allows only what is exact in IEEE arithmetic. */
export function allows(regime: Regime, name: RewriteName): boolean {
  const { exactIn } = rewrites[name];
  return regime === "fast" || exactIn === "any" || exactIn === "ieee";
}
