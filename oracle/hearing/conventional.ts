import type { OperatorName } from "../../spec/composites/index.ts";
import type { Conventions } from "../../spec/wire/index.ts";

/** A handshake may say this. */
export interface Declaration {
  readonly text: string;
  readonly conventions: Conventions;
}

const choosing: ReadonlySet<OperatorName | undefined> = new Set(["maximum", "minimum", "max", "min"]);
const maxima = ["nan", "number", "first", "second"] as const;
const relus = ["nan", "zero"] as const;
const zeros = ["sparse", "dense"] as const;

/**
 * Lists declarations of what IEEE 754 leaves open at an operator that differ from an engine's by one
 * convention.
 */
export function openDeclarations(conventions: Conventions, op: OperatorName | undefined): Declaration[] {
  const { maximumAtNaN, reluAtNaN } = conventions;
  const others: (readonly [string, Partial<Conventions>])[] = [
    ...(choosing.has(op) ? maxima : [])
      .filter((one) => one !== maximumAtNaN)
      .map((one) => [`maximumAtNaN: ${one}`, { maximumAtNaN: one }] as const),
    ...(op === "relu" ? relus : [])
      .filter((one) => one !== reluAtNaN)
      .map((one) => [`reluAtNaN: ${one}`, { reluAtNaN: one }] as const),
  ];
  return others.map(([text, changed]) => ({ text, conventions: { ...conventions, ...changed } }));
}

/** Lists declarations of what becomes of a cotangent of 0, other than an engine's. */
export function zeroDeclarations(conventions: Conventions): Declaration[] {
  return zeros
    .filter((one) => one !== conventions.zeroCotangents)
    .map((one) => ({ text: `zeroCotangents: ${one}`, conventions: { ...conventions, zeroCotangents: one } }));
}
