import type { Random } from "fast-check";
import {
  type Environment,
  type Graph,
  interpret,
  map,
  type Node,
  type Tensor,
} from "../../../reference/index.ts";
import { mapEnvironment } from "../../../reference/package.ts";
import {
  type Algebra,
  at,
  elementary,
  everyLevel,
  type OrderedReal,
  type PrimitiveName,
} from "../../../spec/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";

/** A sum that is still to be added up. */
type Terms = readonly number[];

/** It says how an engine adds up inside one operator. */
export interface Adding {
  /** Returns a product as it stands in a sum. */
  multiply(x: number, y: number): number;
  /** Adds up the terms, in the order of the definition, as one number of the precision. */
  add(terms: Terms): number;
  /** Adds two sums that were added up apart. */
  meet(x: number, y: number): number;
  /** Tells whether the two products of a tangent, or the two cotangents of an operand, are added up apart. */
  isApart(): boolean;
}

/** Sums as lists of their terms. */
function termsOf({ multiply }: Adding): Algebra<Terms, never> {
  const never = (): never => {
    throw new Error("sums are only added and multiplied");
  };
  const all: OrderedReal<Terms, never> = {
    zero: [],
    one: [1],
    add: (x, y) => [...x, ...y],
    detach: (x) => x,
    multiply: ([x], [y]) => (x === undefined || y === undefined ? [] : [multiply(x, y)]),
    literal: (x) => [x],
    negative: never,
    divide: never,
    ...elementary<Terms>(
      () => never,
      () => never,
    ),
    less: never,
    equal: never,
    select: never,
    floor: never,
  };
  return {
    name: "sums",
    additive: all,
    levels: everyLevel(all),
    isSame: Object.is,
    format: String,
    parse: never,
  };
}

/** Returns `terms` in a random order. */
export function shuffled(terms: Terms, random: Random): Terms {
  const order = [...terms];
  for (let last = order.length - 1; last > 0; last--) {
    const place = random.nextInt(0, last);
    [order[last], order[place]] = [at(order, place), at(order, last)];
  }
  return order;
}

/** Returns the graph of an engine that adds up as `adding` says inside the operators of `accumulating`. */
export function addingUp(
  { graph: program }: PrimitiveCase,
  graph: Graph<number>,
  accumulating: ReadonlySet<PrimitiveName>,
  adding: Adding,
): Graph<number> {
  const sums = interpret(program, termsOf(adding));
  if (!sums.ok) throw new Error("sums offer everything");
  const nodes = graph.nodes.map((node, index) => {
    const op = at(program.nodes, index).op;
    return accumulating.has(op) ? addingNode(node, at(sums.value.nodes, index), adding) : node;
  });
  return { inputs: graph.inputs, nodes };
}

function addingNode(node: Node<number>, sums: Node<Terms>, { add, meet, isApart }: Adding): Node<number> {
  const lift = (t: Tensor<number>): Tensor<Terms> => map(t, (x) => [x]);
  const liftAll = (environment: Environment<number>): Environment<Terms> =>
    mapEnvironment(environment, (x) => [x]);
  /** A single number that is no product is only moved; so is one that zeros are added to. */
  const one = (terms: Terms): number => {
    const some = terms.filter((x) => x !== 0);
    return some.length === 1 ? at(some, 0) : add(terms);
  };
  /** The terms of the halves, which alternate in a tangent and follow each other where cotangents meet. */
  const halves = (terms: Terms, isFirst: (place: number) => boolean): number =>
    meet(add(terms.filter((_, place) => isFirst(place))), add(terms.filter((_, place) => !isFirst(place))));
  const isProduct = node.name === "matmul";
  const isTwice = new Set(node.reads).size < node.reads.length;
  const closed = (t: Tensor<Terms>, halve: ((terms: Terms) => number) | undefined): Tensor<number> =>
    map(t, (terms) => {
      if (terms.length > 1 && halve !== undefined && isApart()) return halve(terms);
      return isProduct ? add(terms) : one(terms);
    });
  return {
    ...node,
    forward: (context, environment) =>
      closed(sums.forward(context.map(lift), liftAll(environment)), undefined),
    jvp: (context, tangents, environment) =>
      closed(
        sums.jvp(context.map(lift), tangents.map(lift), liftAll(environment)),
        isProduct ? (terms) => halves(terms, (place) => place % 2 === 0) : undefined,
      ),
    vjp: (context, environment, cotangent) => {
      const contributions = sums.vjp(context.map(lift), liftAll(environment), lift(cotangent));
      const halve = (terms: Terms): number => halves(terms, (place) => 2 * place < terms.length);
      return new Map(
        [...contributions].map(([id, bar]) => [id, closed(bar, isProduct && isTwice ? halve : undefined)]),
      );
    },
  };
}
