import { type OperatorName, operatorNames, operators } from "../composites/index.ts";
import type { Derivative, Derived } from "../derivatives/index.ts";
import { type Graph, GraphError, type Input, type Node } from "../graph/index.ts";
import { acceptsCount, type EnvironmentEntry, formatArity } from "../operators/index.ts";
import {
  fail,
  isSameShape,
  type NodeId,
  nodeId,
  present,
  type Result,
  type Shape,
  type ShapeFault,
} from "../shapes/index.ts";
import { broadcastShape } from "./broadcast.ts";
import type { Operand, Scope, Value } from "./value.ts";

/** One composite that needs more nodes than this is refused: an attribute asks for the impossible. */
export const MAXIMUM_EXPANSION: number = 2 ** 14;

/** A construction leaves these to code that knows what operators mean. */
export interface Meaning {
  /** Stores a node whose shape rule was not asked yet, or its expansion. Gives its id and shape. */
  append(construction: Construction, node: Node): Place;
  /** Returns the derivative of an inner graph. */
  derivative(graph: Graph, derivative: Derivative): Derived;
}

/** A value's place in the graph. */
export interface Place {
  readonly id: NodeId;
  readonly shape: Shape;
}

/** A graph while the builder writes it. It owns its growing lists; `shapes` has an entry for every id. */
export class Construction {
  readonly inputs: Input[] = [];
  readonly environment: Map<string, EnvironmentEntry> = new Map();
  readonly nodes: Node[] = [];
  readonly shapes: Shape[] = [];
  /** No node is stored beyond so many: an expansion ends where it becomes too long, not when it is done. */
  mostNodes: number = Number.POSITIVE_INFINITY;
  readonly #meaning: Meaning;

  constructor(meaning: Meaning) {
    this.#meaning = meaning;
  }

  /** Returns the operators as functions, which may be taken out of it, one by one. */
  get scope(): Scope {
    const own: Owned = { construction: this };
    return Object.assign(Object.create(functions), own, {
      apply: (op: OperatorName, attributes: object, operands: readonly Value[]) =>
        this.call(op, attributesOf(op).length > 0 ? [...operands, attributes] : operands),
      derivative: (graph: Graph, derivative: Derivative) => this.#meaning.derivative(graph, derivative),
      entry: (name: string) => this.environment.get(name),
    });
  }

  /** Appends the next id, an input. */
  input(name: string, shape: Shape): Value {
    this.inputs.push({ name, shape });
    return this.value(this.#next(shape));
  }

  /** Stores a node as the next id. Throws {@link GraphError} beyond {@link mostNodes}. */
  push(node: Node, shape: Shape): Place {
    if (this.nodes.length >= this.mostNodes) throw new GraphError(node.op, tooManyNodes);
    this.nodes.push(node);
    return this.#next(shape);
  }

  /** Returns an id as a value, with the operators as methods. */
  value(place: Place): Value {
    const own: Owned = { construction: this };
    return Object.assign(Object.create(methods), place, own);
  }

  /** An operator called with operands and, behind them, attributes if it has any. */
  call(op: OperatorName, all: readonly unknown[]): Value {
    const names = attributesOf(op);
    const given = names.length > 0 ? all.slice(0, -1) : all;
    const attributes = names.length > 0 ? all.at(-1) : {};
    const parents = this.#operandsOf(op, given).map(({ id }) => id);
    const node = { op, attributes, parents };
    if (!isNode(node)) {
      throw new GraphError(op, {
        code: "graph/attributes",
        message: `its last argument must be an object with exactly ${names.join(", ")}.`,
        hint: "see docs/operators.md",
      });
    }
    return this.value(this.#meaning.append(this, node));
  }

  #next(shape: Shape): Place {
    this.shapes.push(shape);
    return { id: nodeId(this.shapes.length - 1), shape };
  }

  /** Numbers become values, and elementwise operands get one shape. */
  #operandsOf(op: OperatorName, given: readonly unknown[]): Value[] {
    const { arity, isElementwise = false } = operators[op];
    const operands = given.filter((operand) => isOperand(operand, this));
    if (operands.length < given.length || !acceptsCount(arity, given.length)) {
      throw new GraphError(op, {
        code: "graph/arity",
        message: `it takes ${formatArity(arity)}, values of this graph or numbers.`,
        hint: "give the operands in order, then the attributes",
      });
    }
    const common = isElementwise ? unwrap(op, broadcastShape(operands.flatMap(shapeOfOperand))) : [];
    return operands.map((operand) => {
      if (typeof operand === "number") return this.call("full", [{ shape: common, value: operand }]);
      if (!isElementwise || isSameShape(operand.shape, common)) return operand;
      return operand.broadcast_to({ shape: common });
    });
  }
}

/** The names of an operator's attributes, in the order of its row. */
function attributesOf(op: OperatorName): readonly string[] {
  return present(attributeNames.get(op), "an operator");
}

const attributeNames: ReadonlyMap<OperatorName, readonly string[]> = new Map(
  operatorNames.map((op) => [op, Object.keys(operators[op].attributes)]),
);

/** A value, or a scope, keeps these beside its public members. */
interface Owned {
  readonly construction: Construction;
}

/** The operators as functions of a scope, each made when taken: most scopes need one or two. */
const functions: object = Object.defineProperties(
  Object.create(null),
  Object.fromEntries(
    operatorNames.map((op) => [
      op,
      {
        get(this: Owned): (...all: readonly unknown[]) => Value {
          return (...all) => this.construction.call(op, all);
        },
      },
    ]),
  ),
);

/** The operators as methods of a value. */
const methods: object = Object.fromEntries(
  operatorNames.map((op) => [
    op,
    function (this: Owned, ...rest: readonly unknown[]): Value {
      return this.construction.call(op, [this, ...rest]);
    },
  ]),
);

const tooManyNodes: ShapeFault = {
  code: "graph/expansion",
  message: `it stands for more than ${MAXIMUM_EXPANSION} primitive nodes.`,
  hint: "use smaller extents, or primitives",
};

/** A number takes the shape of the others. */
function shapeOfOperand(operand: Operand): readonly Shape[] {
  return typeof operand === "number" ? [] : [operand.shape];
}

/** Says whether `x` is a number or a value of this construction. */
function isOperand(x: unknown, construction: Construction): x is Operand {
  if (typeof x === "number") return Number.isFinite(x);
  return typeof x === "object" && x !== null && "construction" in x && x.construction === construction;
}

/** Says whether the attributes are an object with the names that the operator's row lists. */
export function isNode(node: {
  readonly op: OperatorName;
  readonly attributes: unknown;
  readonly parents: readonly NodeId[];
}): node is Node {
  const { attributes } = node;
  if (typeof attributes !== "object" || attributes === null) return false;
  const names = attributesOf(node.op);
  return Object.keys(attributes).length === names.length && names.every((name) => name in attributes);
}

/** Returns the value of a result; throws {@link GraphError} where it failed. */
export function unwrap<T>(op: string, result: Result<T, ShapeFault>): T {
  if (!result.ok) throw new GraphError(op, result.error);
  return result.value;
}

/** Runs `build`, and returns its result or the fault for which it threw {@link GraphError}. */
export function caught<T>(build: () => T): Result<T, ShapeFault> {
  try {
    return { ok: true, value: build() };
  } catch (problem) {
    if (!(problem instanceof GraphError)) throw problem;
    return fail(problem.fault);
  }
}
