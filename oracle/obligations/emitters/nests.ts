import { laneAlong } from "../../../engines/compile/c/index.ts";
import * as javascript from "../../../engines/compile/javascript/index.ts";
import { type Nest, permuted, reversed, simplified, sliced } from "../../../engines/compile/wasm/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { readBoth, readingsOf } from "../readings.ts";
import { addressOf, addressText, type Claim, small, type WalkOf, withinText } from "./claim.ts";

type Values = Readonly<Record<string, number>>;

/** A nest of loops before or after a change: extents, and one walk. */
interface Walked<N> {
  readonly extents: readonly N[];
  readonly walk: WalkOf<N>;
}

/** A change of loop nests by one of the backends. */
interface Change {
  readonly name: string;
  readonly says: string;
  readonly symbols: readonly string[];
  readonly degree: number;
  /** The nest before and after, at values of the unknowns. */
  readonly before: (values: Values) => Walked<number>;
  readonly after: (values: Values) => Walked<number>;
  /** The element at these indices of the nest after the change … */
  readonly at: readonly string[];
  /** … is the one at these before it. */
  readonly was: readonly string[];
  /** The indices that the claim is about, and their extents. */
  readonly indices: readonly (readonly [index: string, extent: string])[];
  readonly fits?: string;
}

function wasmNest(extents: readonly number[], base: number, strides: readonly number[]): Nest {
  const place = { base, strides, lookups: [] };
  const expression = { kind: "read", read: 0 } as const;
  return { extents, over: 0, combination: "store", expression, reads: [place], target: place };
}

const ofWasm = ({ extents, target }: Nest): Walked<number> => ({ extents, walk: target });

function loopNest(extents: readonly number[], offset: number, strides: readonly number[]): javascript.Nest {
  const loops = extents.map((extent) => ({ extent, width: 1, isOrdered: false }));
  return { loops, places: [{ array: "A", position: { offset, strides }, lookups: [] }] };
}

const ofLoops = ({ loops, places: [place] }: javascript.Nest): Walked<number> => {
  const { offset, strides } = present(place, "a place").position;
  return { extents: loops.map(({ extent }) => extent), walk: { base: offset, strides } };
};

/** Two loops that step as they like from a base. */
const free = ({ m = 0, n = 0, b = 0, s = 0, t = 0 }: Values) => [[m, n], b, [s, t]] as const;
const freely = { symbols: ["s", "t", "m", "n", "b"], degree: 2 } as const;
const twoLoops = [
  ["i", "m"],
  ["j", "n"],
] as const;

/** One loop. */
const one = ({ m = 0, b = 0, s = 0 }: Values) => [[m], b, [s]] as const;

/** Two loops over what lies together in rows. */
const dense = ({ m = 0, n = 0, b = 0 }: Values) => [[m, n], b, [n, 1]] as const;
/** Loops over rows of which each is longer than what is visited of it. */
const rows = ({ m = 0, n = 0, b = 0, s = 0 }: Values) => [[m, 1, n], b, [s, 3, 1]] as const;

/** A loop that goes through blocks of copies; it is written over single rounds, or over blocks. */
function inBlocks({ k = 0, w = 0, b = 0, s = 0 }: Values, isTiled: boolean): javascript.Nest {
  const { loops, places } = loopNest([w * k], b, [s]);
  return { loops: loops.map((loop) => ({ ...loop, width: isTiled ? w : 1 })), places };
}

const changes: readonly Change[] = [
  {
    ...freely,
    name: "wasm/reversed",
    says: "A reversed axis is walked from its end",
    before: (values) => ofWasm(wasmNest(...free(values))),
    after: (values) => ofWasm(reversed(wasmNest(...free(values)), 1)),
    indices: twoLoops,
    at: ["i", "j"],
    was: ["i", "(- (- n 1) j)"],
  },
  {
    ...freely,
    name: "wasm/permuted",
    says: "A permuted nest visits the same elements by the same indices",
    before: (values) => ofWasm(wasmNest(...free(values))),
    after: (values) => ofWasm(permuted(wasmNest(...free(values)), [1, 0])),
    indices: twoLoops,
    at: ["j", "i"],
    was: ["i", "j"],
  },
  {
    name: "wasm/sliced",
    says: "A part of an axis begins where it should",
    symbols: ["f", "s", "n", "m", "b"],
    degree: 2,
    before: (values) => ofWasm(wasmNest(...one(values))),
    after: (values) => ofWasm(sliced(wasmNest(...one(values)), 0, values.f ?? 0, values.n ?? 0)),
    indices: [["i", "n"]],
    fits: "(and (<= 0 f) (<= (+ f n) m))",
    at: ["i"],
    was: ["(+ f i)"],
  },
  {
    name: "wasm/simplified",
    says: "Loops over what lies together are one",
    symbols: ["m", "n", "b"],
    degree: 2,
    before: (values) => ofWasm(wasmNest(...dense(values))),
    after: (values) => ofWasm(simplified(wasmNest(...dense(values)))),
    indices: twoLoops,
    at: ["(+ (* i n) j)"],
    was: ["i", "j"],
  },
  {
    name: "wasm/simplified_rows",
    says: "A loop of one round is dropped, and rows that lie apart stay apart",
    symbols: ["m", "n", "s", "b"],
    degree: 2,
    before: (values) => ofWasm(wasmNest(...rows(values))),
    after: (values) => ofWasm(simplified(wasmNest(...rows(values)))),
    indices: twoLoops,
    at: ["i", "j"],
    was: ["i", "0", "j"],
  },
  {
    ...freely,
    name: "javascript/reverse",
    says: "A loop that runs backwards begins at its end",
    before: (values) => ofLoops(loopNest(...free(values))),
    after: (values) => ofLoops(javascript.reverse(loopNest(...free(values)), 1)),
    indices: twoLoops,
    at: ["i", "j"],
    was: ["i", "(- (- n 1) j)"],
  },
  {
    name: "javascript/part",
    says: "A part of a loop begins where it should",
    symbols: ["f", "s", "n", "m", "b"],
    degree: 2,
    before: (values) => ofLoops(loopNest(...one(values))),
    after: (values) => ofLoops(javascript.part(loopNest(...one(values)), 0, values.f ?? 0, values.n ?? 0, 1)),
    indices: [["i", "n"]],
    fits: "(and (<= 0 f) (<= (+ f n) m))",
    at: ["i"],
    was: ["(+ f i)"],
  },
  {
    name: "javascript/simplify",
    says: "Loops over what lies together are one",
    symbols: ["m", "n", "b"],
    degree: 2,
    before: (values) => ofLoops(loopNest(...dense(values))),
    after: (values) => ofLoops(javascript.simplify(loopNest(...dense(values)))),
    indices: twoLoops,
    at: ["(+ (* i n) j)"],
    was: ["i", "j"],
  },
  {
    name: "javascript/simplify_rows",
    says: "A loop of one round is dropped, and rows that lie apart stay apart",
    symbols: ["m", "n", "s", "b"],
    degree: 2,
    before: (values) => ofLoops(loopNest(...rows(values))),
    after: (values) => ofLoops(javascript.simplify(loopNest(...rows(values)))),
    indices: twoLoops,
    at: ["i", "j"],
    was: ["i", "0", "j"],
  },
  {
    name: "c/lanes",
    says: "The copies of a loop are a last loop of lanes, side by side",
    symbols: ["s", "w", "k", "b"],
    degree: 2,
    before: (values) => ofLoops(inBlocks(values, false)),
    after: (values) => ofLoops(laneAlong(inBlocks(values, true), 0)),
    indices: [
      ["i", "k"],
      ["j", "w"],
    ],
    at: ["i", "j"],
    was: ["(+ (* w i) j)"],
  },
];

function readWalked({ symbols, degree }: Change, of: (values: Values) => Walked<number>): Walked<string> {
  const readings = readingsOf(symbols, degree);
  const [one, other] = readings.map(({ values }) => of(values));
  if (one === undefined || other === undefined) throw new InvariantError("two readings");
  const both = (first: number, second: number | undefined): string =>
    readBoth(readings, [first, present(second, "a number")]);
  return {
    extents: one.extents.map((extent, n) => both(extent, other.extents[n])),
    walk: {
      base: both(one.walk.base, other.walk.base),
      strides: one.walk.strides.map((stride, n) => both(stride, other.walk.strides[n])),
    },
  };
}

function changeClaim(change: Change): Claim {
  const { name, says, symbols, indices, at, was, fits } = change;
  const [before, after] = [readWalked(change, change.before), readWalked(change, change.after)];
  const goal = (found: Walked<string>): string =>
    `(and (= ${addressText(found.walk, at)} ${addressText(before.walk, was)}) ${at.map((one, n) => withinText(one, found.extents[n] ?? "0")).join(" ")} ${was.map((one, n) => withinText(one, before.extents[n] ?? "0")).join(" ")})`;
  const all = [...symbols, ...indices.map(([index]) => index)];
  return {
    name: `${name}`,
    statement: `${says}, at all extents, strides and places`,
    logic: "QF_NIA",
    symbols: all,
    hypotheses: [
      {
        name: "loops",
        formula: `(and ${indices.map(([index, extent]) => withinText(index, extent)).join(" ")})`,
      },
      ...(fits === undefined ? [] : [{ name: "fits", formula: fits }]),
    ],
    goal: goal(after),
    mutants: [
      {
        name: "one-further",
        fault: "it begins one element further",
        goal: goal({ ...after, walk: { ...after.walk, base: `(+ ${after.walk.base} 1)` } }),
        // Loops of one round are dropped, and rows that lie together are one loop.
        small: `(and ${small(2, 6, symbols)} ${symbols.includes("s") && symbols.includes("n") ? "(< n s)" : "true"})`,
        run: (values) => {
          const numbers = (terms: readonly string[]): readonly number[] =>
            terms.map((term) => termAt(term, values));
          const right = addressOf(change.after(values).walk, numbers(at));
          return { right, owed: addressOf(change.before(values).walk, numbers(was)), wrong: right + 1 };
        },
      },
    ],
  };
}

/** Computes one of the few terms that indices are. */
function termAt(term: string, { i = 0, j = 0, n = 0, f = 0, w = 0 }: Values): number {
  switch (term) {
    case "i":
      return i;
    case "j":
      return j;
    case "(+ (* w i) j)":
      return w * i + j;
    case "0":
      return 0;
    case "(+ f i)":
      return f + i;
    case "(- (- n 1) j)":
      return n - 1 - j;
    case "(+ (* i n) j)":
      return i * n + j;
    default:
      throw new InvariantError(`no index: ${term}`);
  }
}

/** Lists the claims about changes of loop nests. */
export function nestClaims(): readonly Claim[] {
  return changes.map(changeClaim);
}
