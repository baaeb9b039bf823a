import {
  bytesOf,
  codeBits,
  formatStorageType,
  packedBytes,
  type StorageType,
  zeros,
} from "../../../reference/numerics/storage/index.ts";
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
      showsFault: count >= 0n && count < LONGEST && !claim(count) && claim(least),
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

/** Counts the bytes that a group has beside its codes, as the codec does: a scale, and what a type adds. */
function besideOf(type: StorageType, bits: number): number {
  return bytes(type, 1n) - packedBytes(1, bits);
}

/** Writes the bytes of packed codes of `bits` bits, and of what each group has beside them. */
function packed(type: StorageType, bits: number = codeBits(type)): string {
  const beside = String(besideOf(type, bits));
  const group = "groupSize" in type ? type.groupSize : undefined;
  const all = group === undefined ? beside : `(* ${beside} (div (+ n ${group - 1}) ${group}))`;
  return `(+ ${all} (div (+ (* ${bits} n) 7) 8))`;
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
  goal: `(> ${packed({ kind: "sym_int32", bits: 12 }, 32)} ${floats})`,
  mutants: [
    {
      name: "narrower",
      fault: "codes of 31 bits take more too.",
      goal: `(> ${packed({ kind: "sym", bits: 31 })} ${floats})`,
      instead: [{ name: "length", formula: "(and (<= 1 n) (<= n 1000))" }],
      ask: ["n"],
      execute: counted((count) => costs({ kind: "sym", bits: 31 }, count), 1n),
    },
  ],
  metaArgument: "",
};

/** Finds the shortest tensor for which packed codes save room. */
function shortest(type: StorageType): number {
  let count = 1;
  while (!saves(type, BigInt(count))) count += 1;
  return count;
}

function ofPacked(type: StorageType): Obligation {
  const least = shortest(type);
  const name = formatStorageType(type);
  const shorter: ObligationMutant = {
    name: "shorter",
    fault: `one of ${least - 1} elements does too.`,
    instead: [{ name: "length", formula: `(<= ${least - 1} n)` }],
    ask: ["n"],
    execute: counted((count) => saves(type, count), BigInt(least)),
  };
  return {
    ...base(name.replace("/", "_")),
    statement: `A tensor of ${least} elements or more takes fewer bytes as ${name}, with its scales, than as float32 numbers.`,
    declarations: "(declare-const n Int)",
    hypotheses: [{ name: "length", formula: `(<= ${least} n)` }],
    requiredCore: ["length"],
    goal: `(< ${packed(type)} ${floats})`,
    mutants: [shorter],
    metaArgument: "",
  };
}

/** Tensors of fewer elements than this are measured: whole bytes and whole groups come round in between. */
const MEASURED = 66;

/** Computes what {@link packed} writes; `isWhole` rounds codes up to bytes, as is right. */
function packedLength(type: StorageType, count: number, isWhole: boolean, hasBeside: boolean): number {
  const bits = codeBits(type) * count;
  const group = "groupSize" in type ? type.groupSize : undefined;
  const groups = group === undefined ? 1 : Math.ceil(count / group);
  const beside = hasBeside ? besideOf(type, codeBits(type)) * groups : 0;
  return beside + (isWhole ? Math.ceil(bits / 8) : Math.floor(bits / 8));
}

/** States that the codec's tensors have as many bytes as the formula says, one length after the other. */
function ofMeasured(type: StorageType): Obligation {
  const name = formatStorageType(type);
  const bits = codeBits(type);
  const lengths = Array.from({ length: MEASURED - 1 }, (_, before) => before + 1);
  const table = lengths.reduceRight(
    (rest, length) => `(ite (= n ${length}) ${bytes(type, BigInt(length))} ${rest})`,
    "0",
  );
  const measured = `(declare-const n Int)\n(define-fun measured () Int ${table})`;
  const formula = packed(type);
  const equal = (text: string): string => `(=> (and (<= 1 n) (< n ${MEASURED})) (= measured ${text}))`;
  const wrong = (fault: string, text: string, of: (count: number) => number): ObligationMutant => ({
    name: fault === FORGETS ? "no-scale" : "rounds-down",
    fault,
    goal: equal(text),
    ask: ["n"],
    execute: (model) => {
      const count = Number(integerIn(model, "n"));
      const [got, right] = [bytes(type, BigInt(count)), packedLength(type, count, true, true)];
      return {
        showsFault: got === right && got !== of(count),
        told: `a tensor of ${count} elements has ${got} bytes; the wrong formula says ${of(count)}`,
      };
    },
  });
  const codes = `(div (+ (* ${bits} n) 7) 8)`;
  return {
    ...base(name),
    id: `storage/measured/${name.replace("/", "_")}`,
    statement: `A tensor kept as ${name} has as many bytes as its codes, packed, and the scales of its groups, for all lengths below ${MEASURED}.`,
    declarations: measured,
    hypotheses: [],
    requiredCore: [],
    goal: equal(formula),
    rlimit: 2_000_000,
    mutants: [
      wrong(FORGETS, codes, (count) => packedLength(type, count, true, false)),
      ...(bits % 8 === 0
        ? []
        : [
            wrong(
              "what is left of the last byte is dropped.",
              formula.replace(codes, `(div (* ${bits} n) 8)`),
              (count) => packedLength(type, count, false, true),
            ),
          ]),
    ],
    metaArgument: "The table has the bytes of tensors that the codec makes.",
  };
}

const FORGETS = "the scales take no room.";

/** Small machines keep codes in these. */
const packedTypes: readonly StorageType[] = [
  ...[4, 8, 12, 16, 24].map((bits): StorageType => ({ kind: "sym", bits })),
  ...[4, 8, 12, 16].map((bits): StorageType => ({ kind: "asym", bits })),
  { kind: "sym", bits: 8, groupSize: 16 },
  { kind: "asym", bits: 8, groupSize: 16 },
  { kind: "bfp", mantissaBits: 8, exponentBits: 8, groupSize: 16 },
];

/** States from how many elements on packed codes, of each type, take fewer bytes than float32. */
export function byteObligations(): readonly Obligation[] {
  return [ofWords, ...packedTypes.map(ofPacked), ...packedTypes.map(ofMeasured)];
}
