import { claimsPrefix, formatLine } from "../run/admissible.ts";
import { type Claim, engineClaims, leanTheorem, traceClaims } from "./claims.ts";
import type { FlatRun, FlatTrace, FloatTrace, Numbers } from "./flat.ts";
import { leanModule, librariesOf } from "./lean_module.ts";
import { leanInstruction, leanNaturals } from "./operator.ts";
import { leanNumber, leanNumbers } from "./scalars.ts";

/** A file for Lean, and what it claims: the name of each theorem that says whether a part of the trace is right. */
export interface ExportedFile {
  readonly text: string;
  readonly claims: readonly string[];
}

/** A list as a Lean term, an entry on a line. */
function leanLines(entries: readonly string[], indent = "    "): string {
  return entries.length === 0 ? "[]" : `[\n${entries.map((entry) => `${indent}${entry}`).join(",\n")}]`;
}

/** The definitions `program` and `run`. No name of the trace is in them: ids are all that a claim needs. */
function leanDefinitions({ scalars, program, run }: FlatTrace): string {
  const shapes = (list: readonly (readonly number[])[]): string => leanLines(list.map(leanNaturals));
  const numbers = (list: readonly Numbers[]): string => leanLines(list.map(leanNumbers));
  return `def program : Program where
  inputs := ${shapes(program.inputs)}
  environment := ${shapes(program.environment)}
  nodes := ${leanLines(program.nodes.map(leanInstruction))}

def run : Run ${scalars.type} where
  inputs := ${numbers(run.inputs)}
  environment := ${numbers(run.environment)}
  seed := program.seeded ${leanLines(seedsOf(run))}
  values := ${numbers(run.values)}
  cotangents := ${numbers(run.cotangents)}
`;
}

/** The seeds that are not zero, each with its id. */
function seedsOf({ seed }: FlatRun): string[] {
  return seed.flatMap((numbers, id) =>
    numbers.every(({ numerator }) => numerator === 0n) ? [] : [`(${id}, ${leanNumbers(numbers)})`],
  );
}

/** The definition `engine`. */
function leanEngine({ engine }: FloatTrace): string {
  const numbers = (list: readonly Numbers[]): string => leanLines(list.map(leanNumbers));
  return `def engine : Engine where
  unit := ${leanNumber(engine.unitRoundoff)}
  smallest := ${leanNumber(engine.smallest)}
  values := ${numbers(engine.values)}
  cotangents := ${numbers(engine.cotangents)}
  valueBounds := ${numbers(engine.valueBounds)}
  cotangentBounds := ${numbers(engine.cotangentBounds)}
`;
}

/**
 * The trace as a Lean file whose theorems are its claims: Lean takes it if and only if all are true. Law: nothing of the trace but
 * numbers and operators is in it. Cost: linear in the trace.
 */
export function leanFile(trace: FlatTrace | FloatTrace): ExportedFile {
  if (!("engine" in trace)) {
    return fileOf(trace, librariesOf(false), [leanDefinitions(trace)], traceClaims(trace));
  }
  return fileOf(
    trace,
    librariesOf(true),
    [leanDefinitions(trace), leanEngine(trace)],
    [...traceClaims(trace), ...engineClaims(trace)],
  );
}

/** A file of definitions and theorems about them, in the namespace that the checker expects. */
function fileOf(
  trace: FlatTrace,
  libraries: readonly string[],
  definitions: readonly string[],
  claims: readonly Claim[],
): ExportedFile {
  const names = claims.map(({ name }) => name);
  const isShifted = trace.names.some((name, id) => name !== String(id));
  const head = `${formatLine}
${claimsPrefix} ${names.join(" ")}${isShifted ? `\n-- ids: ${trace.names.join(" ")}` : ""}`;
  return {
    text: `${head}\n${leanModule(libraries, [...definitions, ...claims.map(leanTheorem)])}`,
    claims: names,
  };
}
