import { type Nest, segmentsOf, Tile } from "../../../engines/compile/wasm/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { readBoth, readingsOf } from "../readings.ts";
import { type Claim, small } from "./claim.ts";

/** A part of an axis: from an index on, so many of them. */
interface Stretch<N> {
  readonly from: N;
  readonly size: N;
}

/** Cuts an axis, and lists where each part begins. */
function stretchesOf(extent: number, copies: number, lanes: number): readonly Stretch<number>[] {
  const stretches: Stretch<number>[] = [];
  let from = 0;
  for (const segment of segmentsOf(extent, copies, lanes)) {
    const size = segment.trips * segment.copies * segment.lanes;
    stretches.push({ from, size });
    from += size;
  }
  return stretches;
}

/** Reads the parts of an axis of `t` blocks and a rest, for any `t`. */
function readStretches(rest: number, copies: number, lanes: number): readonly Stretch<string>[] {
  const readings = readingsOf(["t"], 1, 8);
  const block = copies * lanes;
  const [one, other] = readings.map(({ values }) =>
    stretchesOf((values.t ?? 0) * block + rest, copies, lanes),
  );
  if (one?.length !== other?.length || one === undefined) throw new InvariantError("as many parts");
  return one.map(({ from, size }, n) => {
    const second = present(other?.[n], "a part");
    return { from: readBoth(readings, [from, second.from]), size: readBoth(readings, [size, second.size]) };
  });
}

function countText(stretches: readonly Stretch<string>[]): string {
  const inside = stretches.map(
    ({ from, size }) => `(ite (and (<= ${from} x) (< x (+ ${from} ${size}))) 1 0)`,
  );
  return `(+ 0 ${inside.join(" ")})`;
}

function countOf(stretches: readonly Stretch<number>[], x: number): number {
  return stretches.filter(({ from, size }) => from <= x && x < from + size).length;
}

/** States that segments visit each index of an axis once, however long it is. */
function segmentClaim(copies: number, lanes: number): Claim {
  const block = copies * lanes;
  const rests = Array.from({ length: block }, (_, rest) => rest);
  const known = new Map(
    rests.flatMap((rest) => [
      [
        `0,${rest}`,
        stretchesOf(rest, copies, lanes).map(({ from, size }) => ({ from: `${from}`, size: `${size}` })),
      ],
      [`t,${rest}`, readStretches(rest, copies, lanes)],
    ]),
  );
  const goal = (change: (stretches: readonly Stretch<string>[]) => readonly Stretch<string>[]): string =>
    `(and ${rests
      .flatMap((rest) => [
        `(=> (and (= t 0) (= r ${rest})) (= ${countText(change(known.get(`0,${rest}`) ?? []))} 1))`,
        `(=> (and (< 0 t) (= r ${rest})) (= ${countText(change(known.get(`t,${rest}`) ?? []))} 1))`,
      ])
      .join(" ")})`;
  const run =
    (drop: (stretches: readonly Stretch<number>[]) => readonly Stretch<number>[]) =>
    ({ t = 0, r = 0, x = 0 }: Readonly<Record<string, number>>) => {
      const stretches = stretchesOf(t * block + r, copies, lanes);
      return { right: countOf(stretches, x), owed: 1, wrong: countOf(drop(stretches), x) };
    };
  return {
    name: `wasm/segments/${copies}x${lanes}`,
    statement: `Segments of ${copies} copies of ${lanes} lanes visit each index of an axis once, however many there are`,
    logic: "QF_LIA",
    symbols: ["t", "r", "x"],
    hypotheses: [
      { name: "axis", formula: `(and (<= 0 t) (<= 0 r ${block - 1}) (<= 0 x) (< x (+ (* ${block} t) r)))` },
    ],
    goal: goal((stretches) => stretches),
    mutants: [
      {
        name: "no-rest",
        fault: "the last part is left out",
        goal: goal((stretches) => stretches.slice(0, -1)),
        small: small(0, 3, ["t"]),
        run: run((stretches) => stretches.slice(0, -1)),
      },
      {
        name: "twice",
        fault: "the first part is visited again",
        goal: goal((stretches) => [...stretches, ...stretches.slice(0, 1)]),
        small: small(0, 3, ["t"]),
        run: run((stretches) => [...stretches, ...stretches.slice(0, 1)]),
      },
    ],
  };
}

const place = (strides: readonly number[]) => ({ base: 0, strides, lookups: [] });

/** Asks a tile for the distance from its first element to a copy's lane. */
function alongOf(
  lanes: number,
  { s = 0, v = 0, c = 0, d = 0 }: Readonly<Record<string, number>>,
  lane: number,
) {
  const nest: Nest = {
    extents: [64, 64],
    over: 0,
    combination: "store",
    expression: { kind: "literal", value: 0 },
    reads: [],
    target: place([s, v]),
  };
  const tile = new Tile(nest, { order: [0, 1], vector: 1, copies: [1, 1], isOrdered: false }, 4);
  tile.enter(0, { trips: 1, copies: 8, lanes: 1 });
  tile.enter(1, { trips: 1, copies: 8, lanes });
  return tile.along([s, v], [c, d], lane);
}

/** States that a copy's lane is the element of its own, and of no other copy and lane. */
function laneClaim(lanes: number, lane: number): Claim {
  const symbols = ["c", "d", "s", "v"];
  const readings = readingsOf(symbols, 2, 4);
  const found = readBoth(readings, [
    alongOf(lanes, readings[0].values, lane),
    alongOf(lanes, readings[1].values, lane),
  ]);
  const owed = `(+ (* s c) (* v (+ (* ${lanes} d) ${lane})))`;
  const goal = (distance: string): string =>
    `(and (= ${distance} ${owed}) (=> (and (= c e) (<= 0 f ${lanes - 1}) (not (and (= d g) (= f ${lane}))) (< 0 v)) (not (= ${distance} (+ (* s e) (* v (+ (* ${lanes} g) f)))))))`;
  return {
    name: `wasm/lanes/${lanes}_${lane}`,
    statement: `Lane ${lane} of ${lanes} of a copy is the element of its own, and of no other copy and lane, at all strides`,
    logic: "QF_NIA",
    symbols: [...symbols, "e", "f", "g"],
    goal: goal(found),
    mutants: [
      {
        name: "next-lane",
        fault: "it is the next lane",
        goal: goal(`(+ ${found} v)`),
        small: small(1, 5, [...symbols, "e", "f", "g"]),
        run: (numbers) => {
          const { s = 0, v = 0, c = 0, d = 0 } = numbers;
          const right = alongOf(lanes, numbers, lane);
          return { right, owed: s * c + v * (lanes * d + lane), wrong: right + v };
        },
      },
    ],
  };
}

/** Lists the claims about how an axis goes into copies and lanes. */
export function segmentClaims(): readonly Claim[] {
  return [
    ...[1, 2, 3, 4, 8].flatMap((copies) => [1, 2, 4].map((lanes) => segmentClaim(copies, lanes))),
    ...[1, 2, 4].flatMap((lanes) => Array.from({ length: lanes }, (_, lane) => laneClaim(lanes, lane))),
  ];
}
