import { at, present } from "../../../spec/index.ts";
import {
  accumulate,
  type CodeRounding,
  convert,
  decode,
  encode,
  halfAway,
  pack,
  packedBytes,
  type StorageType,
  type Stored,
  stochastic,
  unpack,
  zeros,
} from "./index.ts";

/** The laws are asked of codecs, which may be wrong. */
export interface Codec {
  /** Returns nothing where it refuses. */
  readonly encodes: (
    type: StorageType,
    values: readonly number[],
    rounding: CodeRounding,
  ) => Stored | undefined;
  readonly encode: (type: StorageType, values: readonly number[], rounding: CodeRounding) => Stored;
  readonly decode: (stored: Stored) => number[];
  readonly convert: (stored: Stored, type: StorageType, rounding: CodeRounding) => Stored;
  readonly pack: (codes: readonly number[], bits: number, isSigned: boolean) => Uint8Array | undefined;
  readonly unpack: (bytes: Uint8Array, count: number, bits: number, isSigned: boolean) => number[];
  readonly zeros: (type: StorageType, count: number) => Stored;
  readonly accumulate: typeof accumulate;
}

/** The reference's own. */
export const codec: Codec = {
  encodes: (type, values, rounding) => {
    const encoded = encode(type, values, rounding);
    return encoded.ok ? encoded.value : undefined;
  },
  encode: (type, values, rounding) => {
    const encoded = encode(type, values, rounding);
    return present(encoded.ok ? encoded.value : undefined, "codes");
  },
  decode,
  convert: (stored, type, rounding) => {
    const converted = convert(stored, type, rounding);
    return present(converted.ok ? converted.value : undefined, "codes");
  },
  pack: (codes, bits, isSigned) => {
    const packed = pack(codes, bits, isSigned);
    return packed.ok ? packed.value : undefined;
  },
  unpack,
  zeros,
  accumulate,
};

/** Numbers of many sizes and signs, with ties and zeros among them. */
function* tensors(count: number): Generator<number[]> {
  const { draw } = stochasticDraws(7);
  for (let n = 0; n < count; n++) {
    const length = 1 + Math.floor(draw() * 12);
    const size = 2 ** Math.floor(draw() * 40 - 20);
    const shift = [0, 0.5, -0.5, 1][n % 4] ?? 0;
    yield Array.from({ length }, () =>
      draw() < 0.1 ? 0 : Math.fround((draw() - 0.5 + shift) * size * 2 ** Math.floor(-6 * draw())),
    );
  }
}

function stochasticDraws(seed: number): { readonly draw: () => number } {
  const rounding = stochastic(seed);
  return { draw: rounding.kind === "stochastic" ? rounding.draw : () => 0 };
}

/** Formats of every kind and of many widths. */
const types: readonly StorageType[] = [
  ...[2, 4, 6, 8, 12, 16, 24].map((bits): StorageType => ({ kind: "sym", bits })),
  ...[3, 8].map((bits): StorageType => ({ kind: "sym", bits, groupSize: 3 })),
  ...[2, 12, 16].map((bits): StorageType => ({ kind: "sym_int32", bits })),
  ...[1, 2, 4, 8, 16].map((bits): StorageType => ({ kind: "asym", bits })),
  { kind: "asym", bits: 8, groupSize: 3 },
  { kind: "bfp", mantissaBits: 4, exponentBits: 8 },
  { kind: "bfp", mantissaBits: 8, exponentBits: 8, groupSize: 4 },
];

/** The greatest float32. */
const GREATEST = (2 - 2 ** -23) * 2 ** 127;

const span = (values: readonly number[]): number => Math.max(0, ...values) - Math.min(0, ...values);

const same = (x: unknown, y: unknown): boolean => JSON.stringify(x) === JSON.stringify(y);

/** Laws by name: what breaks each, if anything does. */
export const laws: Readonly<Record<string, (codec: Codec) => unknown>> = {
  "gives the codes that are worked out by hand": ({ encode: kept }) =>
    byHand.find(([type, values, codes, grids]) => {
      const stored = kept(type, values, halfAway);
      return !same(stored.codes, codes) || !same(stored.grids, grids);
    }),
  "stays within half a step, and a whole one where it draws": (own) => {
    for (const type of types)
      for (const values of tensors(40))
        for (const [rounding, part] of [
          [halfAway, 0.5],
          [stochastic(3), 1],
        ] as const) {
          const stored = own.encode(type, values, rounding);
          const size = "groupSize" in type && type.groupSize ? type.groupSize : values.length;
          const wrong = own.decode(stored).findIndex((y, i) => {
            const { scale } = at(stored.grids, Math.floor(i / size));
            return !(Math.abs(y - at(values, i)) <= scale * (part + 2 ** (codeWidth(type) - 22)));
          });
          if (wrong >= 0) return { type, values, wrong };
        }
    return undefined;
  },
  "gives finite numbers for the greatest there are, a step away, or refuses where no scale spans them": (
    own,
  ) => {
    for (const type of types)
      for (const x of [GREATEST, Math.fround(3e38), Math.fround(3.4e38), 2 ** 127])
        for (const values of [
          [x, 0],
          [-x, 0],
          [x, x / 3, 0],
          [x, -x],
          [-x, x / 2],
        ])
          for (const rounding of [halfAway, stochastic(3)]) {
            const stored = own.encodes(type, values, rounding);
            const size = "groupSize" in type && type.groupSize ? type.groupSize : values.length;
            const isSpanned = type.kind !== "asym" || Math.fround(span(values.slice(0, size))) <= GREATEST;
            if ((stored === undefined) === isSpanned) return { type, values, isSpanned };
            if (stored?.grids.some(({ scale }) => !Number.isFinite(scale))) return { type, values, stored };
            const wrong = own.decode(stored ?? own.zeros(type, 0)).findIndex((y, i) => {
              const { scale } = at(stored?.grids ?? [], Math.floor(i / size));
              return !(Math.abs(y - at(values, i)) <= scale * (1 + 2 ** (codeWidth(type) - 22)));
            });
            if (wrong >= 0) return { type, values, wrong };
          }
    return undefined;
  },
  "keeps the integers of 32 bits, to both ends": (own) =>
    [-(2 ** 31), 2 ** 31 - 128, 2 ** 31, -(2 ** 31) - 256].find((x) => {
      const isHeld = x >= -(2 ** 31) && x < 2 ** 31;
      return !same(own.encodes({ kind: "int32" }, [x], halfAway)?.codes, isHeld ? [x] : undefined);
    }),
  "gives 0 for 0, and only zeros after what was kept is forgotten": (own) =>
    types.find((type) => {
      const nothing = own.decode(own.zeros(type, 5));
      const zero = own.decode(own.encode(type, [0, 1, -2], halfAway))[0];
      const all = own.decode(own.encode(type, [0, 0, 0], stochastic(1)));
      return !same([...nothing, zero, ...all], [0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }),
  "of sym is idempotent": (own) => {
    for (const type of types) {
      const isSymmetric = type.kind === "sym" || type.kind === "sym_int32";
      if (!isSymmetric || type.bits > 8) continue;
      for (const values of tensors(60)) {
        const once = own.encode(type, values, halfAway);
        const twice = own.encode(type, own.decode(once), halfAway);
        if (!same(once, twice)) return { type, values, once, twice };
      }
    }
    return undefined;
  },
  "packs from the lowest bit on, extends signs, and refuses what does not fit": (own) => {
    const bytes = own.pack([-3, 5, -32, 31], 6, true);
    if (bytes === undefined || !same([...bytes], [0x7d, 0x01, 0x7e])) return bytes ?? "none";
    if (own.pack([8], 4, true) !== undefined || own.pack([-1], 4, false) !== undefined) return "misfit";
    for (let bits = 1; bits <= 16; bits++)
      for (const isSigned of [true, false]) {
        const least = isSigned ? -(2 ** (bits - 1)) : 0;
        const codes = Array.from({ length: 13 }, (_, n) => least + ((n * 7919) % 2 ** bits));
        const packed = own.pack(codes, bits, isSigned);
        if (packed?.length !== packedBytes(13, bits)) return { bits, isSigned };
        if (!same(own.unpack(packed, 13, bits, isSigned), codes)) return { bits, isSigned };
      }
    return undefined;
  },
  "converts codes or values, and keeps a grid or makes one, as the table says": (own) => {
    const asym = own.encode({ kind: "asym", bits: 8 }, [-1, 1, 0.3], halfAway);
    const sym = own.encode({ kind: "sym", bits: 6 }, [-1, 1, 0.3], halfAway);
    const wide = own.convert(sym, { kind: "sym_int32", bits: 12 }, halfAway);
    const signed = own.convert(asym, { kind: "sym_int32", bits: 12 }, halfAway);
    const narrow = own.convert(sym, { kind: "sym", bits: 3 }, halfAway);
    const integers: Stored = { type: { kind: "int32" }, codes: [7, -2, 0], grids: [] };
    const coded = own.convert(integers, { kind: "sym", bits: 4 }, halfAway);
    const float = own.convert(
      { type: { kind: "float32" }, codes: [-1.5, 2.7], grids: [] },
      { kind: "int32" },
      halfAway,
    );
    const claims = {
      "sym to sym_int32 keeps its grid": same([wide.codes, wide.grids], [sym.codes, sym.grids]),
      "asym to sym_int32 keeps its values": same(own.decode(signed), own.decode(asym)),
      "of the same kind is a conversion": same(narrow, own.encode(narrow.type, own.decode(sym), halfAway)),
      "integers are codes": same(coded.codes, [7, -2, 0]) && same(coded.grids, [{ scale: 1, zero: 0 }]),
      "codes to integers": same(own.convert(asym, { kind: "int32" }, halfAway).codes, asym.codes),
      "drops what is behind the point": same(float.codes, [-1, 2]),
    };
    return Object.entries(claims).find(([, holds]) => !holds)?.[0];
  },
  "adds up within half a step a time; on a fixed grid small sums freeze, and great ones are refused": (
    own,
  ) => {
    const type: StorageType = { kind: "sym", bits: 8 };
    const increments = Array.from({ length: 20 }, (_, n) => [1, Math.fround(0.05 * (n % 3)), -0.25]);
    const exact = [0, 1, 2].map((i) => increments.reduce((sum, one) => sum + at(one, i), 0));
    for (const [mode, adds] of [
      ["dynamic", 20],
      ["float", 1],
    ] as const) {
      const sum = own.accumulate(own.zeros(type, 3), increments, mode, halfAway);
      if (!sum.ok) return mode;
      const scale = at(sum.value.grids, 0).scale;
      const isNear = own
        .decode(sum.value)
        .every((x, i) => Math.abs(x - at(exact, i)) <= (adds / 2 + 0.01) * scale);
      if (!isNear) return { mode, got: own.decode(sum.value), exact };
    }
    const frozen = own.accumulate(own.zeros(type, 1), Array(50).fill([0.4]), "fixed", halfAway);
    if (!frozen.ok || !same(own.decode(frozen.value), [0])) return "does not freeze";
    const great = own.accumulate(own.zeros(type, 1), [[100], [100]], "fixed", halfAway);
    return great.ok ? "does not refuse" : undefined;
  },
  "draws so that the mean is the number, and the same for a seed": (own) => {
    const type: StorageType = { kind: "sym", bits: 4 };
    const values = [7, 2.3, -1.6];
    if (!same(own.encode(type, values, stochastic(5)), own.encode(type, values, stochastic(5))))
      return "seed";
    const sums = [0, 0, 0];
    const rounding = stochastic(11);
    const times = 4000;
    for (let n = 0; n < times; n++)
      own.decode(own.encode(type, values, rounding)).forEach((x, i) => {
        sums[i] = at(sums, i) + x;
      });
    // A mean of n errs with a standard deviation of at most ½/√n. Four of these are allowed.
    const bound = 4 * (0.5 / Math.sqrt(times));
    return values.findIndex((x, i) => Math.abs(at(sums, i) / times - x) > bound) < 0 ? undefined : sums;
  },
};

function codeWidth(type: StorageType): number {
  if (type.kind === "bfp") return type.mantissaBits;
  return "bits" in type ? type.bits : 0;
}

const third = Math.fround(3 / 14);
const byHand: readonly (readonly [StorageType, readonly number[], readonly number[], readonly object[]])[] = [
  [{ kind: "sym", bits: 4 }, [1.5, -1, 0.5], [7, -5, 2], [{ scale: third, zero: 0 }]],
  [{ kind: "sym", bits: 4 }, [-4, 3.5, 1.5], [-7, 6, 3], [{ scale: Math.fround(4 / 7), zero: 0 }]],
  [{ kind: "sym", bits: 4 }, [7, 2.5, -2.5, 0.5], [7, 3, -3, 1], [{ scale: 1, zero: 0 }]],
  [
    { kind: "sym", bits: 4, groupSize: 2 },
    [7, 3, 0, 0, 3.5],
    [7, 3, 0, 0, 7],
    [
      { scale: 1, zero: 0 },
      { scale: 1, zero: 0 },
      { scale: 0.5, zero: 0 },
    ],
  ],
  [
    { kind: "asym", bits: 8 },
    [-1, 1, Math.fround(0.3)],
    [0, 254, 165],
    [{ scale: Math.fround(2 / 255), zero: 127 }],
  ],
  [{ kind: "asym", bits: 8 }, [5, 2.5, 10], [127, 64, 255], [{ scale: Math.fround(10 / 255), zero: 0 }]],
  [{ kind: "asym", bits: 4 }, [-15, -4], [0, 11], [{ scale: 1, zero: 15 }]],
  [{ kind: "asym", bits: 1 }, [0, 3], [0, 1], [{ scale: 3, zero: 0 }]],
  [{ kind: "bfp", mantissaBits: 4, exponentBits: 8 }, [7, 2.5], [7, 3], [{ scale: 1, zero: 0 }]],
  [{ kind: "bfp", mantissaBits: 4, exponentBits: 8 }, [8, 2.5], [4, 1], [{ scale: 2, zero: 0 }]],
  [{ kind: "bfp", mantissaBits: 4, exponentBits: 2 }, [100, 0.1], [7, 0], [{ scale: 4, zero: 0 }]],
];
