import type { Obligation } from "./obligation.ts";

/**
 * Each row leads from ids to those of smaller twins, which ask the same of the same code, and plant the same
 * faults: of scalars instead of vectors, along another axis, in fewer bits, on the other side of a product,
 * or of one of many drawn graphs or sums of a graph.
 */
const twins: readonly (readonly [pattern: RegExp, twin: string | ((id: string) => string)])[] = [
  [
    /^(?:derivatives|operators|lowering)\/.*\/scalar(?:_scalar)*$/,
    (id) => id.replace(/[a-z_]+$/, (shapes) => shapes.replaceAll("scalar", "2")),
  ],
  [/^(derivatives\/pow\/\w+)\/1_1$/, "$1/scalar_scalar"],
  [/^(lowering\/maps\/\w+)\/0\//, "$1/1/"],
  [/^(lowering\/maps\/slice\/\w+)_0\//, "$1_1/"],
  [/^(lowering\/maps\/permute_dims)\/(?:201|120)\//, "$1/021/"],
  // Every fifth drawn graph plants the same faults.
  [/^(graphs\/(?:polynomial|checkpointed))_(?:1[6-9]|[2-5]\d)$/, (id) => drawnTwin(id)],
  [/^(emitters\/.*)_8$/, "$1_4"],
  [/^(emitters\/wasm\/segments)\/(?:8x\d|3x4)$/, "$1/4x4"],
  [/^(emitters\/c)\/(?:exp|expm1|tan|sinh)$/, "$1/sin"],
  [/^(emitters\/c)\/(?:log1p|log2|sqrt|asinh)$/, "$1/log"],
  [/^(emitters\/c)\/(?:asin|acos|acosh|atanh|atan2)$/, "$1/atan"],
  [/^(emitters\/c)\/(?:reshape|permute_dims|slice|pad)$/, "$1/concat"],
  [/^(emitters\/c)\/(?:take_along_axis|gather)$/, "$1/take"],
  [/^(tape\/real_code)\/1000$/, "$1/60"],
  [
    /^(rewrites\/(?:buffer_reuse|in_place))\/(?:transposed|embedding|convolution|checkpointed_attention)$/,
    "$1/attention",
  ],
  [/^(rewrites\/units\/.*)\/float32$/, "$1/float10"],
  [/^(rewrites\/reversal)\/(?:even|wide|narrow)$/, "$1/uneven"],
  [/^(accumulators\/\w+\/\w+\/sum)_[1-9]\d*$/, "$1_0"],
  [/^(accumulators\/quire)_(?:posit64|bposit\d+)\/(.*)$/, "$1_posit32/$2"],
  [/^(numerics\/formats\/posit)16(_\d+_\d+)$/, "$18$2"],
  [/^(numerics\/quires\/\w+)\/posit16$/, "$1/posit8"],
  [/^(numerics\/codes\/encode_asym)16_24_8$/, "$18_20_8"],
  [/^(numerics\/posits\/decode)\/posit16\w+$/, "$1/posit8r3e1"],
  [/^(numerics\/steps)\/move_(?:12_19|15_16)$/, "$1/move_8_23"],
  [/^(storage\/domination\/power_of_two)_(?:12|16)$/, "$1_8"],
  [/^(storage\/(?:measured|bytes)\/a?sym)(?:8|16|24)$/, "$14"],
  [/^(tapes\/compressed)\/unary$/, "$1/multiply"],
  [/^(truth\/formulas\/cholesky)_lower$/, "$1_upper"],
  [/^(truth(?:\/tight)?\/growth)\/cos$/, "$1/sin"],
  [/^(truth\/tight\/growth)\/acos$/, "$1/asin"],
];

/** Graphs are drawn one after the other; of those that plant the same faults the fifteen first are asked. */
function drawnTwin(id: string): string {
  return id.replace(/\d+$/, (number) => String(11 + ((Number(number) - 1) % 5)));
}

/**
 * Puts into the long tier what has a twin in the everyday one that plants every fault that it plants itself.
 * Law: no fault that was planted every day stops being planted every day, but for those of hypotheses of one
 * bound (`tapes/compressed/unary`), of which its twin has fewer.
 */
export function tiered(obligations: readonly Obligation[]): readonly Obligation[] {
  const everyday = new Map(obligations.filter(({ tier }) => tier === "everyday").map((one) => [one.id, one]));
  return obligations.map((obligation) => {
    const twin = twinOf(obligation, everyday);
    return twin === undefined || obligation.tier === "long" ? obligation : { ...obligation, tier: "long" };
  });
}

/** Finds the twin of an obligation, which has no twin itself. */
function twinOf(obligation: Obligation, among: ReadonlyMap<string, Obligation>): Obligation | undefined {
  const id = twins.reduce((name, [pattern, twin]) => {
    if (!pattern.test(name)) return name;
    return typeof twin === "string" ? name.replace(pattern, twin) : twin(name);
  }, obligation.id);
  const twin = id === obligation.id ? undefined : among.get(id);
  return twin !== undefined && plantsAll(twin, obligation) ? twin : undefined;
}

function plantsAll(twin: Obligation, { id, mutants }: Obligation): boolean {
  // The most costly of all has hypotheses on slopes, which a product does not need.
  if (id === "tapes/compressed/unary") return true;
  const names = new Set(twin.mutants.map(({ name }) => name));
  return mutants.every(({ name }) => names.has(name));
}
