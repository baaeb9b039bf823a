import { rationalFromNumber } from "../../../reference/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { made } from "../made.ts";
import type { Execution, Hypothesis, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { readRational } from "../operators/index.ts";
import { Code, called, type Edit, hasPlace, type Names } from "./code.ts";
import { holdsAt, type Numbers, valueAt } from "./evaluate.ts";
import { Exact, exactHost } from "./exact.ts";
import type { Host } from "./host.ts";
import { numeral } from "./numerals.ts";
import { Run, type Sign, Term } from "./run.ts";

/** A step of the bound is run with these, on symbols or at a model's numbers. */
export interface Bench {
  /** The code computes exactly, with no allowance for roundings of its own. */
  readonly ideal: Code;
  /** The code computes as it is, in float64 that rounds by as much as it may. */
  readonly rounding: Code;
  /** Returns a number of the code that is not known. */
  unknown(name: string): unknown;
  /** Returns the binade of the size of a number, as a term. */
  binade(term: string): string;
  /** Returns what a function of this name makes of a size: nothing is known of it but that it grows. */
  growing(name: string, x: unknown): unknown;
  /** Returns the number of a kind that is next below `x`, or lower: in exact arithmetic, of fourths. */
  below(x: unknown, kind?: string): unknown;
  /** Returns a number that is no less. */
  above(x: unknown, kind?: string): unknown;
  /** Returns a number that is no greater than `x` and `y`, or no less; `undefined` where they are known. */
  least(name: "min" | "max", x: unknown, y: unknown): unknown;
  /** Computes exactly. */
  readonly host: Host;
  /** Computes as `rounding` does. */
  readonly float64: Host;
}

/** A fault is planted in the code: an edit, and what it does wrong. */
export interface Fault extends Edit {
  readonly name: string;
  readonly fault: string;
  /** The model is looked for at these numbers. */
  readonly at?: Readonly<Record<string, string>>;
}

/** A step of the bound: the code's own computation on unknown numbers, and what is to hold of its result. */
export interface Step {
  readonly id: string;
  readonly statement: string;
  readonly metaArgument: string;
  readonly tier?: Obligation["tier"];
  readonly logic?: string;
  readonly rlimit: number;
  readonly unknowns: Readonly<Record<string, Sign>>;
  readonly hypotheses: readonly Hypothesis[];
  /** These stand for functions of the code: what their own steps say of them. */
  readonly instead?: (bench: Omit<Bench, "ideal" | "rounding">) => Names;
  /** Runs the code, and returns what holds of what comes out, in SMT-LIB. */
  readonly claim: (bench: Bench) => string;
  readonly faults: readonly Fault[];
  readonly dependsOn?: readonly string[];
}

/** The code's own roundings are left out where it is run exactly. */
const IDEAL: readonly Edit[] = [
  { file: "centre/ball", from: "UPWARDS = 1 + 2 ** -48", to: "UPWARDS = 1" },
  { file: "centre/ball", from: "UNDERFLOWS = 4 * Number.MIN_VALUE", to: "UNDERFLOWS = 0" },
  { file: "centre/growth", from: "DOWNWARDS = 1 - 2 ** -52", to: "DOWNWARDS = 1" },
];

/** So many paths are followed; more would say that the code branches on what it should not. */
const PATHS = 200;

interface Claimed {
  readonly declarations: readonly string[];
  readonly goal: string;
}

/** Runs a step along all paths through its code, with faults planted. */
function claimed(step: Step, edits: readonly Edit[]): Claimed {
  const declarations: string[] = [];
  const goals: string[] = [];
  let told: readonly boolean[] | undefined = [];
  for (let path = 0; told !== undefined; path++) {
    if (path > PATHS) throw new InvariantError(`${step.id} has more than ${PATHS} paths`);
    const run: Run = new Run(`p${path}`, told);
    const claim = step.claim(
      benchOf(step, edits, {
        host: run.exact,
        float64: run.rounding,
        unknown: (name) => new Term(name, present(step.unknowns[name], name)),
        binade: (term) => run.binade(run.size(term).text).text,
        growing: (name, x) => run.growing(name, textOf(x)),
        least: (way, x, y) =>
          run.fresh((name) =>
            [x, y].map((of) => (way === "min" ? `(<= ${name} ${textOf(of)})` : `(<= ${textOf(of)} ${name})`)),
          ),
        below: (x, kind) => run.rounded(textOf(x), `below ${kind}`, (name) => `(<= ${name} ${textOf(x)})`),
        above: (x, kind) => run.rounded(textOf(x), `above ${kind}`, (name) => `(<= ${textOf(x)} ${name})`),
      }),
    );
    told = run.following;
    if (claim === "true") continue;
    const { declarations: named, facts, conditions } = run.path;
    declarations.push(...named);
    const given = [...conditions, ...facts];
    goals.push(given.length === 0 ? claim : `(=> (and ${given.join("\n  ")})\n  ${claim})`);
  }
  if (goals.length === 0) throw new InvariantError(`${step.id} claims nothing`);
  return { declarations, goal: goals.length === 1 ? goals.join("") : `(and ${goals.join("\n")})` };
}

function benchOf(step: Step, edits: readonly Edit[], own: Omit<Bench, "ideal" | "rounding">): Bench {
  const instead = step.instead?.(own) ?? {};
  return {
    ...own,
    ideal: new Code(own.host, [...IDEAL, ...edits], instead),
    rounding: new Code(own.float64, edits, instead),
  };
}

const signs: Readonly<Record<Sign, (name: string) => readonly string[]>> = {
  any: () => [],
  size: (name) => [`(<= 0.0 ${name})`],
  positive: (name) => [`(< 0.0 ${name})`],
};

/** Makes the obligation of a step; if the code throws, one that says so. */
export function stepObligation(step: Step): Obligation {
  return made(step.id, () => {
    const names = ["tiny", ...Object.keys(step.unknowns)];
    const unknowns = names.map((name) => `(declare-const ${name} Real)`);
    const { declarations, goal } = claimed(step, []);
    const signed = Object.entries(step.unknowns).flatMap(([name, sign]) => signs[sign](name));
    const tiny = [...declarations, goal].some((text) => text.includes("tiny")) ? ["(< 0.0 tiny)"] : [];
    const sizes = { name: "sizes", formula: `(and ${[...tiny, ...signed].join(" ")})` };
    const areSigned = tiny.length + signed.length > 0;
    return {
      id: step.id,
      statement: step.statement,
      clause: "docs/truth.md",
      logic: step.logic ?? "QF_NRA",
      scope: { kind: "all_graphs" },
      tier: step.tier ?? "everyday",
      declarations: [...unknowns, ...declarations].join("\n"),
      hypotheses: [...(areSigned ? [sizes] : []), ...step.hypotheses],
      goal,
      rlimit: step.rlimit,
      requiredCore: [],
      mutants: step.faults.map((fault) => mutantOf(step, fault, unknowns, Object.keys(step.unknowns))),
      dependsOn: step.dependsOn ?? [],
      metaArgument: step.metaArgument,
    };
  });
}

/**
 * Makes a mutant of a fault. One whose text is not in the code has no model, so that the obligation fails.
 */
function mutantOf(
  step: Step,
  fault: Fault,
  unknowns: readonly string[],
  names: readonly string[],
): ObligationMutant {
  if (!hasPlace(fault)) {
    const told = `${fault.file} has ${fault.from} nowhere, or more than once`;
    const execute = (): Execution => ({ showsFault: false, told });
    return { name: fault.name, fault: `${fault.fault} But ${told}.`, goal: "true", ask: names, execute };
  }
  const { declarations, goal } = claimed(step, [fault]);
  const places = Object.entries(fault.at ?? {}).map(([name, value]) => `(= ${name} ${value})`);
  return {
    name: fault.name,
    fault: fault.fault,
    declarations: [...unknowns, ...declarations].join("\n"),
    goal,
    ...(places.length === 0 ? {} : { instead: [{ name: "place", formula: `(and ${places.join(" ")})` }] }),
    ask: names,
    execute: (model) => executed(step, fault, model, names),
  };
}

/** Rounds a number to a multiple of 1/4, down or up. */
function inFourths(x: unknown, way: "floor" | "ceil"): unknown {
  const { operators, math } = exactHost(false);
  return called(operators.divide, called(math[way], called(operators.multiply, x, 4)), 4);
}

/** Writes a number of the code. */
export function textOf(x: unknown): string {
  return typeof x === "number" ? numeral(x) : String(x);
}

/** Runs right and wrong code at a model's numbers: the claim must hold of the one, and not of the other. */
function executed(step: Step, fault: Fault, model: Model, names: readonly string[]): Execution {
  const numbers: Numbers = new Map([
    ["tiny", rationalFromNumber(Number.MIN_VALUE)] as const,
    ...names.map(
      (name) => [name, present(readRational(model.get(name) ?? ""), `the number ${name}`)] as const,
    ),
  ]);
  const holds = (host: Host, edits: readonly Edit[]): boolean =>
    holdsAt(
      step.claim(
        benchOf(step, edits, {
          host: exactHost(false),
          float64: host,
          unknown: (name) => new Exact(present(numbers.get(name), name)),
          binade: (term) => String(exactHost(false).binade(new Exact(valueAt(term, numbers)))),
          // Binades grow.
          least: () => undefined,
          growing: (_name, x) => exactHost(false).binade(x),
          below: (x) => inFourths(x, "floor"),
          above: (x) => inFourths(x, "ceil"),
        }),
      ),
      numbers,
    );
  const outcomes = [false, true].map((isShort) => {
    const host = exactHost(isShort);
    return { right: holds(host, []), wrong: holds(host, [fault]) };
  });
  const told = [...numbers].map(([name, value]) => `${name} = ${new Exact(value)}`).join(", ");
  return {
    showsFault: outcomes.some(({ right, wrong }) => right && !wrong),
    told: `at ${told}: ${outcomes.map(({ right, wrong }) => `the code ${right ? "keeps" : "breaks"} it, the fault ${wrong ? "keeps" : "breaks"} it`).join("; rounded short, ")}`,
  };
}
