import { shapesOf } from "../spec/expansion/index.ts";
import type { NodeOf, PrimitiveGraph as WrittenGraph } from "../spec/graph/index.ts";
import { type NeedOf, type PrimitiveName, primitives } from "../spec/operators/index.ts";
import {
  type Additive,
  type Algebra,
  fail,
  type Issue,
  type Levels,
  type NodeId,
  ok,
  type Result,
  type Shape,
  sizeOf,
} from "../spec/shapes/index.ts";
import { constantDual, type Dual, dual } from "./algebras/dual.ts";
import { type Context, entry, type SparseContext } from "./context.ts";
import { type Environment, mapEnvironment } from "./environment.ts";
import { type Adjointness, adjointnessOf, type Graph, type Node } from "./lawful.ts";
import { discharged, type Pullback, rules } from "./operators/index.ts";
import { step } from "./pace.ts";
import { addTensors, map, sumTensors, type Tensor, zip } from "./tensor.ts";

/**
 * Returns the meaning of a well-formed graph over an algebra [SEMANTICS §6.3]: a {@link Graph} of the
 * operators' rules. Fails: `algebra/missing` if an operator needs what the algebra does not offer;
 * `graph/undischarged` if the `record` does not say that its obligations are proved.
 */
export function interpret<S, B>(
  program: WrittenGraph,
  algebra: Algebra<S, B>,
  record: typeof discharged = discharged,
): Result<Graph<S>, Issue[]> {
  const shapes = shapesOf(program);
  const dualAlgebra = dualOf(algebra);
  const constants = constantsOver(algebra.additive);
  const nodes: Node<S>[] = [];
  const issues: Issue[] = [];
  program.nodes.forEach((node, index) => {
    const adjointness = adjointnessOf(node.op, record);
    if (adjointness === undefined) {
      issues.push(undischarged(node.op, index));
      return;
    }
    const meaning = nodeMeaning(
      node,
      adjointness,
      algebra,
      dualAlgebra,
      constants,
      shapes[program.inputs.length + index] ?? [],
    );
    if (meaning !== undefined) nodes.push(meaning);
    else issues.push(missing(node.op, algebra.name, index));
  });
  return issues.length > 0 ? fail(issues) : ok({ inputs: program.inputs.map(({ shape }) => shape), nodes });
}

const duals = new WeakMap<object, unknown>();

/** Returns {@link dual}, made once for each algebra: many graphs are interpreted over few. */
function dualOf<S, B>(algebra: Algebra<S, B>): Algebra<Dual<S>, B> {
  const known = duals.get(algebra) as Algebra<Dual<S>, B> | undefined;
  const made = known ?? dual(algebra);
  if (known === undefined) duals.set(algebra, made);
  return made;
}

/** An environment's scalars as dual constants, made once for all nodes, which ask for them in turn. */
function constantsOver<S>(additive: Additive<S>): (environment: Environment<S>) => Environment<Dual<S>> {
  // A map of all would cost more than it saves: a graph is seldom asked about two environments in turn.
  let last: { readonly of: Environment<S>; readonly constants: Environment<Dual<S>> } | undefined;
  return (environment) => {
    if (last?.of !== environment)
      last = { of: environment, constants: mapEnvironment(environment, (x) => constantDual(additive, x)) };
    return last.constants;
  };
}

function undischarged(op: PrimitiveName, index: number): Issue {
  return {
    code: "graph/undischarged",
    pointer: `/nodes/${index}/op`,
    message: `nothing says that the vjp of ${op} is the adjoint of its jvp: its obligations are not recorded as proved.`,
    hint: "npm run prove -- --tier all --write proves them, or says what fails",
  };
}

function missing(op: PrimitiveName, algebra: string, index: number): Issue {
  return {
    code: "algebra/missing",
    pointer: `/nodes/${index}/op`,
    message: `${op} needs a ${primitives[op].needs} algebra, which ${algebra} is not.`,
    hint: "choose another algebra, for example float64",
  };
}

/** Makes one node: `forward` from the rule, `jvp` as `forward` over dual numbers, `vjp` summed per parent. */
function nodeMeaning<K extends PrimitiveName, S, B>(
  node: NodeOf<K>,
  adjointness: Adjointness,
  algebra: Algebra<S, B>,
  dualAlgebra: Algebra<Dual<S>, B>,
  constants: (environment: Environment<S>) => Environment<Dual<S>>,
  shape: Shape,
): Node<S> | undefined {
  const { needs } = primitives[node.op];
  const level: Levels<S, B>[NeedOf[K]] | undefined = algebra.levels[needs];
  const dualLevel: Levels<Dual<S>, B>[NeedOf[K]] | undefined = dualAlgebra.levels[needs];
  if (level === undefined || dualLevel === undefined) return undefined;
  const { attributes, parents } = node;
  const { additive } = algebra;
  const rule = rules[node.op];
  const size = 1 + sizeOf(shape);
  // Each function of a node begins by reading its operands, and a long sweep checks the clock there.
  const operandsIn = <T>(context: Context<T>): Tensor<T>[] => {
    step(size);
    return parents.map((id) => entry(context, id));
  };
  return {
    name: node.op,
    shape,
    reads: parents,
    adjointness,
    forward: (context, environment) =>
      rule.forward({ algebra: level, attributes, operands: operandsIn(context), environment, shape }),
    jvp: (context, tangents, environment) => {
      step(size);
      const operands = parents.map((id) =>
        zip(entry(context, id), entry(tangents, id), (x, xDot) => ({ x, xDot })),
      );
      const value = rule.forward({
        algebra: dualLevel,
        attributes,
        operands,
        environment: constants(environment),
        shape,
      });
      return map(value, ({ xDot }) => xDot);
    },
    vjp: (context, environment, cotangent) => {
      const bars = rule.vjp(
        { algebra: level, attributes, operands: operandsIn(context), environment, shape },
        cotangent,
      );
      return sumPerParent(additive, parents, bars);
    },
    validate: (context, environment) =>
      rule.validate?.({ algebra: level, attributes, operands: operandsIn(context), environment, shape }),
  };
}

/** A parent read at several places gets the sum of its cotangents, in that order or as the algebra sums. */
export function sumPerParent<S>(
  algebra: Additive<S>,
  parents: readonly NodeId[],
  bars: Pullback<S>,
): SparseContext<S> {
  if (algebra.sum !== undefined) return summedPerParent(algebra, parents, bars);
  const contributions = new Map<NodeId, Tensor<S>>();
  parents.forEach((id, place) => {
    const bar = bars[place];
    if (bar === undefined) return;
    const other = contributions.get(id);
    contributions.set(id, other === undefined ? bar : addTensors(algebra, other, bar));
  });
  return contributions;
}

/** Is {@link sumPerParent} over an algebra that has sums of its own. */
function summedPerParent<S>(
  algebra: Additive<S>,
  parents: readonly NodeId[],
  bars: Pullback<S>,
): SparseContext<S> {
  const terms = new Map<NodeId, Tensor<S>[]>();
  parents.forEach((id, place) => {
    const bar = bars[place];
    if (bar !== undefined) terms.set(id, [...(terms.get(id) ?? []), bar]);
  });
  return new Map([...terms].map(([id, own]) => [id, sumTensors(algebra, own)]));
}
