import { symbolic } from "../../../reference/algebras/symbolic/index.ts";
import { rational, rationalFromNumber, type Tensor, tensor } from "../../../reference/index.ts";
import {
  type Policy,
  type PolicyOrNone,
  type SweepOutcome,
  sweepUnder,
} from "../../../reference/state/index.ts";
import { type Algebra, InvariantError, present } from "../../../spec/shapes/index.ts";
import { type Compared, comparedMutant, equationsOf, type Pair } from "../derivatives/index.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import { anywhere, type Place, writeStatement } from "../operators/index.ts";
import { modelInteger } from "../tape/index.ts";
import { LOCATION } from "./locations.ts";
import { programOf, startAt } from "./policies.ts";

/*
 * The executor of programs runs on unknowns under each policy, for all places at the beginning of a location
 * at which two elements are read and two are written afterwards.
 */

/** Two elements are read at `r` and `r + s`, and written at `w` and `w + t`. */
type Places = readonly [r: number, s: number, w: number, t: number];

/** The first elements of the location, which views take theirs from. */
const SPAN = 6;

const views = Array.from({ length: SPAN }, (_, from) =>
  Array.from({ length: SPAN - 1 - from }, (_step, stride) => [from, stride + 1] as const),
).flat();
const all: readonly Places[] = views.flatMap((read) => views.map((written): Places => [...read, ...written]));

const policies: readonly Policy[] = ["forbid", "copy", "version", "recompute"];

function swept<S, B>(
  by: PolicyOrNone,
  algebra: Algebra<S, B>,
  places: Places,
  scalar: (name: string) => S,
): SweepOutcome<S> {
  const named = (name: string, extent: number): Tensor<S> =>
    tensor([extent], (position) => scalar(`${name}.${position}`));
  const parameters = [named("x", LOCATION), named("v", 2)];
  const outcome = sweepUnder(
    by,
    algebra,
    programOf(...places),
    startAt(parameters),
    new Map([[0, named("c", 2)]]),
  );
  if (!outcome.ok) throw new InvariantError("the program runs");
  return outcome.value;
}

/** Pairs the location's cotangents with twice what was read, times the seed; nothing where it is refused. */
function comparedRuns(by: PolicyOrNone, chosen: readonly Places[]): Compared {
  return {
    pairs: (algebra, scalar) =>
      chosen.flatMap((places) => {
        const outcome = swept(by, algebra, places, scalar);
        if (outcome.kind === "refused") return [];
        const { data } = present(outcome.cotangents[0], "the cotangent of the location");
        const [r, s] = places;
        const { zero, add, multiply } = present(algebra.levels.semiring, "products");
        return data.map((got, position): Pair<typeof got> => {
          const element = [r, r + s].indexOf(position);
          if (element < 0) return [got, zero];
          const product = multiply(scalar(`c.${element}`), scalar(`x.${position}`));
          return [got, add(product, product)];
        });
      }),
  };
}

/** Leaves the seeds to the solver. */
const place: Place = (name) => {
  const [kind, position = "0"] = name.split(".");
  return kind === "c" ? undefined : Number(position) + (kind === "x" ? 2 : 11);
};

function runObligation(policy: Policy): Obligation {
  const algebra = symbolic();
  const { goals } = equationsOf(algebra, comparedRuns(policy, all).pairs(algebra, algebra.variable));
  const { declarations, goal } = writeStatement([], goals);
  // A read that one write meets is enough to show what ignoring it does.
  const overwritten: readonly Places[] = [[0, 1, 0, 2]];
  const blind = comparedMutant(
    { right: comparedRuns(policy, overwritten), wrong: comparedRuns("none", overwritten) },
    {
      name: "does-not-look",
      fault: "the tape hands its rules whatever the location holds by now",
      where: `${policy}, the first element being overwritten`,
      places: [place, anywhere],
      hypotheses: [],
    },
  );
  return {
    id: `programs/runs/${policy}`,
    statement: `The executor of programs under the policy ${policy} gives the cotangents of what was read, or refuses, wherever two elements of the first ${SPAN} of a location are read and two are then written, for all real numbers.`,
    clause: "SEMANTICS §10.5",
    logic: "QF_NRA",
    scope: { kind: "graph", graph: `${all.length} programs: two elements read, then two written` },
    tier: "everyday",
    declarations,
    hypotheses: [],
    goal,
    rlimit: 900_000,
    requiredCore: [],
    mutants: blind === undefined ? [] : [blind],
    dependsOn: [],
    metaArgument: "The terms are what the executor computes over symbols when it runs and sweeps back.",
  };
}

const names = ["r", "s", "w", "t"];
const read = ["r", "(+ r s)"];
const written = ["w", "(+ w t)"];
const overlap = `(or ${read.flatMap((one) => written.map((other) => `(= ${one} ${other})`)).join(" ")})`;
const within = `(and (<= 0 r) (< 0 s) (< (+ r s) ${SPAN}) (<= 0 w) (< 0 t) (< (+ w t) ${SPAN}))`;

function refuses(policy: Policy, places: Places): boolean {
  return swept(policy, rational, places, () => rationalFromNumber(1)).kind === "refused";
}

function overlaps([r, s, w, t]: Places): boolean {
  return [r, r + s].some((one) => [w, w + t].includes(one));
}

/** Wrong policies refuse these. */
const wrong: readonly (readonly [
  name: string,
  fault: string,
  test: string,
  of: (places: Places) => boolean,
])[] = [
  ["beginnings", "only the places where the views begin are compared", "(= r w)", ([r, , w]) => r === w],
  ["any-write", "every write to the location is refused", "true", () => true],
  [
    "between",
    "what lies between the first and the last element counts as read",
    "(and (<= r (+ w t)) (<= w (+ r s)))",
    ([r, s, w, t]) => r <= w + t && w <= r + s,
  ],
];

function refusalObligation(policy: "forbid" | "version"): Obligation {
  const cases = all
    .filter((places) => refuses(policy, places))
    .map((places) => `(and ${places.map((value, n) => `(= ${names[n]} ${value})`).join(" ")})`);
  const declared = names.map((name) => `(declare-const ${name} Int)`).join("\n");
  const defined = (test: string): string => `${declared}\n(define-fun refused () Bool ${test})`;
  return {
    id: `programs/refusals/${policy}`,
    statement: `The executor of programs under the policy ${policy} refuses a sweep exactly where an element that was read has been overwritten, wherever two elements of the first ${SPAN} of a location are read and two are then written.`,
    clause: "SEMANTICS §10.5",
    logic: "QF_LIA",
    scope: { kind: "graph", graph: `${all.length} programs: two elements read, then two written` },
    tier: "everyday",
    declarations: defined(`(or false ${cases.join("\n  ")})`),
    hypotheses: [{ name: "within", formula: within }],
    goal: `(= refused ${overlap})`,
    rlimit: 5_000_000,
    requiredCore: ["within"],
    mutants: [
      ...wrong.map(
        ([name, fault, test, of]): ObligationMutant => ({
          name,
          fault,
          declarations: defined(test),
          ask: names,
          execute: (model: Model) => {
            const [r = 0, s = 1, w = 0, t = 1] = names.map((one) => modelInteger(model, one));
            const places: Places = [r, s, w, t];
            const isRight = refuses(policy, places) === overlaps(places);
            return {
              showsFault: isRight && of(places) !== overlaps(places),
              told: `read at ${r} by ${s}, written at ${w} by ${t}: ${policy} ${refuses(policy, places) ? "refuses" : "answers"}; the wrong one ${of(places) ? "refuses" : "answers"}`,
            };
          },
        }),
      ),
      {
        name: "anywhere",
        fault: "places beyond those are asked about too, where the executor was not run",
        without: ["within"],
        instead: [{ name: "outside", formula: `(and (= r ${SPAN}) (= s 1) (= w ${SPAN}) (= t 1))` }],
        ask: names,
        execute: (model: Model) => {
          const [r = 0, , w = 0] = names.map((one) => modelInteger(model, one));
          const isOutside = r >= SPAN && w >= SPAN;
          return {
            showsFault: isOutside && refuses(policy, [0, 1, 0, 1]),
            told: `read at ${r}, written at ${w}`,
          };
        },
      },
    ],
    dependsOn: [],
    metaArgument: `The table of refusals has the executor's answers for all ${all.length} places.`,
  };
}

/** States what the executor of programs does under each policy, run on unknowns. */
export function policyRunObligations(): readonly Obligation[] {
  return [...policies.map(runObligation), ...(["forbid", "version"] as const).map(refusalObligation)];
}
