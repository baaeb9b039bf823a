import {
  addTensors,
  backpropSparse,
  type Context,
  type Environment,
  evaluate,
  type Graph,
  jvpCtx,
  map,
  type Node,
  type SparseContext,
  type Tensor,
} from "../../reference/index.ts";
import { type Builder, graph, type Value } from "../../spec/builder/index.ts";
import type { Application } from "../../spec/composites/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import { operators, type PrimitiveName } from "../../spec/operators/index.ts";
import {
  type Additive,
  at,
  type NodeId,
  nodeId,
  present,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { expandProgram, type PrimitiveProgram } from "../case/index.ts";
import { hasBound, withoutBound } from "./bounded.ts";
import type { Centre } from "./centre.ts";
import { allowing, enlarged } from "./elimination.ts";
import { type Factored, factoredOf } from "./factored.ts";
import { lazily } from "./lazily.ts";
import { type Bounded, radius } from "./radius.ts";
import { compositeUlps, type Standard } from "./standard.ts";
import { type AppliedWays, waysOf } from "./ways.ts";

type Tensors<C> = readonly Tensor<Bounded<C>>[];

/** What formulas are evaluated with. */
export interface Tools<C> {
  readonly centre: Centre<C>;
  readonly standard: Standard;
  readonly additive: Additive<Bounded<C>>;
  /** Whether the program is one that stands for a derivative written in another way. */
  readonly isRewritten: boolean;
  /** The program whose composites these are, and the shapes of its ids. */
  readonly written: PrimitiveGraph;
  readonly shapes: readonly Shape[];
  /** A program as any honest engine may run it, and no derivative in it in yet another way. */
  honest(program: PrimitiveProgram): Graph<Bounded<C>>;
}

/**
 * The last node of a composite as one that computes the composite whole: allowed is what the expansion gives or what the
 * composite's formulas give, whichever is wider. Its cotangents are pulled through the expansion at once, so that the
 * formulas can be laid beside what comes out. `nodes` begin at id `inputs`, those of composites inside this one done
 * before. `undefined` where there is nothing to lay beside.
 */
export function computedWhole<C>(
  nodes: readonly Node<Bounded<C>>[],
  inputs: number,
  application: Application,
  tools: Tools<C>,
): Node<Bounded<C>> | undefined {
  const ways = waysOf(application.node) ?? {};
  const { isPiecewise, isElementwise } = natureOf(application, tools);
  const otherwise = tools.isRewritten ? undefined : factoredOf(application);
  const isOrdinary = ways.lost === undefined && ways.isSingular === undefined && !isPiecewise;
  if (isOrdinary && !otherwise && !(ways.value || ways.tangent || ways.cotangents)) return undefined;
  const last = present(nodes[application.value - inputs], "the value of a composite");
  // As they are now: the last of them is about to be another.
  const own = nodes.slice(application.first - inputs, application.value - inputs + 1);
  const { parents } = application.node;
  const formulas = otherwise ? writtenSo(otherwise, application, tools) : formulasOf(application, tools);
  const operandsIn = (context: Context<Bounded<C>>): Tensors<C> => parents.map((id) => at(context, id));
  const opened = openingOf(ways.isSingular, tools);
  const lost = ways.lost?.(tools.standard) ?? 0;
  const forward: typeof last.forward = (context, environment) => {
    const operands = operandsIn(context);
    const value = widest(
      last.forward(context, environment),
      formulas.value(operands, environment),
      application,
      tools,
      operands,
    );
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
      if (operands.some((operand, place) => opened(operand, place).some(Boolean))) {
        return map(derivative, withoutBound);
      }
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
          // One operand may stand at several places, and has no derivative if it has none at one of them.
          const places = parents.flatMap((parent, place) =>
            parent === id ? [opened(at(operands, place), place)] : [],
          );
          const isOpen = (i: number): boolean => places.some((singular) => singular[i] === true);
          const open = { ...bar, data: derivative.data.map((x, i) => (isOpen(i) ? withoutBound(x) : x)) };
          return [id, isPiecewise ? following(open, [cotangent], isElementwise) : open];
        }),
      );
    },
  };
}

/** Whether a composite chooses between formulas, and whether each of its elements depends on the elements of its operands at its own place alone. */
interface Nature {
  readonly isPiecewise: boolean;
  readonly isElementwise: boolean;
}

/** What the operator is; the derivative of an inner graph is what is written in its expansion. */
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

/** Primitives that are not elementwise, and leave each element at its place. */
const keepingPlaces: ReadonlySet<PrimitiveName> = new Set(["reshape", "full", "stop_gradient"]);

/** What is handed on, and zeros where that is by another way alone: a derivative may be 0 whatever its operands. */
function reachedToo<C>(
  ours: ReadonlyMap<NodeId, Tensor<Bounded<C>>>,
  theirs: ReadonlyMap<NodeId, Tensor<Bounded<C>>>,
  { zero }: Additive<Bounded<C>>,
): ReadonlyMap<NodeId, Tensor<Bounded<C>>> {
  const zeros = [...theirs].map(([id, bar]) => [id, map(bar, () => zero)] as const);
  return new Map([...zeros, ...ours]);
}

/** At which elements of an operand there is no derivative; none of them if there are no such places. */
function openingOf<C>(
  isSingular: AppliedWays["isSingular"],
  tools: Tools<C>,
): (operand: Tensor<Bounded<C>>, place: number) => readonly boolean[] {
  if (isSingular === undefined) return () => [];
  return ({ data }, place) => data.map((x) => isSingular(place, mayBeZero(tools, x)));
}

/** Whether an operand's element is 0, or an engine's may be. */
function mayBeZero<C>({ centre, standard }: Tools<C>, x: Bounded<C>): boolean {
  return !(Math.abs(centre.approximate(x.centre)) > centre.slack(x.centre) + radius(centre, standard, x));
}

/**
 * A derivative from those that came: where one of them has no bound (it is infinite, or NaN), a slope of 0 makes NaN of it,
 * where the expansion chooses another branch and hands on nothing.
 */
function following<C>(
  derivative: Tensor<Bounded<C>>,
  from: Tensors<C>,
  isElementwise: boolean,
): Tensor<Bounded<C>> {
  if (from.every(({ data }) => data.every(hasBound))) return derivative;
  const isKnown = (position: number): boolean =>
    isElementwise && from.every(({ data }) => data[position] === undefined || hasBound(data[position]));
  return { ...derivative, data: derivative.data.map((x, i) => (isKnown(i) ? x : withoutBound(x))) };
}

/**
 * What the expansion gives, widened by what a formula gives. One that has a value but no bound (too little is left of its
 * digits, or it overflows on the way) leaves none; one that has no value here (0/0 of a product divided by its factor) is no
 * excuse, unless an operand is no number or infinite.
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
  return {
    ...both,
    data: both.data.map((x, i) => (isExcused(at(theirs.data, i)) ? withoutBound(x) : x)),
  };
}

/** What the nodes from id `first` on, of which the last is given a cotangent, hand to earlier ids. */
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

/** The formulas of one composite, as functions of its operands, its value and what comes along or back, where Δ is this. */
interface Formulas<C> {
  value(operands: Tensors<C>, environment: Environment<Bounded<C>>): Tensor<Bounded<C>> | undefined;
  tangent(
    operands: Tensors<C>,
    value: () => Tensor<Bounded<C>>,
    tangents: Tensors<C>,
    environment: Environment<Bounded<C>>,
  ): Tensor<Bounded<C>> | undefined;
  cotangents(
    operands: Tensors<C>,
    value: Tensor<Bounded<C>>,
    cotangent: Tensor<Bounded<C>>,
    environment: Environment<Bounded<C>>,
  ): ReadonlyMap<NodeId, Tensor<Bounded<C>>>;
}

/** A derivative of an inner graph that is written in another way: its value there, and the derivatives of that. */
function writtenSo<C>(
  { program, result }: Factored,
  { node: { parents } }: Application,
  { honest, additive }: Tools<C>,
): Formulas<C> {
  return {
    value: (operands, environment) => evaluate(honest(program), operands, environment)[result],
    tangent: (operands, _value, tangents, environment) =>
      jvpCtx(honest(program), operands, tangents, environment)[result],
    cotangents: (operands, _value, cotangent, environment) => {
      const seed = new Map([[result, cotangent]]);
      const bars = backpropSparse(additive, honest(program), operands, environment, seed);
      const slots = new Map<NodeId, Tensor<Bounded<C>>>();
      parents.forEach((parent, place) => {
        const [bar, before] = [bars.get(nodeId(place)), slots.get(parent)];
        if (bar !== undefined) slots.set(parent, before ? addTensors(additive, before, bar) : bar);
      });
      return slots;
    },
  };
}

function formulasOf<C>({ node, value: id }: Application, { shapes, honest }: Tools<C>): Formulas<C> {
  const ways = waysOf(node) ?? {};
  const operandShapes = node.parents.map((parent) => present(shapes[parent], "a shape"));
  const valueShape = present(shapes[id], "a shape");
  const count = operandShapes.length;
  const key = lazily(() => JSON.stringify([node.op, node.attributes, operandShapes]));
  const ofValue = (): Written =>
    remembered(`value ${key()}`, () =>
      written(operandShapes, (scope, values) => [ways.value?.(scope, values)]),
    );
  const ofTangent = (): Written =>
    remembered(`tangent ${key()}`, () =>
      written([...operandShapes, valueShape, ...operandShapes], (scope, values) => [
        ways.tangent?.(
          scope,
          { operands: values.slice(0, count), value: at(values, count) },
          values.slice(count + 1),
        ),
      ]),
    );
  const ofCotangents = (): Written =>
    remembered(`cotangents ${key()}`, () =>
      written([...operandShapes, valueShape, valueShape], (scope, values) => [
        ...(ways.cotangents?.(
          scope,
          { operands: values.slice(0, count), value: at(values, count) },
          at(values, count + 1),
        ) ?? []),
      ]),
    );
  const evaluated = (
    { program, outputs }: Written,
    inputs: Tensors<C>,
  ): (Tensor<Bounded<C>> | undefined)[] => {
    const context = evaluate(honest(program), inputs, new Map());
    return outputs.map((output) => (output === undefined ? undefined : context[output]));
  };
  return {
    value: (operands) => (ways.value ? evaluated(ofValue(), operands)[0] : undefined),
    tangent: (operands, value, tangents) =>
      ways.tangent ? evaluated(ofTangent(), [...operands, value(), ...tangents])[0] : undefined,
    cotangents: (operands, value, cotangent) => {
      if (ways.cotangents === undefined || new Set(node.parents).size < count) return new Map();
      const bars = evaluated(ofCotangents(), [...operands, value, cotangent]);
      return new Map(
        node.parents.flatMap((parent, place): [NodeId, Tensor<Bounded<C>>][] => {
          const bar = bars[place];
          return bar === undefined ? [] : [[parent, bar]];
        }),
      );
    },
  };
}

/** A formula in primitives, and which of its ids are wanted. */
interface Written {
  readonly program: PrimitiveProgram;
  readonly outputs: readonly (NodeId | undefined)[];
}

/** Formulas by what they are of: a search asks for the same ones over and over. */
const known = new Map<string, Written>();

/** So many are kept, and then the oldest is forgotten. */
const REMEMBERED = 1000;

function remembered(key: string, write: () => Written): Written {
  const formula = known.get(key) ?? write();
  known.set(key, formula);
  if (known.size > REMEMBERED) known.delete(known.keys().next().value ?? key);
  return formula;
}

function written(
  shapes: readonly Shape[],
  write: (scope: Builder, inputs: readonly Value[]) => readonly (Value | undefined)[],
): Written {
  const wanted: (NodeId | undefined)[] = [];
  const program = graph((builder) => {
    const inputs = shapes.map((shape, place) => builder.input(`x${place}`, shape));
    for (const value of write(builder, inputs)) wanted.push(value?.id);
  });
  const expanded = expandProgram(program);
  return {
    program: expanded.program,
    outputs: wanted.map((id) => (id === undefined ? undefined : at(expanded.ids, id))),
  };
}
