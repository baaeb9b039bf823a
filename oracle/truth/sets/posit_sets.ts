import { type Context, interpret, map, type Tensor, tensor } from "../../../reference/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import { type BinaryName, elementary, type UnaryName } from "../../../spec/operators/index.ts";
import {
  type Algebra,
  everyLevel,
  InvariantError,
  type NodeId,
  present,
} from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { lazily } from "../lazily.ts";
import { liftEnvironment, type Parts } from "../nodes/bounds.ts";
import { eliminating } from "../nodes/elimination.ts";
import { declaredExcess, type Standard } from "../standard/index.ts";
import { anything, type FloatSet, floatSet, isOnly, mayBe, ofKinds, only, union } from "./float_set.ts";
import { floatSets, settled } from "./set_algebra.ts";

/**
 * Returns the posits that honest engines may answer without a bound: for values of primitives by an algebra
 * of sets, else any, since derivatives and composites of NaR are open.
 */
export function positAnswers(question: PrimitiveCase, standard: Standard): Parts<FloatSet> {
  const shapes = shapesOf(question.graph);
  const unknown = (id: NodeId): readonly FloatSet[] =>
    tensor(present(shapes[id], "a shape"), () => anything).data;
  const values = lazily(() => valuesOf(question, standard));
  return {
    value: (id) => (question.applications.length > 0 ? unknown(id) : present(values()[id], "a value").data),
    tangent: unknown,
    cotangent: unknown,
  };
}

/** Returns the values of a graph of primitives as sets. Cost: an evaluation of the reference over sets. */
function valuesOf(question: PrimitiveCase, standard: Standard): Context<FloatSet> {
  const algebra = positSets(standard);
  const graph = interpret(question.graph, algebra);
  if (!graph.ok) throw new InvariantError("sets of posits offer what every operator needs");
  const { literal } = present(algebra.levels.semiring, "literals");
  const lift = ({ shape, data }: FlatTensor): Tensor<FloatSet> =>
    tensor(shape, (position) => literal(present(data[position], "an element")));
  const context = question.point.inputs.map(lift);
  const environment = liftEnvironment(question, lift);
  graph.value.nodes.forEach((node, index) => {
    const { op } = present(question.graph.nodes[index], "a node");
    const isKnown = !eliminating.has(op) && declaredExcess(standard, op) === 0;
    context.push(map(node.forward(context, environment), isKnown ? settled : () => anything));
  });
  return context;
}

/**
 * Returns the algebra of sets of posits. It is that of floats, where what these make infinite is NaR or the
 * end of the range, NaR compares, and what is undefined at 0 is NaR.
 */
function positSets(standard: Standard): ReturnType<typeof floatSets> {
  const floats = floatSets(standard);
  const all = present(floats.levels.orderedReal, "the reals");
  const bounded = withoutInfinities(standard.largest);
  const unary = (name: UnaryName) => (p: FloatSet) => bounded(all[name](p));
  const binary = (name: BinaryName) => (p: FloatSet, q: FloatSet) => {
    const image = bounded(all[name](p, q));
    const isUndefined = name !== "hypot";
    if (isUndefined && [p, q].every((operand) => isOnly(operand, "0", "-0"))) return ofKinds("nan");
    const mayBeOrigin = isUndefined && [p, q].every((operand) => mayBe(operand, "0", "-0"));
    return mayBeOrigin || [p, q].some((operand) => mayBe(operand, "nan"))
      ? union(image, ofKinds("nan"))
      : image;
  };
  const isCertain = (p: FloatSet, q: FloatSet): boolean => ![p, q].some((operand) => mayBe(operand, "nan"));
  const open = { mayHold: true, mayFail: true };
  const operations = {
    ...all,
    ...elementary(unary, binary),
    literal: (x: number) => (Number.isFinite(x) ? all.literal(x) : only(Number.NaN)),
    add: (p: FloatSet, q: FloatSet) => {
      const { pieces, ...sum } = all.add(p, q);
      const kept = q.terms === 0 ? p : p.terms === 0 ? q : bounded({ pieces, ...sum });
      return { ...kept, up: sum.up, down: sum.down, terms: sum.terms };
    },
    multiply: (p: FloatSet, q: FloatSet) => bounded(all.multiply(p, q)),
    divide: (p: FloatSet, q: FloatSet) => bounded(all.divide(p, q)),
    less: (p: FloatSet, q: FloatSet) => (isCertain(p, q) ? all.less(p, q) : open),
    equal: (p: FloatSet, q: FloatSet) => (isCertain(p, q) ? all.equal(p, q) : open),
  };
  const algebra: Algebra<FloatSet, ReturnType<typeof all.less>> = {
    ...floats,
    additive: operations,
    levels: everyLevel(operations),
  };
  return algebra;
}

/** Makes NaR of an infinity, or, where a number may have gone too far, that or the greatest number. */
function withoutInfinities(largest: number): (p: FloatSet) => FloatSet {
  return (p) => {
    const [isAbove, isBelow] = [mayBe(p, "inf", "far"), mayBe(p, "-inf", "-far")];
    if (!isAbove && !isBelow) return p;
    const finite = floatSet(p.pieces.filter(({ kind }) => !["inf", "far", "-inf", "-far"].includes(kind)));
    const ends = [...(mayBe(p, "far") ? [only(largest)] : []), ...(mayBe(p, "-far") ? [only(-largest)] : [])];
    return union(finite, ofKinds("nan"), ...ends);
  };
}
