import { pack, unpack } from "../../../reference/numerics/index.ts";
import { Callable, fieldOf, List, literalWord, type Machine, type Value } from "../execution/index.ts";
import { type Bits, type Law, plantedIn } from "./law.ts";
import { sized } from "./standard.ts";

const MODULE = "reference/numerics/storage/packing";
const modules: readonly string[] = [MODULE, "spec/shapes/result"];

const planted = plantedIn(MODULE);

/** So many codes of so many bits. */
interface Codes {
  readonly bits: number;
  readonly count: number;
  readonly isSigned: boolean;
}

const titleOf = ({ bits, count, isSigned }: Codes): string =>
  `${count}_${isSigned ? "signed" : "unsigned"}_${bits}`;

const bytesOf = ({ bits, count }: Codes): number => Math.ceil((count * bits) / 8);

function numbers(machine: Machine, count: number, of: (place?: number) => Value): List {
  return new List(Array.from({ length: count }, (_, place) => machine.operate("Number", of(place))));
}

/** Two's complement, or natural numbers: the least and the greatest that so many bits hold. */
function limitsOf({ bits, isSigned }: Codes): readonly [low: bigint, high: bigint] {
  const end = 1n << BigInt(isSigned ? bits - 1 : bits);
  return [isSigned ? -end : 0n, end - 1n];
}

/** Joins words to one, of which the first has the lowest bits. */
function joined(words: readonly Bits[], bits: number): string {
  const texts = words.map((word) => sized(word, bits)).toReversed();
  return texts.length === 1 ? texts.join("") : `(concat ${texts.join(" ")})`;
}

/** States where the bits of codes lie in bytes. */
function packing(codes: Codes): Law {
  const { bits, count, isSigned } = codes;
  const bytes = bytesOf(codes);
  const [low, high] = limitsOf(codes);
  const rest = 8 * bytes - bits * count;
  const zeros = rest === 0 ? "" : `${literalWord(0n, rest)} `;
  return {
    id: `codes/pack_${titleOf(codes)}`,
    statement: `${count} codes of ${bits} bits, ${isSigned ? "with signs" : "from 0 on"}, are packed one after the other, from the lowest bit of the first byte on, and what is left of the last byte is 0.`,
    clause: "docs/storage-profile.md",
    tier: bits > 8 ? "long" : "everyday",
    rlimit: 140_000,
    modules,
    variables: Array.from({ length: count }, (_, n) => ({
      name: `c${n}`,
      low,
      high,
    })),
    runs: [
      (machine, of) => {
        const packed = machine.call(MODULE, "pack", [numbers(machine, count, of), bits, isSigned]);
        const value = fieldOf(packed, "value");
        return value instanceof List && value.items.length === bytes ? value.items : [];
      },
    ],
    claim: (of, byte) => {
      const given = joined(
        Array.from({ length: count }, (_, n) => of(n)),
        bits,
      );
      const made = joined(
        Array.from({ length: bytes }, (_, n) => byte(n)),
        8,
      );
      return `(= ${made} ${rest === 0 ? given : `(concat ${zeros}${given})`})`;
    },
    real: (of) => {
      const made = pack(
        Array.from({ length: count }, (_, n) => Number(of(n))),
        bits,
        isSigned,
      );
      return made.ok ? [...made.value].map(BigInt) : [];
    },
    holds: (of, byte) => {
      const stream = (length: number, width: number, at: (place?: number) => bigint): bigint =>
        Array.from({ length }, (_, n) => BigInt.asUintN(width, at(n)) << BigInt(n * width)).reduce(
          (all, one) => all | one,
        );
      return stream(count, bits, of) === stream(bytes, 8, byte);
    },
    planted: [
      planted("highest-first", "the highest bit of a byte comes first.", "1 << (to & 7)", "128 >> (to & 7)"),
      planted(
        "byte",
        "a byte has 16 bits.",
        "bytes[to >>> 3] = (bytes[to >>> 3] ?? 0)",
        "bytes[to >>> 4] = (bytes[to >>> 4] ?? 0)",
      ),
    ],
    metaArgument: "Codes of other widths are packed bit by bit by the same code.",
  };
}

/** States that a code is refused where so many bits do not hold it, and nowhere else. */
function refusing(codes: Codes): Law {
  const { bits, count, isSigned } = codes;
  const [low, high] = limitsOf(codes);
  const holdsAll = (of: (place?: number) => bigint): boolean =>
    Array.from({ length: count }, (_, n) => of(n)).every((code) => low <= code && code <= high);
  return {
    id: `codes/refuse_${titleOf(codes)}`,
    statement: `Codes of ${bits} bits, ${isSigned ? "with signs" : "from 0 on"}, are packed if all of them are from ${low} to ${high}, and else refused.`,
    clause: "docs/storage-profile.md",
    tier: "everyday",
    rlimit: 140_000,
    modules,
    variables: Array.from({ length: count }, (_, n) => ({
      name: `c${n}`,
      low: -(2n << BigInt(bits)),
      high: 2n << BigInt(bits),
    })),
    instead: () => ({ misfit: new Callable(() => undefined) }),
    runs: [
      (machine, of) => [
        fieldOf(machine.call(MODULE, "pack", [numbers(machine, count, of), bits, isSigned]), "ok"),
      ],
    ],
    claim: (of, is) => {
      const within = Array.from({ length: count }, (_, n) => {
        const wide = bits + 4;
        const code = sized(of(n), wide);
        return `(bvsle ${literalWord(low, wide)} ${code}) (bvsle ${code} ${literalWord(high, wide)})`;
      });
      return `(= (= ${sized(is(), 2)} ${literalWord(1n, 2)}) (and ${within.join(" ")}))`;
    },
    real: (of) => [
      BigInt(
        pack(
          Array.from({ length: count }, (_, n) => Number(of(n))),
          bits,
          isSigned,
        ).ok,
      ),
    ],
    holds: (of, is) => (is() === 1n) === holdsAll(of),
    planted: [
      planted("greatest", "one code more is taken.", "2 ** (bits - 1) - 1]", "2 ** (bits - 1)]"),
      planted("natural", "one code from 0 on is missing.", "[0, 2 ** bits - 1]", "[0, 2 ** bits - 2]"),
      planted("least", "codes below the least are taken.", "code >= least && ", ""),
    ].filter(({ name }) => name !== (isSigned ? "natural" : "greatest")),
    metaArgument: "Codes of other widths have the same formula of limits.",
  };
}

/** States that codes are read back as they were packed, whatever the bytes are. */
function unpacking(codes: Codes): Law {
  const { bits, count, isSigned } = codes;
  const bytes = bytesOf(codes);
  return {
    id: `codes/unpack_${titleOf(codes)}`,
    statement: `Of any bytes, ${count} codes of ${bits} bits are read one after the other, from the lowest bit of the first byte on, ${isSigned ? "in two's complement" : "from 0 on"}.`,
    clause: "docs/storage-profile.md",
    tier: "everyday",
    rlimit: 140_000,
    modules,
    variables: Array.from({ length: bytes }, (_, n) => ({ name: `b${n}`, low: 0n, high: 255n })),
    runs: [
      (machine, of) => {
        const read = machine.call(MODULE, "unpack", [numbers(machine, bytes, of), count, bits, isSigned]);
        return read instanceof List && read.items.length === count ? read.items : [];
      },
    ],
    claim: (of, code) => {
      const stream = joined(
        Array.from({ length: bytes }, (_, n) => of(n)),
        8,
      );
      const wide = bits + 2;
      const extended = isSigned ? "sign_extend" : "zero_extend";
      const claims = Array.from({ length: count }, (_, n) => {
        const own = `((_ extract ${(n + 1) * bits - 1} ${n * bits}) ${stream})`;
        return `(= ${sized(code(n), wide)} ((_ ${extended} ${wide - bits}) ${own}))`;
      });
      return `(and true ${claims.join(" ")})`;
    },
    real: (of) =>
      unpack(
        Uint8Array.from({ length: bytes }, (_, n) => Number(of(n))),
        count,
        bits,
        isSigned,
      ).map(BigInt),
    holds: (of, code) => {
      const stream = Array.from({ length: bytes }, (_, n) => of(n) << BigInt(8 * n)).reduce((a, b) => a | b);
      return Array.from({ length: count }, (_, n) => n).every((n) => {
        const own = stream >> BigInt(n * bits);
        return code(n) === (isSigned ? BigInt.asIntN(bits, own) : BigInt.asUintN(bits, own));
      });
    },
    planted: [
      planted(
        "highest-first",
        "the highest bit of a byte comes first.",
        ">>> (from & 7)",
        ">>> (7 - (from & 7))",
      ),
      ...(isSigned
        ? [
            planted(
              "sign",
              "the least code is read as the number after the greatest.",
              "code >= 2 ** (bits - 1) ?",
              "code > 2 ** (bits - 1) ?",
            ),
          ]
        : []),
    ],
    metaArgument: "Codes of other widths are read bit by bit by the same code.",
  };
}

/** Lists what is proved of how codes lie in bytes. */
export function packingLaws(): readonly Law[] {
  const packed: readonly Codes[] = [
    { bits: 3, count: 3, isSigned: true },
    { bits: 5, count: 2, isSigned: false },
    { bits: 9, count: 1, isSigned: true },
  ];
  const refused: readonly Codes[] = [
    { bits: 3, count: 1, isSigned: true },
    { bits: 5, count: 1, isSigned: false },
  ];
  const read: readonly Codes[] = [
    { bits: 3, count: 5, isSigned: true },
    { bits: 12, count: 2, isSigned: true },
    { bits: 5, count: 3, isSigned: false },
    { bits: 16, count: 2, isSigned: true },
  ];
  return [...packed.map(packing), ...refused.map(refusing), ...read.map(unpacking)];
}
