import { aligned, memoryPlan } from "../../../engines/compile/wasm/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { readBoth, readingsOf } from "../readings.ts";
import { type Claim, small } from "./claim.ts";

/** Every place is a multiple of a cache line, in bytes. */
const LINE = 64;

type Values = Readonly<Record<string, number>>;

/** States that a place is rounded up to a cache line, for all places. */
function alignedClaim(): Claim {
  const readings = readingsOf(["q"], 1, 9);
  const table = Array.from({ length: LINE }, (_, rest) =>
    readBoth(readings, [
      aligned(LINE * (readings[0].values.q ?? 0) + rest),
      aligned(LINE * (readings[1].values.q ?? 0) + rest),
    ]),
  );
  const goal = (change: (up: string) => string): string =>
    `(and ${table
      .map((up, rest) => {
        const place = `(+ (* ${LINE} q) ${rest})`;
        const to = change(up);
        return `(=> (= r ${rest}) (and (<= ${place} ${to}) (< ${to} (+ ${place} ${LINE})) (= 0 (mod ${to} ${LINE}))))`;
      })
      .join(" ")})`;
  return {
    name: "wasm/regions/aligned",
    statement: "A place is rounded up to the next cache line, or stays where it is on one",
    logic: "QF_LIA",
    symbols: ["q", "r"],
    goal: goal((up) => up),
    mutants: [
      {
        name: "down",
        fault: "it is rounded down",
        goal: goal((up) => `(- ${up} ${LINE})`),
        small: "(and (<= 0 q 9) (< 0 r 64))",
        run: ({ q = 0, r = 0 }) => {
          const right = aligned(LINE * q + r);
          return { right, owed: LINE * (q + 1), wrong: right - LINE };
        },
      },
    ],
  };
}

/** Sources of `a` and `b` lines of numbers and a few more, an index entry of `b`, and an arena of `c`. */
const sizes = ["a", "b", "c"];

interface Region<N> {
  readonly from: N;
  /** In bytes. */
  readonly size: N;
}

/** Plans memory for sources, indices and an arena whose sizes are so many lines and `more` numbers. */
function regionsOf(values: Values, more: number, bytes: 4 | 8): readonly Region<number>[] {
  const numbers = LINE / bytes;
  const [first = 0, second = 0, arena = 0] = sizes.map((name) => values[name] ?? 0);
  const [one, two] = [first * numbers + more, second * numbers + more];
  const [entries, length] = [second * (LINE / 4) + more, arena * numbers + more];
  const plan = memoryPlan(
    {
      sources: [one, two].map((extent) => ({ origin: { kind: "seed", id: 0 }, shape: [extent] })),
      indexSources: [{ name: "k", size: entries }],
      instructions: [{ kind: "map", shape: [length], reads: [], expression: { kind: "literal", value: 0 } }],
      results: [],
    },
    { places: [0], length },
    bytes === 8 ? "float64" : "float32",
    LINE,
  );
  const [x, y, made] = plan.values;
  return [
    { from: 0, size: LINE },
    { from: present(x, "a source"), size: one * bytes },
    { from: present(y, "a source"), size: two * bytes },
    { from: present(plan.indices[0], "an index source"), size: entries * 4 },
    { from: present(made, "the arena"), size: length * bytes },
    { from: plan.end, size: 0 },
  ];
}

/** States that what is placed in memory does not overlap, and begins on cache lines. */
function regionsClaim(bytes: 4 | 8, more: number): Claim {
  const readings = readingsOf(sizes, 1, 10);
  const [one, other] = readings.map(({ values }) => regionsOf(values, more, bytes));
  if (one === undefined || other === undefined) throw new InvariantError("two readings");
  const regions = one.map(({ from, size }, n): Region<string> => {
    const second = present(other[n], "a region");
    return { from: readBoth(readings, [from, second.from]), size: readBoth(readings, [size, second.size]) };
  });
  const apart = ({ from, size }: Region<string>, next: Region<string>): string =>
    `(or (<= (+ ${from} ${size}) ${next.from}) (<= (+ ${next.from} ${next.size}) ${from}))`;
  const goal = (given: readonly Region<string>[]): string =>
    `(and ${given
      .flatMap((region, n) => [
        `(= 0 (mod ${region.from} ${LINE}))`,
        ...given.slice(n + 1).map((next) => apart(region, next)),
        `(<= (+ ${region.from} ${region.size}) ${given.at(-1)?.from ?? "0"})`,
      ])
      .join(" ")})`;
  const shifted = regions.map((region, n) =>
    n === 2 ? { ...region, from: regions[1]?.from ?? "0" } : region,
  );
  return {
    name: `wasm/regions/${more}_more_of_${bytes}`,
    statement: `Table, sources, index entries and arena (numbers of ${bytes} bytes, ${more} more than full cache lines) do not overlap in memory, begin on cache lines, and end before its end`,
    logic: "QF_LIA",
    symbols: sizes,
    hypotheses: [{ name: "sizes", formula: `(and ${sizes.map((name) => `(<= 0 ${name})`).join(" ")})` }],
    goal: goal(regions),
    mutants: [
      {
        name: "overlaps",
        fault: "the second source lies where the first one does",
        goal: goal(shifted),
        small: small(1, 9, sizes),
        run: (values) => {
          const [, first, second] = regionsOf(values, more, bytes);
          if (first === undefined || second === undefined) throw new InvariantError("two sources");
          const meets = (from: number): number =>
            Number(from < first.from + first.size && first.from < from + second.size);
          return { right: meets(second.from), owed: 0, wrong: meets(first.from) };
        },
      },
    ],
  };
}

/** Lists the claims about the memory of a module. */
export function regionClaims(): readonly Claim[] {
  return [
    alignedClaim(),
    ...([4, 8] as const).flatMap((bytes) =>
      [0, 1, LINE / bytes - 1].map((more) => regionsClaim(bytes, more)),
    ),
  ];
}
