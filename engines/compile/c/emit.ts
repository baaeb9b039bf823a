import { shapesOf } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { binaryNames, unaryNames } from "../../../spec/operators/index.ts";
import {
  at,
  fail,
  formatShape,
  type Issue,
  nodeId,
  ok,
  present,
  type Result,
  sizeOf,
} from "../../../spec/shapes/index.ts";
import {
  allows,
  lower,
  type Order,
  type Planned,
  type Precision,
  plan,
  planWithin,
  type Regime,
  type Source,
  shapeOfValue,
  writtenOut,
} from "../plan/index.ts";
import { tableOf } from "../plan/scalar/index.ts";
import { type EmitMode, type Emitted, files, hashOf, headsOf, uniqueNames } from "./files.ts";
import { emitTable } from "./scalar/index.ts";
import { sourceText } from "./source.ts";

/** A graph is written as C with these options. */
export interface EmitOptions {
  /** By default the gradient, of an output of one number. */
  readonly mode?: EmitMode;
  readonly dtype?: Precision;
  readonly regime?: Regime;
  /** The id whose value and derivative are computed; the last one by default. */
  readonly output?: number;
  /** The function's name, and the prefix of the header's constants; `gradient` by default, or the mode. */
  readonly name?: string;
  /** Bytes that values may take at a time. */
  readonly memory?: number;
}

/** Names of a file of tables that a file of loops has not. */
const tableNames =
  /^(forward|reverse|tangent|table)(_|$)|^(add|inputs|environment|cotangent|tangents|INDEPENDENT)$/;

/** A graph of so many scalars or more is written as tables, and a loop for each kind of node. */
const MANY = 1000;

/**
 * Writes the value and a derivative of a well-formed graph as one C11 file without dependencies: no
 * allocation, no recursion, its own elementary functions; in the bit-exact regime those of `<math.h>`. The
 * caller hands in the workspace, and finds the results in it, at the places that the header names. A graph of
 * 1000 scalars or more takes all inputs as one array.
 * Fails: `emit/function-name`, `emit/output`, `emit/output-shape`, `plan/budget`.
 */
export function emitC(graph: Graph, options: EmitOptions = {}): Result<Emitted, Issue> {
  const { mode = "gradient", dtype: precision = "float64", regime = "fast", memory, name = mode } = options;
  if (!/^[A-Za-z]\w{0,62}$/.test(name) || isTaken(name)) return fail(badName(name));
  const last = graph.inputs.length + graph.nodes.length - 1;
  const asked = options.output ?? last;
  if (!Number.isInteger(asked) || asked < 0 || asked > last) return fail(noOutput(asked, last));
  const table = memory === undefined && graph.nodes.length >= MANY ? tableOf(graph) : undefined;
  if (table !== undefined && tableNames.test(name)) return fail(badName(name));
  if (table !== undefined)
    return ok(emitTable(graph, table, { precision, regime, mode, name, output: asked }));
  const { graph: lowered, output } = writtenOut(graph, regime, asked);
  const shape = present(shapesOf(lowered)[output], "shape of the output");
  if (mode === "gradient" && sizeOf(shape) !== 1) return fail(severalNumbers(asked, formatShape(shape)));
  const ids = lowered.inputs.map((_, position) => nodeId(position));
  const seeds = [{ id: output, from: mode === "gradient" ? ("ones" as const) : ("source" as const) }];
  const program = lower(
    lowered,
    mode === "jvp"
      ? { values: [output], tangents: { ids: [output], count: 1 } }
      : { values: [output], cotangents: { ids, seeds } },
    regime,
  );
  const planned =
    memory === undefined
      ? ok(plan(program, { precision, regime }))
      : planWithin(program, { precision, regime, budgetBytes: memory });
  if (!planned.ok) return planned;
  const inputs = lowered.inputs.map((input, n) => identifier(input.name, `x${n}`));
  return ok(written(graph, planned.value, { precision, regime, mode, name, inputs }));
}

interface Writing {
  readonly precision: Precision;
  readonly regime: Regime;
  readonly mode: EmitMode;
  readonly name: string;
  readonly inputs: readonly string[];
}

function written(
  graph: Graph,
  planned: Planned,
  { precision, regime, mode, name, inputs }: Writing,
): Emitted {
  const order: Order = { program: planned.program, layout: planned.layout, precision, regime };
  const { program, layout } = planned;
  const unique = uniqueNames();
  const sources = program.sources.map(({ origin }) => unique(sourceLabel(origin, inputs)));
  const indices = program.indexSources.map((source, n) => unique(identifier(source.name, `index${n}`)));
  const functions = allows(regime, "own_functions") ? "own" : "math.h";
  const { text, declaration, workspace } = sourceText(order, {
    name,
    functions,
    parameters: { sources, indices },
  });
  const results = ["value", ...(mode === "jvp" ? ["tangent"] : inputs)];
  const constant = uniqueNames();
  const heads = headsOf(name, constant);
  const places = program.results.map((value, n) => ({
    name: constant(`${name}_${at(results, n)}`.toUpperCase()),
    place: at(layout.places, value - program.sources.length),
    shape: formatShape(shapeOfValue(program, value)),
  }));
  const type = precision === "float64" ? "double" : "float";
  const about = [
    ...program.sources.map(({ shape }, n) => `${at(sources, n)}: ${type}, shape ${formatShape(shape)}`),
    ...program.indexSources.map(
      ({ size: count }, n) => `${at(indices, n)}: uint32_t, ${count} indices in range`,
    ),
  ];
  const hashes = { graph: hashOf(graph), plan: hashOf([program, layout]) };
  return files(text, {
    ...{ heads, mode, precision, regime, about, workspace, places, declaration },
    hashes,
  });
}

function sourceLabel(origin: Source["origin"], inputs: readonly string[]): string {
  switch (origin.kind) {
    case "input":
      return at(inputs, origin.position);
    case "environment":
      return identifier(origin.name, "parameter");
    case "tangent":
      return `tangent_${at(inputs, origin.position)}`;
    case "seed":
      return "cotangent";
  }
}

/** Words of C and C++, names of their libraries, and names of the file itself but those of a pattern. */
const reserved: ReadonlySet<string> = new Set([
  ...unaryNames,
  ...binaryNames,
  ...(
    "auto break case char const continue default do double else enum extern float for goto if inline int long " +
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile " +
    "while asm main T I V W INFINITE NOT_A_NUMBER HELPER multiply_add workspace linux unix value " +
    "VECTOR LANE LANES FEW CONTRACT CONTRACTED " +
    "alignas alignof and and_eq bitand bitor bool catch class compl const_cast constexpr decltype delete " +
    "dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or " +
    "or_eq private protected public reinterpret_cast static_assert static_cast template this thread_local " +
    "throw true try typeid typename typeof using virtual wchar_t xor xor_eq " +
    "floor memcpy memset uint8_t int32_t uint32_t uint64_t ptrdiff_t size_t " +
    "threefry minors minor_term minor_tangents solution solution_at solution_tangent solution_cotangent " +
    "angle atan_high atan_low two_over_pi shifted_left remainder_of_quarter_turns"
  ).split(" "),
]);

/** Says whether a name means something else in the file, or where its header is included. */
function isTaken(name: string): boolean {
  return reserved.has(name) || /_[DFTV]$|^(kernel|part|host|set)_|^[st]\d+$/.test(name);
}

/** Makes a name of C of a name of a graph. */
function identifier(name: string, otherwise: string): string {
  const plain = name.replaceAll(/\W/g, "_").slice(0, 40);
  if (!/^[A-Za-z]/.test(plain)) return otherwise;
  return isTaken(plain) ? `${plain}_` : plain;
}

function badName(name: string): Issue {
  return {
    code: "emit/function-name",
    pointer: "",
    message: `${JSON.stringify(name)} is no name of a C function, or one that the file needs itself.`,
    hint: "take letters, digits and underscores, at most 63, a letter first, and no word of C or C++",
  };
}

function noOutput(id: number, last: number): Issue {
  return {
    code: "emit/output",
    pointer: "/nodes",
    message: `the graph has no id ${id}.`,
    hint: `give an id from 0 to ${last}`,
  };
}

function severalNumbers(id: number, shape: string): Issue {
  return {
    code: "emit/output-shape",
    pointer: "/nodes",
    message: `id ${id} has shape ${shape}, and a gradient is that of one number.`,
    hint: "take --mode vjp, whose function takes a cotangent, or another id with --of",
  };
}
