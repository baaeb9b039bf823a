/**
 * An obligation is a statement for all inputs that a solver can discharge: the hypotheses and the negated
 * goal together have no model. Its source is SMT-LIB text; `script.ts` makes of these fields what a solver is
 * asked, what is stored and what is printed.
 */
export interface Obligation {
  /** This is a unique and stable path, for example `tape/step` or `operators/matmul/adjoint`. */
  readonly id: string;
  /** One sentence says what holds. */
  readonly statement: string;
  /** This clause of the semantics says so, for example `SEMANTICS §5`. */
  readonly clause: string;
  /** This is the SMT-LIB logic, for example `QF_UFLIA`, `QF_UFNRA`, `QF_FP`. */
  readonly logic: string;
  readonly scope: Scope;
  /** CI runs `everyday` obligations; `long` ones take longer. */
  readonly tier: "everyday" | "long";
  /** SMT-LIB commands declare sorts, constants and functions, and define functions, but assert nothing. */
  readonly declarations: string;
  /** Each assumption has a name. */
  readonly hypotheses: readonly Hypothesis[];
  /** This SMT-LIB term of sort Bool follows from the hypotheses. */
  readonly goal: string;
  /** A solver may spend so much: ten times what was measured. */
  readonly rlimit: number;
  /** Every proof needs these, so they are in the unsat core; one in no core is a dead assumption. */
  readonly requiredCore: readonly string[];
  /** Each wrong variant has a model that real code runs; there is one for each hypothesis that matters. */
  readonly mutants: readonly ObligationMutant[];
  /** The meta-argument uses the obligations with these ids. */
  readonly dependsOn: readonly string[];
  /** This argument leads from the formula to the statement, by induction, symmetry or chosen shapes. */
  readonly metaArgument: string;
  /** The code that the obligation is made of threw this, so that nothing is asked and nothing is proved. */
  readonly crash?: string;
}

/** An obligation holds for this. */
type Scope =
  | { readonly kind: "all_graphs" }
  | { readonly kind: "operator"; readonly operator: string; readonly shapes: string }
  | { readonly kind: "graph"; readonly graph: string }
  | { readonly kind: "rewrite"; readonly rewrite: string; readonly format: string }
  | { readonly kind: "accumulator"; readonly accumulator: string };

/** The assertion has the name of the assumption. */
export interface Hypothesis {
  readonly name: string;
  /** This is an SMT-LIB term of sort Bool. */
  readonly formula: string;
}

/** A mutant asks the same over a wrong definition: a model exists, and shows the fault in real code. */
export interface ObligationMutant {
  readonly name: string;
  /** One sentence says what is wrong. */
  readonly fault: string;
  /** These hypotheses are left out. */
  readonly without?: readonly string[];
  /** These replace hypotheses of the same name, or are new. */
  readonly instead?: readonly Hypothesis[];
  /** This replaces the obligation's logic, if the wrong definition is about other numbers. */
  readonly logic?: string;
  /** These replace the obligation's declarations. */
  readonly declarations?: string;
  /** This replaces the obligation's goal. */
  readonly goal?: string;
  /** The model is asked for the values of these terms. */
  readonly ask: readonly string[];
  /** Runs real code on the model: the right code must satisfy the law there, the wrong variant must not. */
  execute(model: Model): Execution;
}

/** A model maps the terms that were asked for to their values, as SMT-LIB prints them. */
export type Model = ReadonlyMap<string, string>;

/** Real code was run on a model. */
export interface Execution {
  /** If true, the wrong variant breaks the law on the model, and the right one does not. */
  readonly showsFault: boolean;
  /** This tells people what was run and what came out: graph, numbers, both answers. */
  readonly told: string;
}

/** A solver answers this. Only `proved` is green; `unknown` never turns into anything else. */
export type Answer =
  | { readonly kind: "proved"; readonly core: readonly string[] }
  | { readonly kind: "refuted"; readonly model: Model }
  | { readonly kind: "unknown"; readonly reason: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "resource" }
  | { readonly kind: "crashed"; readonly message: string };
