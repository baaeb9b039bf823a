/**
 * A statement for all inputs, in a form that a solver can discharge: the hypotheses and the negated goal together have no model. SMT-LIB text is the one source
 * of it; what a solver is asked, what is stored and what is printed are made from these fields by `script.ts`.
 */
export interface Obligation {
  /** A path, for example `tape/step` or `operators/matmul/adjoint`; unique, and stable. */
  readonly id: string;
  /** What holds, in one sentence. */
  readonly statement: string;
  /** Where the semantics says so, for example `SEMANTICS §5`. */
  readonly clause: string;
  /** The SMT-LIB logic, for example `QF_UFLIA`, `QF_UFNRA`, `QF_FP`. */
  readonly logic: string;
  readonly scope: Scope;
  /** What CI runs every day, or what takes longer. */
  readonly tier: "everyday" | "long";
  /** SMT-LIB commands that declare sorts, constants and functions, and define functions. No assertions. */
  readonly declarations: string;
  /** What is assumed, each under its name. */
  readonly hypotheses: readonly Hypothesis[];
  /** An SMT-LIB term of sort Bool: what follows. */
  readonly goal: string;
  /** What the solver may spend: ten times what was measured. */
  readonly rlimit: number;
  /** Names of hypotheses that every proof needs: they are in the unsat core. One that is in none is a dead assumption. */
  readonly requiredCore: readonly string[];
  /** Wrong variants, each with a model that is run in the real code. At least one for each hypothesis that matters. */
  readonly mutants: readonly ObligationMutant[];
  /** Ids of obligations that this one's meta-argument uses. */
  readonly dependsOn: readonly string[];
  /** What leads from the formula to the statement: induction, symmetry, why these shapes are enough. Empty if nothing does but the formula. */
  readonly metaArgument: string;
}

/** For what an obligation holds. */
type Scope =
  | { readonly kind: "all_graphs" }
  | { readonly kind: "operator"; readonly operator: string; readonly shapes: string }
  | { readonly kind: "graph"; readonly graph: string }
  | { readonly kind: "rewrite"; readonly rewrite: string; readonly format: string }
  | { readonly kind: "accumulator"; readonly accumulator: string };

/** An assumption: its name is that of the assertion. */
export interface Hypothesis {
  readonly name: string;
  /** An SMT-LIB term of sort Bool. */
  readonly formula: string;
}

/** The same query over a wrong definition: it has a model, and the model's numbers, run in the real code, show the fault. */
export interface ObligationMutant {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  /** Hypotheses that are left out. */
  readonly without?: readonly string[];
  /** Hypotheses that stand in place of those of their name, or are new. */
  readonly instead?: readonly Hypothesis[];
  /** A logic in place of the obligation's, where the wrong definition is about other numbers. */
  readonly logic?: string;
  /** Declarations in place of the obligation's. */
  readonly declarations?: string;
  /** A goal in place of the obligation's. */
  readonly goal?: string;
  /** Terms whose values the model is asked for. */
  readonly ask: readonly string[];
  /** Runs the real code on the model: the right code, which must hold there, and the wrong variant, which must fail. */
  execute(model: Model): Execution;
}

/** The values of the terms that were asked for, as SMT-LIB prints them. */
export type Model = ReadonlyMap<string, string>;

/** What came of running the real code on a model. */
export interface Execution {
  /** Whether the wrong variant gives what the law forbids, and the right one does not. */
  readonly showsFault: boolean;
  /** What was run and what came out, for people: graph, numbers, both answers. */
  readonly told: string;
}

/** What a solver said. Only `proved` is green; `unknown` never turns into anything else. */
export type Answer =
  | { readonly kind: "proved"; readonly core: readonly string[] }
  | { readonly kind: "refuted"; readonly model: Model }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "resource" }
  | { readonly kind: "crashed"; readonly message: string };
