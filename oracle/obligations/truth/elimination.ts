import type { Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import { bounding, faultsIn, known, roundingNothing, size, stepOf, type Tools, within } from "./operands.ts";
import { type Bench, type Step, stepObligation } from "./step.ts";

const inElimination = faultsIn("nodes/elimination");

/** Every entry has the greatest magnitude in its row and column, and what it is enlarged by is told. */
const largestIsBig = (tools: Tools): Names => ({
  enlarged: (_x: unknown, by: unknown) => ({ by }),
  forwardUlps: () => 0.5,
  largestBeside: () => tools.unknown("big"),
});

const square = (order: number): Names => ({
  shape: [order, order],
  data: Array.from({ length: order * order }, (_, place) => place),
});

/** Returns what the code enlarges an entry of a matrix of so many rows by. */
function enlargedBy(bench: Bench, order: number, underflow: unknown = 0): unknown {
  const { matricesNear } = bench.ideal.module("nodes/elimination");
  const standard = { ...roundingNothing, unitRoundoff: bench.unknown("u"), underflow };
  return got(called(matricesNear, standard, "solve", square(order)), "data", "0", "by");
}

/**
 * Elimination of a matrix of two rows with pivot `a`: `l` is the rounded c/a, at most 1 in size, and what is
 * left of `d` is rounded twice. What the factors' product is off by is within what the matrix is enlarged by.
 */
const twoRows = stepOf({
  id: "elimination/two_rows",
  statement:
    "The product of the factors that an engine computes of a matrix of two rows, with partial pivoting, differs from it by no more than the entries are enlarged by.",
  metaArgument:
    "Of two rows elimination is written out, and of three for the last entry. Greater matrices: Higham, Theorem 9.3, with |L| ≤ 1 and rows of U that double.",
  rlimit: 3_000_000,
  tier: "long",
  unknowns: {
    u: "positive",
    big: "size",
    a: "any",
    b: "any",
    c: "any",
    d: "any",
    l: "any",
    s: "any",
    p: "any",
    q: "any",
  },
  hypotheses: [
    { name: "format", formula: "(<= u 0.0625)" },
    {
      name: "entries",
      formula: `(and ${["a", "b", "c", "d"].map((x) => within(x, "big")).join(" ")} (not (= a 0.0)))`,
    },
    {
      name: "factor",
      formula: `(and ${within("l", "1.0")} ${within("(- (* l a) c)", `(* u ${size("c")})`)})`,
    },
    {
      name: "rest",
      formula: `(and ${within("p", `(* u ${size("(* l b)")})`)} ${within("q", `(* u ${size("(- d (+ (* l b) p))")})`)} (= s (+ (- d (+ (* l b) p)) q)))`,
    },
  ],
  instead: largestIsBig,
  claim: (bench) =>
    bounding(
      enlargedBy(bench, 2),
      (most) => `(and ${within("(- (* l a) c)", most)} ${within("(- (+ (* l b) s) d)", most)})`,
    ),
  faults: [
    inElimination(
      "no-growth",
      "entries do not grow.",
      "(2 ** order - 1) * (1 + 2 * order * standard.unitRoundoff) ** 2",
      "0.1 * (1 + 2 * order * standard.unitRoundoff) ** 2",
      { u: "0.0625", a: "1.0", b: "1.0", c: "(- 1.0)", d: "1.0", big: "1.0" },
    ),
    inElimination(
      "no-gamma",
      "an operation is rounded once for all.",
      "const roundings = 3 * order * standard.unitRoundoff",
      "const roundings = 0.25 * standard.unitRoundoff",
      { u: "0.0625", a: "1.0", b: "1.0", c: "(- 1.0)", d: "1.0", big: "1.0" },
    ),
  ],
});

/**
 * The last entry of a matrix of three rows: `P` and `Q` are the products of factors and entries of U that are
 * taken off `a`, one of the first row and one of the second, and each operation rounds.
 */
const threeRows = stepOf({
  id: "elimination/three_rows",
  statement:
    "The product of the factors that an engine computes of a matrix of three rows differs in its last entry, whose products and differences are rounded one by one, by no more than the entry is enlarged by.",
  metaArgument:
    "Factors are at most 1, so that a row of U is at most what two entries and their roundings make. Other entries are rounded less often.",
  rlimit: 3_000_000,
  tier: "long",
  unknowns: {
    u: "positive",
    big: "size",
    a: "any",
    P: "any",
    Q: "any",
    p: "any",
    q: "any",
    r: "any",
    w: "any",
  },
  hypotheses: [
    { name: "format", formula: "(<= u 0.0625)" },
    {
      name: "entries",
      formula: `(and ${within("a", "big")} ${within("P", "big")} ${within("Q", "(* (+ 2.0 u) (+ 1.0 u) big)")})`,
    },
    {
      name: "roundings",
      formula: `(and ${within("p", "(* u big)")} ${within("q", `(* u ${size("(- a P p)")})`)} ${within("r", `(* u ${size("Q")})`)} ${within("w", `(* u ${size("(- (+ (- a P p) q) Q r)")})`)})`,
    },
  ],
  instead: largestIsBig,
  claim: (bench) => bounding(enlargedBy(bench, 3), (most) => within("(+ (- q p r) w)", most)),
  faults: [
    inElimination(
      "no-growth",
      "entries do not grow.",
      "(2 ** order - 1) * (1 + 2 * order * standard.unitRoundoff) ** 2",
      "0.5",
      { u: "0.015625", big: "1.0", a: "1.0", P: "(- 1.0)", Q: "(- 2.0)", p: "(- 0.015625)" },
    ),
    inElimination(
      "one-rounding",
      "an operation is rounded once for all.",
      "const roundings = 3 * order * standard.unitRoundoff",
      "const roundings = 0.25 * standard.unitRoundoff",
      { u: "0.015625", big: "1.0", a: "1.0", P: "(- 1.0)", Q: "(- 2.0)", p: "(- 0.015625)" },
    ),
  ],
});

const GAMMA =
  "Higham, Theorems 9.3 and 9.4 [docs/truth.md]: no matrix is enlarged by more than they ask for.";

/** What elimination may lose, for matrices of two and three rows. */
const allowances = ([2, 3] as const).map((order): Step => {
  const [roundings, rows] = [`(* ${3 * order}.0 u)`, `${2 ** order - 1}.0`];
  const grown = `(+ 1.0 (* ${2 * order}.0 u))`;
  return stepOf({
    id: `tight/elimination/${order}_rows`,
    statement: `An entry of a matrix of ${order} rows is enlarged by γ of ${3 * order} times what rows that double make of the greatest entry beside it, and by what may underflow.`,
    metaArgument: GAMMA,
    rlimit: 500_000,
    unknowns: { u: "positive", eta: "any", big: "any" },
    hypotheses: [{ name: "format", formula: "(<= u 0.0625)" }],
    instead: largestIsBig,
    claim(bench) {
      const by = enlargedBy(bench, order, bench.unknown("eta"));
      const lost = `(* (+ ${2 * order}.0 (* ${2 ** order}.0 big)) eta)`;
      return known(
        by,
        (most) =>
          `(= (* (- ${most} ${lost}) (- 1.0 ${roundings})) (* ${roundings} ${rows} ${grown} ${grown} big))`,
      );
    },
    faults: [
      inElimination(
        "roundings",
        "a row more is rounded.",
        "3 * order * standard",
        "3 * (order + 1) * standard",
        { u: "0.015625", big: "1.0", eta: "0.0" },
      ),
      inElimination("growth", "a row more doubles.", "(2 ** order - 1) * (1", "(2 ** (order + 1) - 1) * (1", {
        u: "0.015625",
        big: "1.0",
        eta: "0.0",
      }),
      inElimination(
        "ulps",
        "an operator of no accuracy of its own counts twice.",
        "Math.max(1, 2 * forwardUlps",
        "Math.max(2, 2 * forwardUlps",
        { u: "0.015625", big: "1.0", eta: "0.0" },
      ),
      inElimination(
        "underflow",
        "underflows count twice.",
        "(2 * order + 2 ** order * largest)",
        "(4 * order + 2 ** order * largest)",
        { u: "0.015625", big: "1.0", eta: "1.0" },
      ),
    ],
  });
});

const beside = stepOf({
  id: "tight/elimination/beside",
  statement: "The greatest magnitude beside an entry is that in its row or its column, and no other's.",
  metaArgument: "An entry in the middle of the second of two matrices; others are found by the same places.",
  rlimit: 300_000,
  unknowns: Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, "size"])),
  hypotheses: [],
  claim(bench) {
    const { largestBeside } = bench.ideal.module("nodes/elimination");
    const of = (names: readonly string[]): Names => ({
      shape: [2, 2, 2],
      data: names.map((name) => ({ magnitude: name === "" ? 64 : bench.unknown(name) })),
    });
    const at = (names: readonly string[], place: number): unknown =>
      called(largestBeside, of(names), 2, place);
    const most = (...names: readonly string[]): string =>
      names.reduce((x, y) => `(ite (< ${x} ${y}) ${y} ${x})`);
    const first = at(["a", "b", "c", "d", "", "", "", ""], 1);
    const second = at(["", "", "", "", "a", "b", "c", "d"], 6);
    return `(and ${known(first, (found) => `(= ${found} ${most("a", "b", "d")})`)} ${known(second, (found) => `(= ${found} ${most("a", "c", "d")})`)})`;
  },
  faults: [
    inElimination(
      "row",
      "its row is that before.",
      "const row = position - column;",
      "const row = position;",
      { a: "1.0", b: "2.0", c: "8.0", d: "4.0" },
    ),
  ],
});

/** States that elimination keeps to what its matrices are enlarged by, and that they are by no more. */
export function eliminationObligations(): readonly Obligation[] {
  return [twoRows, threeRows, ...allowances, beside].map(stepObligation);
}
