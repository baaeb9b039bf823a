import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { type CaseProfile, caseAt, tensorProfile } from "../../oracle/generate/index.ts";
import { traceOf } from "../../reference/index.ts";
import { formatPosit, parsePosit, posit } from "../../reference/numerics/index.ts";
import { InvariantError, present } from "../../spec/shapes/index.ts";
import { boundedPosit, positFormatNamed, standardPosit, type TraceJson } from "../../spec/wire/index.ts";
import { leanFile, readTraceJson, roundedOperators } from "../index.ts";
import { textsOf } from "./random_traces.ts";
import type { Expectation } from "./tally.ts";

/** Small graphs of the operators whose roundings the kernel can follow. */
const profile: CaseProfile = {
  ...tensorProfile,
  name: "quire",
  operators: roundedOperators.filter((op) => op !== "scatter_add"),
  maximumDegree: 6,
};

const positFormats = [
  standardPosit(8),
  standardPosit(16),
  standardPosit(32),
  boundedPosit(16),
  boundedPosit(32),
  { width: 12, regimeBits: 3, exponentBits: 3 },
] as const;

/** One in some divides by what may be zero, and has no run to follow. */
const ATTEMPTS = 50;

/** Indices of repeated draws are this far apart, beyond the numbers of any campaign's traces. */
const STRIDE = 1_000_003;

/** The exportable run number `index` over posits of one of the formats with a quire, fixed by the seed. */
function positTrace(seed: number, index: number): TraceJson {
  const algebra = posit(present(positFormats[index % positFormats.length], "a format"), "quire");
  if (!algebra.ok) throw new InvariantError(algebra.error.message);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const drawn = caseAt(profile, seed, index + attempt * STRIDE);
    const trace = traceOf(drawn.graph, algebra.value, textsOf(drawn), index % 2 === 0 ? "dense" : "sparse");
    if (trace.ok && readTraceJson(trace.value).ok) return trace.value;
  }
  throw new InvariantError(`none of the runs ${index} of ${seed} over posits can be exported`);
}

function fileOf(trace: TraceJson, name: string): Expectation["file"] | undefined {
  const read = readTraceJson(trace);
  return read.ok ? { name, text: leanFile(read.value).text } : undefined;
}

/** Runs over posits, every one of which Lean has to accept. */
export function positRuns(seed: number, count: number): Expectation[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `run ${index} of seed ${seed} over posits`;
    const file = present(fileOf(positTrace(seed, index), name), "a file");
    return { file, isExpected: ({ kind }) => kind === "accepted" };
  });
}

/** Makes the same runs with one code replaced by its neighbour, whose rounding Lean must reject. */
export function wrongPositRuns(seed: number, count: number): Expectation[] {
  const found: Expectation[] = [];
  for (let index = 0; found.length < count; index++) {
    const random = new Random(xoroshiro128plus(seed * STRIDE + index));
    const wrong = neighbourTaken(positTrace(seed, index), random, `run ${index} of seed ${seed} over posits`);
    if (wrong !== undefined) found.push(wrong);
  }
  return found;
}

function neighbourTaken(trace: TraceJson, random: Random, name: string): Expectation | undefined {
  const named = present(positFormatNamed(trace.algebra.replace("(quire)", "")), "posits");
  if (!named.ok) throw new InvariantError(named.error.message);
  const format = named.value;
  const [part, noun] =
    random.nextInt(0, 1) === 0
      ? (["values", "rounding"] as const)
      : (["cotangents", "cotangent_rounding"] as const);
  const id = random.nextInt(0, trace[part].length - 1);
  const { shape, data } = present(trace[part][id], "a tensor");
  if (data.length === 0) return undefined;
  const place = random.nextInt(0, data.length - 1);
  const code = present(parsePosit(format, present(data[place], "a code")), "a code");
  const other = formatPosit(format, code + (random.nextInt(0, 1) === 0 ? 1n : -1n));
  const changed = { ...trace, [part]: trace[part].with(id, { shape, data: data.with(place, other) }) };
  const file = fileOf(
    changed,
    `${name}, element ${place} of the ${noun} of ${id}: ${data[place]} became ${other}`,
  );
  const isExpected: Expectation["isExpected"] = (verdict) =>
    verdict.kind === "rejected" && verdict.claim === `${noun}_${id}`;
  return file && { file, isExpected };
}
