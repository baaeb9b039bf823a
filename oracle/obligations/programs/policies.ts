import { type Rational, rational, rationalFromNumber, type Tensor } from "../../../reference/index.ts";
import {
  type Policy,
  type PolicyOrNone,
  type Start,
  type SweepOutcome,
  sweepUnder,
} from "../../../reference/state/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { readRational } from "../operators/index.ts";
import { modelInteger } from "../tape/index.ts";
import { LOCATION, ranged, slice } from "./locations.ts";

/*
 * One statement reads two elements of a location in place, the next writes two, at any offsets and strides,
 * whatever the reader's rule is. A policy hands values to the rule in the sweep; right is what was read.
 */

const counts = ["r", "s", "w", "t"].map((name) => `(declare-const ${name} Int)`).join("\n");
const read = (i: number): string => (i === 0 ? "r" : "(+ r s)");
const written = (i: number): string => (i === 0 ? "w" : "(+ w t)");

/** These declare the contents when they are read, what is written, and the contents afterwards. */
const memory = `(declare-fun old (Int) Val)
${[0, 1].map((i) => `(declare-const v${i} Val)`).join("\n")}
(define-fun after ((k Int)) Val (ite (= k ${written(1)}) v1 (ite (= k ${written(0)}) v0 (old k))))`;

/** Nothing is known of the rule; a run takes that of a square. */
const anyRule = `(declare-sort Val 0)
(declare-fun pull (Val) Val)`;
const square = `(define-sort Val () Int)
(define-fun pull ((x Int)) Int (* 2 x))`;

const eachPair = (same: (i: number, j: number) => string): string =>
  `(or ${[0, 1].flatMap((i) => [0, 1].map((j) => same(i, j))).join(" ")})`;
const overlap = eachPair((i, j) => `(= ${read(i)} ${written(j)})`);
const hazard = `(define-fun hazard () Bool ${overlap})`;

/** Defines what the rule is handed for the elements that were read. */
const handed = (text: (i: number) => string): string =>
  [0, 1].map((i) => `(define-fun handed${i} () Val ${text(i)})`).join("\n");
const isRight = `(and ${[0, 1].map((i) => `(= (pull handed${i}) (pull (old ${read(i)})))`).join(" ")})`;
const asItLies = (i: number): string => `(after ${read(i)})`;

interface Step {
  readonly policy: Policy;
  readonly statement: string;
  readonly definitions: string;
  readonly goal: string;
  readonly mutants: readonly Wrong[];
}

/** A wrong policy shows when it is run. */
interface Wrong {
  readonly name: string;
  readonly fault: string;
  readonly definitions: string;
  readonly shows: (run: Run) => boolean;
}

/** A model is a program, which does this. */
interface Run {
  /** The right policy has this outcome. */
  readonly outcome: SweepOutcome<Rational>;
  /** A tape that ignores overwriting gives these cotangents. */
  readonly blind: readonly string[];
  /** The recorded graph has these cotangents: twice what was read. */
  readonly right: readonly string[];
  readonly start: number;
  readonly stride: number;
}

/** Checks that the right policy answers rightly or refuses, and that ignoring overwriting is wrong. */
const wrongUnlessSeen = ({ outcome, blind, right }: Run): boolean =>
  (outcome.kind === "refused" || shownOf(outcome).join() === right.join()) && blind.join() !== right.join();
/** Checks that the right policy does not refuse, and is right. */
const refusedForNothing = ({ outcome, right }: Run): boolean =>
  outcome.kind === "gradient" && shownOf(outcome).join() === right.join();

const refusing = (test: string): string => `(define-fun refused () Bool ${test})\n${handed(asItLies)}`;
const refusal = `(and (=> (not refused) ${isRight}) (=> refused ${overlap}))`;
/** Defines how often each element was written. */
const version = (counted: string): string => `(declare-fun version (Int) Int)
(define-fun versionAfter ((k Int)) Int ${counted})`;
const changed = (i: number): string => `(not (= (versionAfter ${read(i)}) (version ${read(i)})))`;
const perElement = `(+ (version k) (ite (= k ${written(0)}) 1 0) (ite (= k ${written(1)}) 1 0))`;

const steps: readonly Step[] = [
  {
    policy: "forbid",
    statement:
      "A write that is not forbidden leaves what the sweep reads as it was, and none is forbidden beside it.",
    definitions: `${hazard}\n${refusing("hazard")}`,
    goal: refusal,
    mutants: [
      {
        name: "beginnings",
        fault: "only the places where the views begin are compared",
        definitions: refusing("(= r w)"),
        shows: wrongUnlessSeen,
      },
      {
        name: "any-write",
        fault: "every write to the location is forbidden",
        definitions: refusing("true"),
        shows: refusedForNothing,
      },
    ],
  },
  {
    policy: "copy",
    statement: "What is copied before a write is what was read, and what is not copied was not overwritten.",
    definitions: `${hazard}\n${handed((i) => `(ite hazard (old ${read(i)}) (after ${read(i)}))`)}`,
    goal: isRight,
    mutants: [
      {
        name: "late",
        fault: "the copy is made after the write",
        definitions: `${hazard}\n${handed((i) => `(ite hazard (after ${read(i)}) (after ${read(i)}))`)}`,
        shows: wrongUnlessSeen,
      },
      {
        name: "too-shallow",
        fault: "only the first element is copied",
        definitions: `${hazard}\n${handed((i) => (i === 0 ? `(ite hazard (old ${read(i)}) (after ${read(i)}))` : asItLies(i)))}`,
        shows: (run) =>
          wrongUnlessSeen(run) && run.blind[run.start + run.stride] !== run.right[run.start + run.stride],
      },
      {
        name: "other-view",
        fault: "nothing is copied for a write through a view that begins elsewhere",
        definitions: handed((i) => `(ite (= r w) (old ${read(i)}) (after ${read(i)}))`),
        shows: wrongUnlessSeen,
      },
    ],
  },
  {
    policy: "version",
    statement:
      "Where no element that was read has another version than when it was saved, the sweep reads what was read; and it refuses only where one has been overwritten.",
    definitions: `${version(perElement)}\n${refusing(`(or ${changed(0)} ${changed(1)})`)}`,
    goal: refusal,
    mutants: [
      {
        name: "view-uncounted",
        fault: "a write through a view counts for the place where it begins alone",
        definitions: `${version(`(+ (version k) (ite (= k ${written(0)}) 1 0))`)}\n${refusing(`(or ${changed(0)} ${changed(1)})`)}`,
        shows: wrongUnlessSeen,
      },
      {
        name: "first-looked-at",
        fault: "the version of the first element alone is looked at",
        definitions: `${version(perElement)}\n${refusing(changed(0))}`,
        shows: wrongUnlessSeen,
      },
      {
        name: "one-number",
        fault: "there is one number for the whole location",
        definitions: `${version("(+ (version k) 1)")}\n${refusing(`(or ${changed(0)} ${changed(1)})`)}`,
        shows: refusedForNothing,
      },
    ],
  },
  {
    policy: "recompute",
    statement:
      "What is computed again from the inputs, for the elements that were overwritten, is what was read.",
    definitions: `${hazard}
(define-fun again ((k Int)) Val (old k))
${handed((i) => `(ite hazard (again ${read(i)}) (after ${read(i)}))`)}`,
    goal: isRight,
    mutants: [
      {
        name: "from-now",
        fault: "it is computed from what the location holds by now",
        definitions: `${hazard}
(define-fun again ((k Int)) Val (after k))
${handed((i) => `(ite hazard (again ${read(i)}) (after ${read(i)}))`)}`,
        shows: wrongUnlessSeen,
      },
      {
        name: "second-forgotten",
        fault: "a write over the second element is not noticed",
        definitions: `${handed((i) => `(ite (or (= r w) (= r ${written(1)})) (old ${read(i)}) (after ${read(i)}))`)}`,
        shows: wrongUnlessSeen,
      },
    ],
  },
];

function policyObligation({ policy, statement, definitions, goal, mutants }: Step): Obligation {
  return {
    id: `programs/policy/${policy}`,
    statement,
    clause: "SEMANTICS §10.5",
    logic: "QF_UFLIA",
    scope: { kind: "graph", graph: "two elements read, then two written, at any offsets and strides" },
    tier: "everyday",
    declarations: [anyRule, counts, memory, definitions].join("\n"),
    hypotheses: [],
    goal,
    rlimit: 100_000,
    requiredCore: [],
    mutants: mutants.map((wrong) => mutantOf(policy, wrong)),
    dependsOn: [],
    metaArgument:
      "The rule is any function of what was read, and of what it is handed for it; operands that are read in one place each are like one operand.",
  };
}

function mutantOf(policy: Policy, { name, fault, definitions, shows }: Wrong): ObligationMutant {
  const cells = Array.from({ length: LOCATION }, (_, i) => `(old ${i})`);
  return {
    name,
    fault,
    logic: "QF_UFLIA",
    declarations: [square, counts, memory, definitions].join("\n"),
    instead: [{ name: "small", formula: `(and (< 0 s) (< 0 t) ${ranged(["r", "s", 2], ["w", "t", 2])})` }],
    ask: ["r", "s", "w", "t", "v0", "v1", ...cells],
    execute: (model) => execute(policy, model, cells, shows),
  };
}

/** Runs a model's program under the policy, and with a tape that ignores overwriting. */
function execute(
  policy: Policy,
  model: Model,
  cells: readonly string[],
  shows: (run: Run) => boolean,
): Execution {
  const [r = 0, s = 0, w = 0, t = 0] = ["r", "s", "w", "t"].map((name) => modelInteger(model, name));
  const x = numbersIn(model, cells);
  const run = (by: PolicyOrNone): SweepOutcome<Rational> => {
    const swept = sweepUnder(
      by,
      rational,
      programOf(r, s, w, t),
      startAt([x, numbersIn(model, ["v0", "v1"])]),
      seeds,
    );
    if (!swept.ok) throw new InvariantError("the program runs");
    return swept.value;
  };
  const [outcome, blind] = [run(policy), shownOf(run("none"))];
  const twice = x.data.map((element, place) =>
    rational.format(
      [r, r + s].includes(place) ? rational.additive.add(element, element) : rational.additive.zero,
    ),
  );
  const answer = outcome.kind === "refused" ? `refused by the ${outcome.by}` : shownOf(outcome).join(" ");
  return {
    showsFault: shows({ outcome, blind, right: twice, start: r, stride: s }),
    told: `read at ${r} by ${s}, written at ${w} by ${t}: right is ${twice.join(" ")}; ${policy} says ${answer}; who does not look says ${blind.join(" ")}`,
  };
}

function numbersIn(model: Model, terms: readonly string[]): Tensor<Rational> {
  const data = terms.map((term) =>
    present(readRational(model.get(term) ?? ""), `what the model says of ${term}`),
  );
  return { shape: [terms.length], data };
}

/** Shows the cotangent of the location's elements. */
function shownOf(outcome: SweepOutcome<Rational>): readonly string[] {
  if (outcome.kind === "refused") return ["refused"];
  const { data } = present(outcome.cotangents[0], "the cotangent of what the location held");
  return data.map(rational.format);
}

const seeds = new Map([[0, { shape: [2], data: [1, 1].map(rationalFromNumber) }]]);

/** Starts a program with these parameters, without state and environment. */
export function startAt<S>(parameters: readonly Tensor<S>[]): Start<S> {
  const generator = { key: [0, 0] as const, drawn: 0 };
  return { parameters, state: [], environment: new Map(), generator, world: new Map() };
}

/** Builds a program where `y` is the square of two elements, and then two are written. */
export function programOf(r: number, s: number, w: number, t: number): Program {
  return {
    format: "adjudge.program.v1",
    state: [],
    environment: [],
    procedures: [
      {
        name: "main",
        parameters: [
          { name: "x", kind: "value", shape: [LOCATION] },
          { name: "v", kind: "value", shape: [2] },
        ],
        body: [
          { do: "buffer", name: "a", from: "x" },
          { do: "view", name: "read", of: "a", how: slice(r, 2, s) },
          { do: "let", name: "y", op: "multiply", attributes: {}, operands: ["read", "read"] },
          { do: "view", name: "written", of: "a", how: slice(w, 2, t) },
          { do: "write", to: "written", from: "v" },
        ],
        results: [{ name: "y", shape: [2] }],
      },
    ],
  };
}

/** States what holds of each policy's step. */
export const policyObligations: readonly Obligation[] = steps.map(policyObligation);
