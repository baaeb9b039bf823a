import {
  addTensors,
  type Context,
  map,
  type Node,
  type SparseContext,
  type Tensor,
} from "../../../reference/index.ts";
import { operators } from "../../../spec/composites/index.ts";
import type { Application } from "../../../spec/expansion/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { type Additive, at, type NodeId, nodeId, present, sizeOf } from "../../../spec/shapes/index.ts";
import { allowing, type Bounded, enlarged, hasBound, radius, withoutBound } from "../bound/index.ts";
import { compositeUlps } from "../standard/index.ts";
import { type AppliedAlgorithm, algorithmOf } from "./algorithm_table.ts";
import { byFactors } from "./factored_determinants.ts";
import { formulasOf, type Tensors, type Tools, writtenSo } from "./formulas.ts";
import { inAnyOrder } from "./partial_products.ts";

/**
 * Returns a composite's last node as one that computes the composite whole: it allows what the expansion
 * gives or what the composite's formulas give, whichever is wider. It pulls cotangents through the whole
 * expansion, to compare what comes out. `nodes` begin at id `inputs`; composites inside this one are done.
 * `undefined` means that there is nothing to compare.
 */
export function computedWhole<C>(
  nodes: readonly Node<Bounded<C>>[],
  inputs: number,
  application: Application,
  tools: Tools<C>,
): Node<Bounded<C>> | undefined {
  const algorithm = algorithmOf(application.node, tools.standard) ?? {};
  const { isPiecewise, isElementwise } = natureOf(application, tools);
  const otherwise = tools.isRewritten ? undefined : byFactors(application);
  const isOrdinary = algorithm.lost === undefined && algorithm.isSingular === undefined && !isPiecewise;
  if (isOrdinary && !otherwise && !(algorithm.value || algorithm.tangent || algorithm.cotangents))
    return undefined;
  const last = present(nodes[application.value - inputs], "the value of a composite");
  // This keeps the nodes as they are now, since the last of them is about to be replaced.
  const own = nodes.slice(application.first - inputs, application.value - inputs + 1);
  const { parents } = application.node;
  const formulas = otherwise ? writtenSo(otherwise, application, tools) : formulasOf(application, tools);
  const operandsIn = (context: Context<Bounded<C>>): Tensors<C> => parents.map((id) => at(context, id));
  const opened = openingOf(algorithm.isSingular, tools);
  const lost = algorithm.lost?.(tools.standard) ?? 0;
  const forward: typeof last.forward = (context, environment) => {
    const operands = operandsIn(context);
    const [ours, theirs] = [last.forward(context, environment), formulas.value(operands, environment)];
    const widened = widest(ours, theirs, application, tools, operands);
    const { product } = algorithm;
    const value =
      product === undefined
        ? widened
        : inAnyOrder(widened, at(operands, 0), product, tools.centre, tools.standard);
    return lost === 0 ? value : map(value, (x) => enlarged(x, lost));
  };
  return {
    ...last,
    forward,
    jvp: (context, tangents, environment) => {
      const [operands, along] = [operandsIn(context), operandsIn(tangents)];
      const ours = last.jvp(context, tangents, environment);
      const theirs = formulas.tangent(operands, () => forward(context, environment), along, environment);
      const derivative = widest(ours, theirs, application, tools, operands);
      const isOpen = operands.some((operand, place) => opened(operand, place).some(Boolean));
      if (isOpen) return map(derivative, withoutBound);
      return isPiecewise ? following(derivative, along, isElementwise) : derivative;
    },
    vjp: (context, environment, cotangent): SparseContext<Bounded<C>> => {
      const ours = pulledThrough(own, application.first, tools.additive, cotangent, (node, c) =>
        node.vjp(context, environment, c),
      );
      const [operands, value] = [operandsIn(context), at(context, application.value)];
      const theirs = formulas.cotangents(operands, value, cotangent, environment);
      const reached = otherwise ? reachedToo(ours, theirs, tools.additive) : ours;
      return new Map(
        [...reached].map(([id, bar]) => {
          const derivative = widest(bar, theirs.get(id), application, tools, operands);
          // An operand that stands at several places has no derivative if it has none at one of them.
          const places = parents.flatMap((parent, place) =>
            parent === id ? [opened(at(operands, place), place)] : [],
          );
          const isOpen = (i: number): boolean => places.some((singular) => singular[i] === true);
          const open = map(derivative, (x, i) => (isOpen(i) ? withoutBound(x) : x));
          return [id, isPiecewise ? following(open, [cotangent], isElementwise) : open];
        }),
      );
    },
  };
}

/** A composite may choose between formulas, and its elements may depend on those at the same place alone. */
interface Nature {
  readonly isPiecewise: boolean;
  readonly isElementwise: boolean;
}

/** Reads an operator's nature from its table, that of a derivative of an inner graph from its expansion. */
function natureOf<C>(
  { node: { op }, first, value }: Application,
  { written: { inputs, nodes }, shapes }: Tools<C>,
): Nature {
  if (op !== "differentiate") {
    const { smoothness, isElementwise = false } = operators[op];
    return { isPiecewise: smoothness === "piecewise", isElementwise };
  }
  const expansion = nodes.slice(first - inputs.length, value - inputs.length + 1);
  const elements = shapes.slice(first, value + 1).map(sizeOf);
  return {
    isPiecewise: expansion.some((node) => operators[node.op].smoothness === "piecewise"),
    isElementwise:
      expansion.every((node) => operators[node.op].isElementwise === true || keepingPlaces.has(node.op)) &&
      elements.every((count) => count === elements[0]),
  };
}

/** These primitives are not elementwise, and leave each element at its place. */
const keepingPlaces: ReadonlySet<PrimitiveName> = new Set(["reshape", "full", "stop_gradient"]);

/** Adds zeros to ours for the operands that theirs alone reach. */
function reachedToo<C>(
  ours: ReadonlyMap<NodeId, Tensor<Bounded<C>>>,
  theirs: ReadonlyMap<NodeId, Tensor<Bounded<C>>>,
  { zero }: Additive<Bounded<C>>,
): ReadonlyMap<NodeId, Tensor<Bounded<C>>> {
  const zeros = [...theirs].map(([id, bar]) => [id, map(bar, () => zero)] as const);
  return new Map([...zeros, ...ours]);
}

/** Returns a function that tells at which elements of an operand there is no derivative, if at any. */
function openingOf<C>(
  isSingular: AppliedAlgorithm["isSingular"],
  tools: Tools<C>,
): (operand: Tensor<Bounded<C>>, place: number) => readonly boolean[] {
  if (isSingular === undefined) return () => [];
  return ({ data }, place) => data.map((x) => isSingular(place, mayBeZero(tools, x)));
}

/** Tells whether an operand's element may be 0, in truth or in an engine. */
function mayBeZero<C>({ centre, standard }: Tools<C>, x: Bounded<C>): boolean {
  return !(Math.abs(centre.approximate(x.centre)) > centre.slack(x.centre) + radius(centre, standard, x));
}

/**
 * Returns a derivative without bounds where those that came have none: of an infinity or NaN a slope of 0
 * makes NaN, where the expansion chooses another branch and hands on nothing.
 */
function following<C>(
  derivative: Tensor<Bounded<C>>,
  from: Tensors<C>,
  isElementwise: boolean,
): Tensor<Bounded<C>> {
  if (from.every(({ data }) => data.every(hasBound))) return derivative;
  const isKnown = (position: number): boolean =>
    isElementwise && from.every(({ data }) => data[position] === undefined || hasBound(data[position]));
  return map(derivative, (x, i) => (isKnown(i) ? x : withoutBound(x)));
}

/**
 * Returns the expansion's result, widened by a formula's. A formula that has a value and no bound (too few
 * digits are left, or it overflows) leaves none. One that has no value here, as 0/0 of a product divided by
 * its factor, does not count, unless an operand is infinite or NaN.
 */
function widest<C>(
  ours: Tensor<Bounded<C>>,
  theirs: Tensor<Bounded<C>> | undefined,
  { node: { op } }: Application,
  { centre, standard }: Tools<C>,
  operands: Tensors<C>,
): Tensor<Bounded<C>> {
  if (theirs === undefined) return ours;
  const both = allowing(centre, standard, ours, theirs, compositeUlps(standard, op));
  if (theirs.data.every(hasBound)) return both;
  const approximate = (x: Bounded<C>): number => centre.approximate(x.centre);
  const areNumbers = operands.every(({ data }) => data.every((x) => Number.isFinite(approximate(x))));
  const isExcused = (x: Bounded<C>): boolean => !hasBound(x) && !(areNumbers && Number.isNaN(approximate(x)));
  return map(both, (x, i) => {
    const other = at(theirs.data, i);
    const isSame = x.infinity !== undefined && x.infinity === other.infinity;
    return isExcused(other) && !isSame ? withoutBound(x) : x;
  });
}

/** Pulls the cotangent of the last node through the nodes from id `first` on, to earlier ids. */
function pulledThrough<C>(
  nodes: readonly Node<Bounded<C>>[],
  first: number,
  additive: Additive<Bounded<C>>,
  cotangent: Tensor<Bounded<C>>,
  pull: (node: Node<Bounded<C>>, c: Tensor<Bounded<C>>) => SparseContext<Bounded<C>>,
): ReadonlyMap<NodeId, Tensor<Bounded<C>>> {
  const slots = new Map<NodeId, Tensor<Bounded<C>>>([[nodeId(first + nodes.length - 1), cotangent]]);
  for (let index = nodes.length - 1; index >= 0; index--) {
    const id = nodeId(first + index);
    const c = slots.get(id);
    if (c === undefined) continue;
    slots.delete(id);
    for (const [parent, bar] of pull(present(nodes[index], "a node"), c)) {
      const before = slots.get(parent);
      slots.set(parent, before === undefined ? bar : addTensors(additive, before, bar));
    }
  }
  return slots;
}
