import {
  addTensors,
  backpropSparse,
  type Environment,
  evaluate,
  type Graph,
  jvpCtx,
  type Tensor,
} from "../../../reference/index.ts";
import { type Builder, graph, type Value } from "../../../spec/builder/index.ts";
import type { Application } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { type Additive, at, type NodeId, nodeId, present, type Shape } from "../../../spec/shapes/index.ts";
import { expandProgram, type PrimitiveProgram } from "../../case/index.ts";
import type { Bounded } from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import { lazily } from "../lazily.ts";
import type { Standard } from "../standard/index.ts";
import { algorithmOf } from "./algorithm_table.ts";
import type { FactoredDerivative } from "./factored_determinants.ts";

export type Tensors<C> = readonly Tensor<Bounded<C>>[];

/** Formulas are evaluated with these. */
export interface Tools<C> {
  readonly centre: Centre<C>;
  readonly standard: Standard;
  /** It has the widths that are declared of the written composite, which the one that is computed is in. */
  readonly inside: Standard;
  readonly additive: Additive<Bounded<C>>;
  /** It tells whether the program stands for a derivative written in another way. */
  readonly isRewritten: boolean;
  /** This is the program whose composites are computed. */
  readonly written: PrimitiveGraph;
  readonly shapes: readonly Shape[];
  /** Returns a program as any honest engine may run it, with no derivative in yet another form. */
  honest(program: PrimitiveProgram, standard: Standard): Graph<Bounded<C>>;
}

/** The formulas of a composite are functions of its operands, its value, what comes along or back, and Δ. */
export interface Formulas<C> {
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

/** Returns a derivative of an inner graph in its other form: its value there, and derivatives of that. */
export function writtenSo<C>(
  { program, result }: FactoredDerivative,
  { node: { parents } }: Application,
  { honest: honestIn, additive, standard }: Tools<C>,
): Formulas<C> {
  const honest = (program: PrimitiveProgram): Graph<Bounded<C>> => honestIn(program, standard);
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

export function formulasOf<C>(
  { node, value: id }: Application,
  { shapes, standard, inside, honest }: Tools<C>,
): Formulas<C> {
  const algorithm = algorithmOf(node, standard) ?? {};
  const operandShapes = node.parents.map((parent) => present(shapes[parent], "a shape"));
  const valueShape = present(shapes[id], "a shape");
  const count = operandShapes.length;
  const key = lazily(() => JSON.stringify([node.op, node.attributes, operandShapes]));
  const ofValue = (): Written =>
    remembered(`value ${key()}`, () =>
      written(operandShapes, (scope, values) => [algorithm.value?.(scope, values)]),
    );
  const ofTangent = (): Written =>
    remembered(`tangent ${key()}`, () =>
      written([...operandShapes, valueShape, ...operandShapes], (scope, values) => [
        algorithm.tangent?.(
          scope,
          { operands: values.slice(0, count), value: at(values, count) },
          values.slice(count + 1),
        ),
      ]),
    );
  const ofCotangents = (): Written =>
    remembered(`cotangents ${key()}`, () =>
      written([...operandShapes, valueShape, valueShape], (scope, values) => [
        ...(algorithm.cotangents?.(
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
    const context = evaluate(honest(program, inside), inputs, new Map());
    return outputs.map((output) => (output === undefined ? undefined : context[output]));
  };
  return {
    value: (operands) => (algorithm.value ? evaluated(ofValue(), operands)[0] : undefined),
    tangent: (operands, value, tangents) =>
      algorithm.tangent ? evaluated(ofTangent(), [...operands, value(), ...tangents])[0] : undefined,
    cotangents: (operands, value, cotangent) => {
      if (algorithm.cotangents === undefined || new Set(node.parents).size < count) return new Map();
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

/** This is a formula in primitives, and which of its ids are wanted. */
interface Written {
  readonly program: PrimitiveProgram;
  readonly outputs: readonly (NodeId | undefined)[];
}

/** A search asks for the formulas of the same composites over and over. */
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
