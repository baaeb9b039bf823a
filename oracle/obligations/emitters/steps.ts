import type { Access, Instruction } from "../../../engines/compile/plan/index.ts";
import { type Nest, type Place, stepsOf } from "../../../engines/compile/wasm/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { readBoth, readingsOf } from "../readings.ts";
import { addressOf, addressText, type Claim, small, type WalkOf, withinText } from "./claim.ts";

/** A value begins at `from`, the result at `to`, an index entry at `table`; an access has these numbers. */
const symbols = ["o", "s", "t", "w", "u", "z", "from", "to", "table"];
const EXTENTS = [2, 3] as const;

type Values = Readonly<Record<string, number>>;
type Kind = Exclude<Instruction["kind"], "routine">;

/** Makes an instruction of a kind that reads, or also writes, at an access of these numbers. */
function instructionOf(kind: Kind, values: Values, direction: 1 | -1): Instruction {
  const value = (name: string): number => present(values[name], "a number");
  const access: Access = {
    offset: value("o"),
    strides: [value("s"), value("t")],
    indirections: [{ index: 0, offset: value("w"), strides: [value("u"), 0], scale: value("z") }],
  };
  const place: Access = { ...access, indirections: [] };
  const body = {
    reads: [{ value: 0, ...access }],
    expression: { kind: "apply", function: "negative", operands: [{ kind: "read", read: 0 }] },
  } as const;
  const shape = [...EXTENTS];
  switch (kind) {
    case "map":
      return { kind, shape, ...body };
    case "fold":
      return { kind, operation: "add", shape: shape.slice(0, 1), over: shape.slice(1), ...body };
    case "assemble":
      return { kind, shape, isCovered: true, pieces: [{ shape, place, ...body }] };
    case "scatter":
      return { kind, shape, base: undefined, over: shape, place, ...body };
    case "scan":
      return { kind, shape, axis: 0, direction, ...body };
  }
}

function nestOf(kind: Kind, values: Values, bytes: number, direction: 1 | -1): Nest {
  const value = (name: string): number => present(values[name], "a number");
  const plan = { values: [value("from"), value("to")], indices: [value("table")], end: 0 };
  const nests = stepsOf(instructionOf(kind, values, direction), 1, plan, bytes).flatMap((step) =>
    step.kind === "nest" ? [step.nest] : [],
  );
  return present(nests[0], "a nest");
}

/** One walk of a nest, and the numbers of the access that it is of. */
interface Site {
  readonly name: "read" | "lookup" | "place";
  readonly of: (nest: Nest) => { readonly base: number; readonly strides: readonly number[] };
  readonly start: string;
  readonly offset: string;
  readonly strides: readonly [string, string];
  readonly bytes: (bytes: number) => number;
}

const read = (nest: Nest): Place => present(nest.reads[0], "a read");
const sites: readonly Site[] = [
  { name: "read", of: read, start: "from", offset: "o", strides: ["s", "t"], bytes: (bytes) => bytes },
  {
    name: "lookup",
    of: (nest) => present(read(nest).lookups[0], "a lookup"),
    start: "table",
    offset: "w",
    strides: ["u", "0"],
    bytes: () => 4,
  },
  {
    name: "place",
    of: ({ target }) => target,
    start: "to",
    offset: "o",
    strides: ["s", "t"],
    bytes: (bytes) => bytes,
  },
];

/** The loops of a scan go along its axis last, and from its end where it runs down. */
function indicesOf(kind: Kind, direction: 1 | -1): readonly [string, string] {
  if (kind !== "scan") return ["i", "j"];
  return [direction === 1 ? "j" : `(- ${EXTENTS[0] - 1} j)`, "i"];
}

const kinds: readonly (readonly [name: string, kind: Kind, direction: 1 | -1])[] = [
  ["map", "map", 1],
  ["fold", "fold", 1],
  ["assemble", "assemble", 1],
  ["scatter", "scatter", 1],
  ["scan_up", "scan", 1],
  ["scan_down", "scan", -1],
];

/**
 * States of each access of each kind of instruction, in both precisions, that the bytes at which its nest
 * reads or writes are those of the element that the access names, and of no other.
 */
export function stepClaims(): readonly Claim[] {
  return [4, 8].flatMap((bytes) =>
    kinds.flatMap(([name, kind, direction]) =>
      sites
        .filter((site) => site.name !== "place" || kind === "assemble" || kind === "scatter")
        .map((site) => stepClaim(`wasm/steps/${name}/${site.name}_${bytes}`, kind, direction, bytes, site)),
    ),
  );
}

function stepClaim(name: string, kind: Kind, direction: 1 | -1, bytes: number, site: Site): Claim {
  const readings = readingsOf(symbols, 1, 5);
  const walkAt = (values: Values): WalkOf<number> => site.of(nestOf(kind, values, bytes, direction));
  const [one, other] = readings.map(({ values }) => walkAt(values));
  if (one === undefined || other === undefined) throw new InvariantError("two readings");
  const walk: WalkOf<string> = {
    base: readBoth(readings, [one.base, other.base]),
    strides: one.strides.map((stride, n) => readBoth(readings, [stride, other.strides[n] ?? 0])),
  };
  const size = site.bytes(bytes);
  const [first, second] = indicesOf(kind, direction);
  const element = `(+ ${site.offset} (* ${site.strides[0]} ${first}) (* ${site.strides[1]} ${second}))`;
  const goal = (address: string): string =>
    `(and (= ${address} (+ ${site.start} (* ${size} ${element}))) (=> ${withinText(element, "n")} (and (<= ${site.start} ${address}) (<= (+ ${address} ${size}) (+ ${site.start} (* ${size} n))))))`;
  const mutant = (fault: string, wrongly: <N>(walk: WalkOf<N>, by: (x: N) => N, zero: N) => WalkOf<N>) => ({
    fault,
    goal: goal(
      addressText(
        wrongly(walk, (x) => `(+ ${x} ${size})`, "0"),
        ["i", "j"],
      ),
    ),
    small: small(1, 9, [...symbols, "n", "i", "j"]),
    run: (numbers: Values) => {
      const at = [numbers.i ?? 0, numbers.j ?? 0];
      const found = walkAt(numbers);
      const along = { i: numbers.i ?? 0, j: numbers.j ?? 0 };
      const [x, y] =
        kind !== "scan"
          ? [along.i, along.j]
          : [direction === 1 ? along.j : EXTENTS[0] - 1 - along.j, along.i];
      const number = (term: string): number => numbers[term] ?? Number(term);
      const owed =
        number(site.start) +
        size * (number(site.offset) + number(site.strides[0]) * x + number(site.strides[1]) * y);
      return {
        right: addressOf(found, at),
        owed,
        wrong: addressOf(
          wrongly(found, (z) => z + size, 0),
          at,
        ),
      };
    },
  });
  return {
    name,
    statement: `Where the WebAssembly of a ${kind} ${site.name === "place" ? "writes" : "reads"} (${site.name}) lie the ${size} bytes of the element that its access names`,
    logic: "QF_NIA",
    symbols: [...symbols, "n", "i", "j"],
    goal: goal(addressText(walk, ["i", "j"])),
    mutants: [
      {
        name: "next",
        ...mutant("it is one element further", (found, by) => ({ ...found, base: by(found.base) })),
      },
      {
        name: "no-base",
        ...mutant("it begins at address 0", (found, _, zero) => ({ ...found, base: zero })),
      },
      {
        name: "other-axis",
        ...mutant("each loop steps as the other one should", (found) => ({
          ...found,
          strides: found.strides.toReversed(),
        })),
      },
    ],
  };
}
