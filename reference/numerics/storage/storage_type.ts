import { fail, type Issue, ok, quote, type Result } from "../../../spec/shapes/index.ts";
import { codeLimits } from "./packing.ts";

/**
 * The type says how a tensor is kept on a small machine. A code c stands for (c − z) s, with a scale s and a
 * zero point z:
 * - `float32`: the numbers themselves. `int32`: integers, which are their own codes.
 * - `sym_int32`: codes in 32 bits each, one scale for all, from the greatest size: integer kernels use it.
 * - `sym`: the same in fewer bits, packed; a scale for each group of elements, in storage order.
 * - `asym`: codes from 0 on, packed; a scale and a zero point (0 elsewhere) for each group; 0 is a value.
 * - `bfp`: block floating point, packed; each group's scale is a power of two.
 *
 * Source: the conventions of es-ude/OnDeviceTraining, docs/conventions (arithmetic-sym.md, arithmetic-bfp.md,
 * tensor.md).
 */
export type StorageType =
  | { readonly kind: "float32" }
  | { readonly kind: "int32" }
  | { readonly kind: "sym_int32"; readonly bits: number }
  | { readonly kind: "sym"; readonly bits: number; readonly groupSize?: number }
  | { readonly kind: "asym"; readonly bits: number; readonly groupSize?: number }
  | {
      readonly kind: "bfp";
      readonly mantissaBits: number;
      readonly exponentBits: number;
      readonly groupSize?: number;
    };

/** A type whose codes have a scale. */
export type ScaledType = Exclude<StorageType, { readonly kind: "float32" | "int32" }>;

/** The widths that a field of a type may have, and why. */
const widths: Readonly<Record<string, readonly [least: number, most: number]>> = {
  sym_int32: [2, 31],
  sym: [2, 31],
  asym: [1, 16],
  bfp: [2, 24],
};

/** Returns the type, if there is such a one. Fails: `storage/width`, `storage/exponent`, `storage/group`. */
export function checkStorageType(type: StorageType): Result<StorageType, Issue[]> {
  const issues: Issue[] = [];
  const within = (code: string, pointer: string, value: number, [least, most]: readonly [number, number]) => {
    if (Number.isInteger(value) && value >= least && value <= most) return;
    const message = `${value} is not an integer from ${least} to ${most}.`;
    issues.push({ code, pointer, message, hint: `${type.kind} has ${least} to ${most} there` });
  };
  const limits = widths[type.kind];
  if ("bits" in type && limits !== undefined) within("storage/width", "/bits", type.bits, limits);
  if (type.kind === "bfp") {
    if (limits !== undefined) within("storage/width", "/mantissaBits", type.mantissaBits, limits);
    within("storage/exponent", "/exponentBits", type.exponentBits, [2, 8]);
  }
  if ("groupSize" in type && type.groupSize !== undefined)
    within("storage/group", "/groupSize", type.groupSize, [1, 2 ** 31 - 1]);
  return issues.length === 0 ? ok(type) : fail(issues);
}

/** Returns bits of a code. */
export function codeBits(type: StorageType): number {
  if (type.kind === "bfp") return type.mantissaBits;
  return type.kind === "float32" || type.kind === "int32" ? 32 : type.bits;
}

/** Returns the greatest code, which the greatest size gets. */
export function greatestOf(type: ScaledType): number {
  return codeLimits(codeBits(type), type.kind !== "asym")[1];
}

/** Returns the bias of a block's exponent as it is stored. */
export function exponentBias(exponentBits: number): number {
  return 2 ** (exponentBits - 1) - 1;
}

/** Counts the elements that share a grid, in storage order. */
export function groupSizeOf(type: StorageType, count: number): number {
  return ("groupSize" in type ? type.groupSize : undefined) ?? Math.max(count, 1);
}

/** Kernels compute with these. What outlives a sweep is kept in another type, unless asked for by name. */
export function isComputeType({ kind }: StorageType): boolean {
  return kind === "sym_int32";
}

/** Bits of codes where none are said. */
const USUAL_BITS = 12;

/** The names of types with codes: `sym8`, `asym8`, `bfp8e5`, `sym_int32:16`, `/` and a group's size. */
const CODED =
  /^(?:(sym|asym)(\d{1,3})|(bfp)(\d{1,3})e(\d{1,3})|(sym_int32)(?::(\d{1,3}))?)(?:\/(\d{1,10}))?$/;

/**
 * Returns the type that a text names: `float32`, `int32`, `sym_int32` or `sym_int32:16` (bits of a code),
 * `sym8`, `asym8`, `bfp8e5` (bits of mantissa and exponent), `sym8/16` (groups of 16). Fails: as
 * {@link checkStorageType}, `storage/type`.
 */
export function parseStorageType(text: string): Result<StorageType, Issue[]> {
  if (text === "float32" || text === "int32") return ok({ kind: text });
  const [, code, bits, block, mantissa, exponent, wide, words, size] = CODED.exec(text) ?? [];
  const group = size === undefined ? {} : { groupSize: Number(size) };
  if (code === "sym" || code === "asym")
    return checkStorageType({ kind: code, bits: Number(bits), ...group });
  if (block !== undefined)
    return checkStorageType({
      kind: "bfp",
      mantissaBits: Number(mantissa),
      exponentBits: Number(exponent),
      ...group,
    });
  if (size === undefined && wide !== undefined)
    return checkStorageType({ kind: "sym_int32", bits: Number(words ?? USUAL_BITS) });
  return fail([
    {
      code: "storage/type",
      pointer: "",
      message: `${quote(text)} is no type that tensors are kept in.`,
      hint: "there are float32, int32, sym_int32 (sym_int32:16 for codes of 16 bits), sym8, asym8 and bfp8e5, with other numbers too, and sym8/16, asym8/16 and bfp8e5/16 in groups",
    },
  ]);
}

/** Returns the text that {@link parseStorageType} reads as the type. */
export function formatStorageType(type: StorageType): string {
  const group = "groupSize" in type && type.groupSize !== undefined ? `/${type.groupSize}` : "";
  switch (type.kind) {
    case "float32":
    case "int32":
      return type.kind;
    case "sym_int32":
      return `${type.kind}:${type.bits}`;
    case "sym":
    case "asym":
      return `${type.kind}${type.bits}${group}`;
    case "bfp":
      return `bfp${type.mantissaBits}e${type.exponentBits}${group}`;
  }
}
