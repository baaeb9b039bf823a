import { interpret } from "../../../engines/interpretation/index.ts";
import { GraphError, graph, type Value } from "../../../spec/builder/index.ts";
import { expand } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { nodeId, present, sizeOf } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import type { Call, Results, Rule } from "./call.ts";
import { isFloat, type Known, known, type Operand } from "./operand.ts";
import { Workshop } from "./workshop.ts";

/** A constant is computed now if it gets no larger than this, or than its operands are. */
const MAXIMUM_FOLDED = 2 ** 16;

/**
 * Applies a rule; where all operands are known, and it rounds nothing, now. Constants that it makes count
 * among those that a model may have.
 */
export function applied(rule: Rule, call: Call): readonly Operand[] {
  const results = resultsOf(rule, call);
  for (const result of results) {
    const isNew = result.kind === "known" && !call.operands.includes(result);
    if (isNew && !call.workshop.limits.take(result.data.length))
      return call.refuse("the model has too many constants.", "import a smaller one");
  }
  return results;
}

function resultsOf(rule: Rule, call: Call): readonly Operand[] {
  const operands = call.operands.filter((operand) => operand !== undefined);
  const isKnown = operands.every((operand) => operand.kind === "known");
  const isOfFloats = operands.some((operand) => operand.kind !== "absent" && isFloat(operand.type));
  if (!isKnown || rule.folds === undefined || (rule.folds === "integers" && isOfFloats))
    return typed(rule.apply(call), call);
  return folded(rule, call, operands) ?? typed(rule.apply(call), call);
}

/** Computes a rule's results from constants. Returns nothing where they would be large. */
function folded(rule: Rule, call: Call, operands: readonly Known[]): readonly Operand[] | undefined {
  const most = Math.max(MAXIMUM_FOLDED, ...operands.map(({ data }) => data.length));
  const outcome: { results?: readonly Operand[]; environment?: ReadonlyMap<string, FlatTensor> } = {};
  const written = graph((builder) => {
    const workshop = new Workshop(builder, call.workshop.limits);
    outcome.results = typed(rule.apply(call.in(workshop)), call);
    outcome.environment = workshop.environment;
  });
  const { results = [], environment = new Map() } = outcome;
  const live = results.filter((result) => result.kind === "live");
  if (live.length === 0) return results;
  if (live.some(({ value }) => sizeOf(value.shape) > most)) return undefined;
  const values = valuesOf(written, environment);
  return results.map((result) => {
    if (result.kind !== "live") return result;
    const data = present(values[result.value.id], "a folded value");
    if (!isFloat(result.type) && !data.every((x) => Number.isSafeInteger(x)))
      return call.refuse("an integer is beyond 2⁵³.", "use smaller integers");
    return known(result.type, result.value.shape, data);
  });
}

/** Computes all values of a graph without inputs. */
function valuesOf(written: Graph, environment: ReadonlyMap<string, FlatTensor>): readonly Float64Array[] {
  const { graph: primitive, ids } = expand(written);
  const answer = interpret(primitive, "float64").evaluate({ inputs: [], environment });
  if (!answer.ok)
    throw new GraphError("constant", { code: "onnx/constant", message: answer.error, hint: "report it" });
  return ids.map((id) => Float64Array.from(answer.value[nodeId(Number(id))] ?? []));
}

/** Gives each result its type: the first operand's, unless the rule says another. */
function typed(results: Results, call: Call): readonly Operand[] {
  const all: readonly (Value | Operand)[] = isList(results) ? results : [results];
  return all.map((result) =>
    isOperand(result) ? result : { kind: "live", type: call.type(), value: result },
  );
}

function isList(results: Results): results is readonly (Value | Operand)[] {
  return Array.isArray(results);
}

function isOperand(result: Value | Operand): result is Operand {
  return Object.hasOwn(result, "kind");
}
