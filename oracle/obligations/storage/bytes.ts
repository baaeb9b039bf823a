import { bytesOf, type StorageType, zeros } from "../../../reference/numerics/storage/index.ts";
import { integerIn } from "../accumulators/index.ts";
import type { Execution, Obligation, ObligationMutant } from "../obligation.ts";

/** Tensors that are run are at most this long, whatever a model says. */
const LONGEST = 1n << 16n;

function bytes(type: StorageType, count: bigint): number {
  return bytesOf(zeros(type, Number(count)));
}

/** Tells whether codes of a type and their scale take less room than float32, for this many elements. */
function saves(type: StorageType, count: bigint): boolean {
  return bytes(type, count) < bytes({ kind: "float32" }, count);
}

/** Tells whether they take more room. */
function costs(type: StorageType, count: bigint): boolean {
  return bytes(type, count) > bytes({ kind: "float32" }, count);
}

function counted(claim: (count: bigint) => boolean, least: bigint) {
  return (model: ReadonlyMap<string, string>): Execution => {
    const count = integerIn(model, "n");
    return {
      showsFault: count >= 1n && count < LONGEST && !claim(count) && claim(least),
      told: `a tensor of ${count} elements: ${claim(count)}; of ${least}: ${claim(least)}`,
    };
  };
}

function base(
  id: string,
): Pick<Obligation, "id" | "clause" | "logic" | "scope" | "tier" | "rlimit" | "dependsOn"> {
  return {
    id: `storage/bytes/${id}`,
    clause: "facts of es-ude/OnDeviceTraining",
    logic: "QF_LIA",
    scope: { kind: "all_graphs" },
    tier: "everyday",
    rlimit: 100_000,
    dependsOn: [],
  };
}

/** Writes the bytes of packed codes of `bits` bits and a scale of 4 bytes. */
function packed(bits: number): string {
  return `(+ 4 (div (+ (* ${bits} n) 7) 8))`;
}

const floats = "(* 4 n)";

/** Integer kernels compute with `sym_int32`; kept, it takes a scale more than the numbers themselves. */
const ofWords: Obligation = {
  ...base("sym_int32"),
  statement:
    "A tensor takes more bytes as codes in words of 32 bits than as float32 numbers, whatever its length.",
  declarations: "(declare-const n Int)",
  hypotheses: [],
  requiredCore: [],
  goal: `(> ${packed(32)} ${floats})`,
  mutants: [
    {
      name: "narrower",
      fault: "codes of 31 bits take more too.",
      goal: `(> ${packed(31)} ${floats})`,
      instead: [{ name: "length", formula: "(and (<= 1 n) (<= n 1000))" }],
      ask: ["n"],
      execute: counted((count) => costs({ kind: "sym", bits: 31 }, count), 1n),
    },
  ],
  metaArgument: "",
};

/** Finds the shortest tensor for which packed codes save room. */
function shortest(bits: number): number {
  let count = 1;
  while (Math.ceil((bits * count) / 8) + 4 >= 4 * count) count += 1;
  return count;
}

function ofPacked(bits: number): Obligation {
  const least = shortest(bits);
  const shorter: ObligationMutant = {
    name: "shorter",
    fault: `one of ${least - 1} elements does too.`,
    instead: [{ name: "length", formula: `(<= ${least - 1} n)` }],
    ask: ["n"],
    execute: counted((count) => saves({ kind: "sym", bits }, count), BigInt(least)),
  };
  return {
    ...base(`sym${bits}`),
    statement: `A tensor of ${least} elements or more takes fewer bytes as packed codes of ${bits} bits, with their scale, than as float32 numbers.`,
    declarations: "(declare-const n Int)",
    hypotheses: [{ name: "length", formula: `(<= ${least} n)` }],
    requiredCore: ["length"],
    goal: `(< ${packed(bits)} ${floats})`,
    mutants: [shorter],
    metaArgument: "",
  };
}

/** Small machines keep codes of these widths. */
const packedWidths = [4, 8, 12, 16, 24] as const;

/** States from how many elements on packed codes, of each width, take fewer bytes than float32. */
export function byteObligations(): readonly Obligation[] {
  return [ofWords, ...packedWidths.map(ofPacked)];
}
