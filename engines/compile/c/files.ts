import { createHash } from "node:crypto";
import type { Precision, Regime } from "../plan/index.ts";
import { literalText } from "./number.ts";

/** What the function of a file computes besides the value. */
export type EmitMode = "gradient" | "vjp" | "jvp";

/** A function as a C11 file, and its header. */
export interface Emitted {
  readonly source: string;
  readonly header: string;
}

/** What the comment of a file and its header tell. */
export interface Told {
  /** The constants that the header begins with: its guard, and the size of the workspace. */
  readonly heads: { readonly guard: string; readonly size: string };
  readonly mode: EmitMode;
  readonly precision: Precision;
  readonly regime: Regime;
  /** A line for each array that is handed in. */
  readonly about: readonly string[];
  readonly workspace: number;
  /** Where results lie in the workspace, by the name of the header's constant. */
  readonly places: readonly { readonly name: string; readonly place: number; readonly shape: string }[];
  readonly declaration: string;
  readonly hashes: { readonly graph: string; readonly plan: string };
}

/** Names the constants that every header of a function has. */
export function headsOf(name: string, constant: (name: string) => string): Told["heads"] {
  return { guard: constant(`${name}_H`.toUpperCase()), size: constant(`${name}_WORKSPACE`.toUpperCase()) };
}

/** Puts a file and its header together. */
export function files(text: string, told: Told): Emitted {
  const { heads, mode, precision, regime, about, workspace, places, declaration, hashes } = told;
  const { guard, size } = heads;
  const type = precision === "float64" ? "double" : "float";
  const lines = [
    `The value and the ${mode} of a graph, in ${precision}, ${regime === "fast" ? "fast" : "bit-exact"}.`,
    "",
    ...about,
    `workspace: ${type}, ${size} = ${workspace} numbers; the results lie in it:`,
    ...places.map(
      ({ name: constantName, place, shape }) => `  workspace + ${constantName} = ${place}: shape ${shape}`,
    ),
    "",
    `graph sha256 ${hashes.graph}`,
    `plan  sha256 ${hashes.plan}`,
    "Written by adjudge. Nothing is allocated; arrays are row-major and do not overlap.",
  ];
  const comment = `/*\n${lines.map((line) => (line === "" ? " *" : ` * ${line}`)).join("\n")}\n */`;
  const header = [
    comment,
    `#ifndef ${guard}`,
    `#define ${guard}`,
    "#include <stdint.h>",
    "#ifdef __cplusplus",
    'extern "C" {',
    "#endif",
    `#define ${size} ${workspace}`,
    ...places.map(({ name: constantName, place }) => `#define ${constantName} ${place}`),
    `${declaration.replaceAll(" *restrict ", " *")};`,
    "#ifdef __cplusplus",
    "}",
    "#endif",
    "#endif",
  ].join("\n");
  return { source: `${comment}\n${text}\n`, header: `${header}\n` };
}

/** Numbers names that were there before. */
export function uniqueNames(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    let found = name;
    for (let n = 2; known.has(found); n++) found = `${name}_${n}`;
    known.add(found);
    return found;
  };
}

/** JSON has no −0, infinities and NaN, so that all numbers go in as they are written in C. */
export function hashOf(document: unknown): string {
  const text = JSON.stringify(document, (_, value: unknown) =>
    typeof value === "number" ? literalText(value, "float64") : value,
  );
  return createHash("sha256").update(text).digest("hex");
}
