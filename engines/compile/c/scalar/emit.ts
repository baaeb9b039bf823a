import type { Graph } from "../../../../spec/graph/index.ts";
import { allows, type Numbers, type Precision, type Regime } from "../../plan/index.ts";
import { type ScalarPlan, type ScalarTable, scalarPlanOf } from "../../plan/scalar/index.ts";
import { type EmitMode, type Emitted, files, hashOf, headsOf, uniqueNames } from "../files.ts";
import { literalText } from "../number.ts";
import { shortestRun, sweepsText, tables } from "./source.ts";

interface TableOptions {
  readonly precision: Precision;
  readonly regime: Regime;
  readonly mode: EmitMode;
  readonly name: string;
  readonly output: number;
}

/**
 * Writes a graph of scalars as one C11 file of tables and a loop for each kind of node, so that a compiler
 * takes no longer for many nodes than it takes to read them. Inputs come as one array, as does Δ; the
 * gradient is an array of as many numbers.
 */
export function emitTable(
  graph: Graph,
  table: ScalarTable,
  { precision, regime, mode, name, output }: TableOptions,
): Emitted {
  const plan = scalarPlanOf(table, { regime, output, shortestRun });
  const functions = allows(regime, "own_functions") ? "own" : "math.h";
  const backward = mode === "jvp" ? "tangent" : "reverse";
  const sweeps = ["forward", backward] as const;
  const { text } = sweepsText(plan, {
    precision,
    regime,
    functions,
    tracks: false,
    sweeps,
    storage: "static",
  });
  const type = precision === "float64" ? "double" : "float";
  const further = mode === "gradient" ? [] : [mode === "vjp" ? "cotangent" : "tangents"];
  const given = ["inputs", ...(graph.environment.length > 0 ? ["environment"] : []), ...further];
  const declaration = `void ${name}(${[...given.map((one) => `const ${type} *restrict ${one}`), `${type} *restrict workspace`].join(", ")})`;
  const { slots, inputs, staging } = plan;
  const constant = uniqueNames();
  const heads = headsOf(name, constant);
  const place = (result: string, at: number, count: number) => ({
    name: constant(`${name}_${result}`.toUpperCase()),
    place: at,
    shape: count === 1 ? "[]" : `[${count}]`,
  });
  const places = [
    place("value", plan.output, 1),
    mode === "jvp" ? place("tangent", slots + plan.output, 1) : place("gradient", slots, inputs),
  ];
  const sizes: Readonly<Record<string, string>> = {
    inputs: `shape [${inputs}]: the inputs of the graph in order`,
    environment: `shape [${graph.environment.length}]: the entries of the environment in order`,
    cotangent: "shape []",
    tangents: `shape [${inputs}]: a tangent for each input`,
  };
  const about = given.map((one) => `${one}: ${type}, ${sizes[one]}`);
  const workspace = 2 * slots + (mode === "jvp" ? 0 : staging.extra);
  const planned = tablesText(plan, mode, precision);
  const hashes = { graph: hashOf(graph), plan: hashOf([text, planned, plan.output]) };
  const body = `${planned}\n\n${declaration} {\n${mainText(plan, mode)}\n}`;
  const told = { heads, mode, precision, regime, about, workspace, places, declaration, hashes };
  return files(`${text}\n\n${body}`, told);
}

/** Writes the tables of a plan; an array without elements has one. */
function tablesText(plan: ScalarPlan, mode: EmitMode, precision: Precision): string {
  const { operands, staging, schedule, variantOf, literals, constants, unreached } = plan;
  const isBackward = mode !== "jvp";
  const { x, y, z, xBar, yBar, zBar, sums } = { ...operands, ...staging };
  // What is not staged goes to the operands.
  const handedOn = { x, y, z, ...(staging.extra > 0 && isBackward ? { xBar, yBar, zBar, sums } : {}) };
  const forwards = schedule.kind === "runs" ? { forwardRows: schedule.forward } : {};
  const backwards = schedule.kind === "runs" && isBackward ? { reverseRows: schedule.reverse } : {};
  const read = {
    ...{ ...forwards, ...backwards, ...(isBackward ? { unreached } : {}) },
    ...{ literalSlots: literals.slots, constantSlots: constants.slots, entries: constants.entries },
  };
  const real = (value: number): string =>
    literalText(precision === "float32" ? Math.fround(value) : value, precision);
  return [
    ...Object.entries(handedOn).map(([name, all]) => arrayText("int32_t", name, all, String)),
    ...Object.entries(read).flatMap(([name, all]) =>
      all.length === 0 ? [] : [arrayText("int32_t", name, all, String)],
    ),
    ...(schedule.kind === "runs" ? [] : [arrayText("uint8_t", "k", variantOf, String)]),
    ...(literals.values.length === 0 ? [] : [arrayText("T", "literals", literals.values, real)]),
  ].join("\n");
}

function arrayText(
  type: string,
  name: string,
  all: Int32Array | Uint8Array | Numbers,
  write: (value: number) => string,
): string {
  const lines: string[] = [];
  for (let from = 0; from < Math.max(1, all.length); from += 16)
    lines.push(`  ${Array.from(all.subarray(from, from + 16), write).join(", ") || "0"},`);
  return `static const ${type} table_${name}[] = {\n${lines.join("\n")}\n};`;
}

/** Writes the function: leaves, forwards, and backwards from the seed or along tangents. */
function mainText(plan: ScalarPlan, mode: EmitMode): string {
  const { inputs, slots, output, staging, schedule, literals, constants, unreached } = plan;
  const isStaged = staging.extra > 0 && mode !== "jvp";
  const given = tables.map((name) => {
    if (name === "sums") return isStaged ? "table_sums" : "table_x";
    return `table_${isStaged ? name : name.replace("Bar", "")}`;
  });
  const isRuns = schedule.kind === "runs";
  const sweep = (name: string, rows: string, count: number): string =>
    `  ${name}(${[...given, isRuns ? "0" : "table_k", "0", "v", "c", "d"].join(", ")}, ${isRuns ? `table_${rows}, ${count}` : `0, ${slots}`});`;
  const forwards = isRuns ? schedule.forward.length : 0;
  const over = (count: number, statement: string): readonly string[] =>
    count === 0 ? [] : [`  for (I i = 0; i < ${count}; i++) ${statement}`];
  const leaves = [
    ...[
      "  T *v = workspace;",
      mode === "jvp" ? `  T *c = 0, *d = v + ${slots};` : `  T *c = v + ${slots}, *d = 0;`,
    ],
    ...over(inputs, "v[i] = inputs[i];"),
    ...over(literals.slots.length, "v[table_literalSlots[i]] = table_literals[i];"),
    ...over(constants.slots.length, "v[table_constantSlots[i]] = environment[table_entries[i]];"),
    sweep("forward", "forwardRows", forwards),
  ];
  if (mode === "jvp") {
    const seeds = [...over(slots, "d[i] = 0;"), ...over(inputs, "d[i] = tangents[i];")];
    return [...leaves, ...seeds, sweep("tangent", "forwardRows", forwards)].join("\n");
  }
  return [
    ...leaves,
    ...over(slots + staging.extra, "c[i] = -(T)0;"),
    `  c[${output}] = ${mode === "vjp" ? "cotangent[0]" : "1"};`,
    sweep("reverse", "reverseRows", isRuns ? schedule.reverse.length : 0),
    ...over(unreached.length, "c[table_unreached[i]] = 0;"),
  ].join("\n");
}
