import { shapesOf } from "../../spec/expansion/index.ts";
import type { NodeOf } from "../../spec/graph/index.ts";
import type { PrimitiveName } from "../../spec/operators/index.ts";
import { fail, type Issue, ok, present, type Result } from "../../spec/shapes/index.ts";
import { assemble } from "./assemble.ts";
import type { FlatTrace, TabledTrace } from "./flat.ts";
import { readIndices, readNumbers } from "./numbers.ts";
import type { CheckedTrace } from "./read.ts";
import { type Scalars, scalarsByName } from "./scalars.ts";
import { tableOf } from "./table.ts";
import { type NodeSight, type Translation, translate } from "./translate.ts";

/**
 * Returns the trace as Lean's `Program` and `Run`. It says what the trace says. Only what a trace has no
 * place for is computed: numbers that attributes determine, and the value and cotangent of what `scatter_add`
 * adds. Fails: `lean/algebra`, `lean/operator`, `lean/number`, and what an operator refuses of its indices.
 */
export function flatten(trace: CheckedTrace): Result<FlatTrace | TabledTrace, Issue[]> {
  const scalars = scalarsByName.get(trace.algebra);
  return scalars === undefined ? fail([unknownAlgebra(trace.algebra)]) : flattenOver(trace, scalars);
}

/** {@link flatten} over scalars of one's own. */
export function flattenOver(trace: CheckedTrace, scalars: Scalars): Result<FlatTrace | TabledTrace, Issue[]> {
  const numbers = readNumbers(trace, scalars);
  const translations = translateAll(trace, scalars);
  if (!numbers.ok || !translations.ok)
    return fail([...(numbers.ok ? [] : numbers.error), ...(translations.ok ? [] : translations.error)]);
  const flat = assemble(trace, scalars, numbers.value, translations.value);
  return flat.ok && scalars.name === "tabled" ? ok({ ...flat.value, table: tableOf(flat.value) }) : flat;
}

function unknownAlgebra(name: string): Issue {
  return {
    code: "lean/algebra",
    pointer: "/algebra",
    message: `Lean's kernel does not compute in ${JSON.stringify(name.slice(0, 40))}.`,
    hint: `record the trace over ${[...scalarsByName.keys()].join(", ")}, float64 or float32, or posit16(quire)`,
  };
}

/** Returns the node in Lean. Fails: `lean/operator`, `lean/number`, and as an operator's indices do. */
function translateAll(trace: CheckedTrace, scalars: Scalars): Result<Translation[], Issue[]> {
  const environment = readIndices(trace);
  if (!environment.ok) return environment;
  const { graph } = trace;
  const shapes = shapesOf(graph);
  const results = graph.nodes.map((node, index) => {
    const shape = present(shapes[graph.inputs.length + index], "a node's shape");
    const parents = node.parents.map((id) => present(shapes[id], "a parent's shape"));
    return translateNode(node, { parents, shape, environment: environment.value }, index, scalars);
  });
  const issues = results.flatMap((result) => (result.ok ? [] : [result.error]));
  return issues.length > 0
    ? fail(issues)
    : ok(results.flatMap((result) => (result.ok ? [result.value] : [])));
}

function translateNode<K extends PrimitiveName>(
  { op, attributes }: NodeOf<K>,
  sight: Omit<NodeSight<unknown>, "attributes">,
  index: number,
  scalars: Scalars,
): Result<Translation, Issue> {
  const translation = scalars.operators.includes(op) ? translate(op, { ...sight, attributes }) : undefined;
  if (translation === undefined) return fail(unsupported(op, index, scalars));
  return translation.ok ? translation : fail({ ...translation.error, pointer: `/graph/nodes/${index}` });
}

function unsupported(op: PrimitiveName, index: number, { name, operators }: Scalars): Issue {
  return {
    code: "lean/operator",
    pointer: `/graph/nodes/${index}/op`,
    message: `the kernel cannot follow ${op} over the ${name} algebra.`,
    hint: `these can be exported: ${operators.join(", ")}`,
  };
}
