import { claimsPrefix, formatLine } from "../run/admissible.ts";
import { type Claim, engineClaims, leanTheorem, tabledClaims, traceClaims } from "./claims.ts";
import type { EngineTrace, FlatProgram, FlatRun, FlatTrace, Numbers, TabledTrace } from "./flat.ts";
import { leanModule } from "./lean_module.ts";
import { leanInstruction, leanNaturals } from "./operator.ts";
import { leanNumbers } from "./scalars.ts";
import { librariesOf, type Subject } from "./subject.ts";
import { leanRow } from "./table.ts";

/** A file for Lean with the names of its theorems, each of which says that a part of the trace is right. */
export interface ExportedFile {
  readonly text: string;
  readonly claims: readonly string[];
}

/** Returns a list as a Lean term, an entry on a line. */
export function leanLines(entries: readonly string[], indent = "    "): string {
  return entries.length === 0 ? "[]" : `[\n${entries.map((entry) => `${indent}${entry}`).join(",\n")}]`;
}

/** The definition `program`. No name of the trace is in it: ids are all that a claim needs. */
export function leanProgram({ inputs, environment, nodes }: FlatProgram): string {
  const shapes = (list: readonly (readonly number[])[]): string => leanLines(list.map(leanNaturals));
  return `def program : Program where
  inputs := ${shapes(inputs)}
  environment := ${shapes(environment)}
  nodes := ${leanLines(nodes.map(leanInstruction))}
`;
}

/** The definitions `program` and `run`. */
function leanDefinitions({ scalars, program, run }: FlatTrace): string {
  const numbers = (list: readonly Numbers[]): string => leanLines(list.map(leanNumbers));
  return `${leanProgram(program)}
def run : Run ${scalars.type} where
  inputs := ${numbers(run.inputs)}
  environment := ${numbers(run.environment)}
  seed := program.seeded ${leanLines(seedsOf(run))}
  values := ${numbers(run.values)}
  cotangents := ${numbers(run.cotangents)}
`;
}

/** Returns the seeds that are not zero, each with its id. */
export function seedsOf({ seed }: Pick<FlatRun, "seed">): string[] {
  return seed.flatMap((numbers, id) =>
    numbers.every(({ numerator }) => numerator === 0n) ? [] : [`(${id}, ${leanNumbers(numbers)})`],
  );
}

/** Returns the definition `engine`. */
function leanEngine({ engine }: EngineTrace): string {
  const numbers = (list: readonly Numbers[]): string => leanLines(list.map(leanNumbers));
  return `def engine : Engine where
  arithmetic := ${engine.arithmetic.lean}
  values := ${numbers(engine.values)}
  cotangents := ${numbers(engine.cotangents)}
  valueBounds := ${numbers(engine.valueBounds)}
  cotangentBounds := ${numbers(engine.cotangentBounds)}
`;
}

/**
 * Returns the trace as a Lean file whose theorems are its claims: Lean takes it if and only if all are true.
 * Law: nothing of the trace but numbers and operators is in it. Cost: linear in the trace.
 */
export function leanFile(trace: FlatTrace | EngineTrace | TabledTrace): ExportedFile {
  const { type } = trace.scalars;
  const hasTable = "table" in trace;
  const subject = { kind: "run", carrier: type, hasEngine: "engine" in trace, hasTable } as const;
  if ("table" in trace) {
    const table = `def table : List (TableRow ${type}) := ${leanLines(trace.table.map(leanRow))}\n`;
    return fileOf(subject, [leanDefinitions(trace), table], tabledClaims(trace));
  }
  if (!("engine" in trace)) return fileOf(subject, [leanDefinitions(trace)], traceClaims(trace));
  const definitions = [leanDefinitions(trace), leanEngine(trace)];
  return fileOf(subject, definitions, [...traceClaims(trace), ...engineClaims(trace)]);
}

/** Returns a file of definitions and theorems about them, in the namespace that the checker expects. */
export function fileOf(
  subject: Subject,
  definitions: readonly string[],
  claims: readonly Claim[],
  comments: readonly string[] = [],
): ExportedFile {
  const names = claims.map(({ name }) => name);
  const head = [formatLine, `${claimsPrefix} ${names.join(" ")}`, ...comments].join("\n");
  return {
    text: `${head}\n${leanModule(librariesOf(subject), [...definitions, ...claims.map(leanTheorem)])}`,
    claims: names,
  };
}
