import type { Register } from "../../reference/numerics/index.ts";
import type { CoeffectJson, RepresentedRunJson, TargetTreeJson } from "../../spec/explained/index.ts";
import { positName } from "../../spec/wire/index.ts";
import { accumulatorOf, type StorageFormat, storageFormats, type Target } from "../representations/index.ts";
import type { NamedSum } from "../widths/index.ts";

/** What a target is asked about a gradient in a mode. */
export interface TargetQuestion {
  readonly register: Register;
  readonly sums: readonly NamedSum[];
  readonly memory: CoeffectJson;
  /** Each value has so many numbers for each element: its own, and those of its tangents. */
  readonly copies: number;
  /** The formats that were chosen for the run, if they were asked about, and the name of its result there. */
  readonly run?: { readonly told: RepresentedRunJson; readonly result: number };
}

/**
 * Says what a gradient needs of a target in a mode: where its accumulator lives and what a multiply-add costs
 * there, or what adds the terms where there is no such accumulator; and memory in bytes, with every value in
 * the format that the accumulator multiplies, or in the target's widest. Codes of a register of integers are
 * kept in the target's narrowest that hold them.
 */
export function onTarget(
  target: Target,
  { register, sums, memory, copies, run }: TargetQuestion,
): TargetTreeJson {
  const { quire } = target;
  const { codes } = register;
  const isQuire = codes.kind === "posit" && quire.kind !== "none";
  const own = codes.kind === "posit" ? storageFormats.get(positName(codes.format)) : undefined;
  const words = codes.kind === "posit" ? undefined : narrowestFor(codes.bits, target);
  const widest = target.formats.reduce((most, one) => (one.bits > most.bits ? one : most));
  const format = (isQuire ? own : words) ?? widest;
  const multiplied = words === undefined || codes.kind === "posit" ? format : { ...words, bits: codes.bits };
  const bytes = (elements: number): number => Math.ceil((elements * format.bits) / 8);
  const kinds = isQuire ? [] : [...Map.groupBy(sums, (sum) => adderOf(sum, multiplied))];
  const isRounded = kinds.some(([accumulator]) => accumulator === "float64");
  const terms = sums.reduce((most, sum) => Math.max(most, sum.terms), 0);
  return {
    target: target.name,
    format: format.name,
    bitsEach: format.bits,
    quire: isQuire
      ? placed(target, register)
      : { kind: "none", figures: codes.kind === "posit" ? quire.figures : [] },
    accumulators: kinds.map(([accumulator, some]) => ({ accumulator, sums: some.length })),
    roundings: isQuire ? 1 : isRounded ? Math.max(0, terms - 1) : 0,
    classes: memory.classes
      .filter(({ class: name }) => name !== "static")
      .map(({ class: name, elements }) => ({ class: name, bytes: bytes(copies * elements) })),
    bytesAtOnce: bytes(memory.peak.now),
    ...(run === undefined ? {} : keptOn(target, run)),
  };
}

/** Returns the narrowest integers of a target that hold codes of so many bits, with a sign. */
function narrowestFor(bits: number, { formats }: Target): StorageFormat | undefined {
  const holding = formats.filter(
    ({ name, bits: own, accumulator }) =>
      accumulator.kind === "integer" && own >= bits && !name.startsWith("asym"),
  );
  return holding.toSorted((a, b) => a.bits - b.bits)[0];
}

function placed({ quire, cacheLine }: Target, { bits, name }: Register): TargetTreeJson["quire"] {
  const { kind, cycles, figures } = quire;
  const bytes = Math.ceil(bits / 8);
  // A figure for one width says nothing of another.
  const isKnown = cycles !== undefined && (cycles.of === undefined || name === `quire:${cycles.of}`);
  return {
    kind,
    place: {
      where: "stack",
      bytes,
      ...(cacheLine === undefined ? {} : { cacheLines: Math.ceil(bytes / cacheLine.bytes) }),
    },
    ...(isKnown ? { multiplyAdd: { cycles: cycles.count, source: cycles.source } } : {}),
    figures,
  };
}

/** Names what adds the terms of a sum of products, or of numbers, that are kept in a format. */
function adderOf({ terms, greatest }: NamedSum, format: StorageFormat): string {
  return accumulatorOf(
    terms,
    greatest.map(() => format),
  );
}

function keptOn(
  target: Target,
  { told, result }: NonNullable<TargetQuestion["run"]>,
): Pick<TargetTreeJson, "digits" | "resultFormat"> {
  const assignment = told.assignments.find((one) => one.target === target.name);
  const kept = assignment?.results[result];
  const place = told.values.findIndex(({ name }) => name === kept?.name);
  const format = assignment?.formats[place];
  return {
    ...(kept?.digits === undefined ? {} : { digits: kept.digits }),
    ...(format === undefined ? {} : { resultFormat: format }),
  };
}
