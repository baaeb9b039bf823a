import { type Rational, rational, rationalFromNumber } from "../../reference/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { PrimitiveNode } from "../../spec/graph/index.ts";
import { fail, type Issue, ok, present, type Result, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { arithmeticOf } from "../emit/arithmetic.ts";
import type { CheckedTrace } from "../emit/read.ts";
import { scalarsByName } from "../emit/scalars.ts";
import { enclosureFile, leanShape, type Row } from "./enclosure_file.ts";

/**
 * Returns the `ProvedRealEnclosure` of a trace's graph and point in TorchLean's terms, as a Lean file: the
 * graph as their IR, its numbers, the value of each node as their operations' term, a proof that these are
 * what the graph denotes, and from what a certificate says of its rows that each row encloses its value. What
 * has a theorem of TorchLean's is proved by it: arithmetic, `relu`, `sqrt`. Of other functions the file has
 * the lemma as a hypothesis, by name. Only what the graph is and what it is given are read of the trace.
 * It is checked against a copy of TorchLean's definitions (`copy/`), never against TorchLean.
 * Law: a node of theirs is an id of the trace, or stands before it under the same name.
 * Fails: `torchlean/algebra` for numbers that are no fractions, `torchlean/operator`.
 */
export function torchLeanEnclosure(trace: CheckedTrace): Result<string, Issue[]> {
  const read = arithmeticOf(trace.algebra)?.read ?? scalarsByName.get(trace.algebra)?.read;
  if (read === undefined || trace.algebra === "modular") return fail([wrongAlgebra]);
  const rows: Row[] = [];
  const issues: Issue[] = [];
  const push = (row: Row): number => rows.push(row) - 1;
  const numbersOf = (texts: readonly string[]): readonly Rational[] =>
    texts.map((text) => {
      const x = read(text);
      if (x === undefined) issues.push(noNumber(text));
      return x ?? rational.additive.zero;
    });
  const { graph, point } = trace;
  const shapes = shapesOf(graph);
  const places = graph.inputs.map(({ shape }, id) => {
    const numbers = numbersOf(present(point.inputs[id], "an input").data);
    return push({ kind: id === 0 ? ".input" : constant(shape), parents: [], shape, law: "source", numbers });
  });
  for (const [index, node] of graph.nodes.entries()) {
    const shape = present(shapes[graph.inputs.length + index], "a shape");
    const parents = node.parents.map((id) => present(places[id], "a place"));
    const given = node.op === "constant" ? point.environment[node.attributes.name]?.data : undefined;
    const numbers = given === undefined ? [] : numbersOf(given);
    const place = placed(node, { parents, shape, numbers, isWhole: isWholeSum(node, shapes) }, push);
    if (place === undefined) issues.push(noOperation(node.op, index));
    places.push(place ?? 0);
  }
  return issues.length > 0 ? fail(issues) : ok(enclosureFile(rows));
}

interface Sight extends Pick<Row, "parents" | "shape"> {
  readonly numbers: readonly Rational[];
  readonly isWhole: boolean;
}

/** Appends what a node is in TorchLean's graph; `undefined` if it has no such operation. */
function placed(node: PrimitiveNode, sight: Sight, push: (row: Row) => number): number | undefined {
  const { parents, shape, numbers, isWhole } = sight;
  const [first = 0, second = 0] = parents;
  const source = (all: readonly Rational[]): number =>
    push({ kind: constant(shape), parents: [], shape, law: "source", numbers: all });
  const filled = (x: Rational): number => source(Array.from({ length: sizeOf(shape) }, () => x));
  switch (node.op) {
    case "constant":
      return source(numbers);
    case "full":
      return filled(rationalFromNumber(node.attributes.value));
    case "add":
      return push({ kind: ".add", parents, shape, law: "add" });
    case "subtract":
      return push({ kind: ".sub", parents, shape, law: "sub" });
    case "multiply":
      return push({ kind: ".mulElem", parents, shape, law: "mul" });
    case "negative": {
      const zero = filled(rational.additive.zero);
      return push({ kind: ".sub", parents: [zero, first], shape, law: "sub" });
    }
    case "divide": {
      const inverse = push({ kind: ".inv", parents: [second], shape, law: "inv" });
      return push({ kind: ".mulElem", parents: [first, inverse], shape, law: "mul" });
    }
    case "stop_gradient":
      return push({ kind: ".detach", parents, shape, law: "detach" });
    case "relu":
    case "sqrt":
      return push({ kind: `.${node.op}`, parents, shape, law: node.op });
    case "exp":
    case "sin":
    case "cos":
    case "tanh":
      return push({ kind: `.${node.op}`, parents, shape, law: "given" });
    case "sum":
      return isWhole ? push({ kind: ".sum", parents, shape, law: "given" }) : undefined;
    default:
      return undefined;
  }
}

function isWholeSum(node: PrimitiveNode, shapes: readonly Shape[]): boolean {
  if (node.op !== "sum") return false;
  const { axes, keepdims } = node.attributes;
  return !keepdims && axes.length === shapes[node.parents[0] ?? 0]?.length;
}

function constant(shape: Shape): string {
  return `(.const ${leanShape(shape)})`;
}

const wrongAlgebra: Issue = {
  code: "torchlean/algebra",
  pointer: "/algebra",
  message: "an enclosure for TorchLean is of real numbers.",
  hint: "record the trace over rational, float64 or float32",
};

function noNumber(text: string): Issue {
  return {
    code: "torchlean/number",
    pointer: "/point",
    message: `${JSON.stringify(text.slice(0, 40))} is no real number.`,
    hint: "give finite numbers",
  };
}

function noOperation(op: string, index: number): Issue {
  return {
    code: "torchlean/operator",
    pointer: `/graph/nodes/${index}/op`,
    message: `${op} has no enclosure here.`,
    hint: "arithmetic, whole sums, stop_gradient, relu, sqrt, exp, sin, cos and tanh have",
  };
}
