import { type Context, interpret, map, type Tensor, tensor } from "../../reference/index.ts";
import {
  type BinaryName,
  elementary,
  type PrimitiveName,
  type UnaryName,
} from "../../spec/operators/index.ts";
import { type Algebra, everyLevel, InvariantError, present } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { liftEnvironment } from "./bounds.ts";
import { anything, either, isOnly, mayBe, only, type Possible, possible, those } from "./possible.ts";
import { possibilities, settled } from "./possible_algebra.ts";
import { declaredExcess, type Standard } from "./standard.ts";

/** What eliminates adds and divides in an order of its own. */
const eliminating: ReadonlySet<PrimitiveName> = new Set(["solve", "det"]);

/** The posits that honest engines may have as the values of a graph of primitives, id by id. Cost: an evaluation of the reference over sets. */
export function positValues(question: PrimitiveCase, standard: Standard): Context<Possible> {
  const algebra = positPossibilities(standard);
  const graph = interpret(question.graph, algebra);
  if (!graph.ok) throw new InvariantError("sets of posits offer what every operator needs");
  const { literal } = present(algebra.levels.semiring, "literals");
  const lift = ({ shape, data }: FlatTensor): Tensor<Possible> =>
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
 * The posits that honest engines may compute, as an algebra: that of floats, where what these make infinite has no value or is the end of the range;
 * NaR compares, and what is undefined at 0 is NaR.
 */
function positPossibilities(standard: Standard): ReturnType<typeof possibilities> {
  const floats = possibilities(standard);
  const all = present(floats.levels.orderedReal, "the reals");
  const bounded = withoutInfinities(standard.largest);
  const unary = (name: UnaryName) => (p: Possible) => bounded(all[name](p));
  const binary = (name: BinaryName) => (p: Possible, q: Possible) => {
    const image = bounded(all[name](p, q));
    const isUndefined = name !== "hypot";
    if (isUndefined && [p, q].every((operand) => isOnly(operand, "0", "-0"))) return those("nan");
    const mayBeOrigin = isUndefined && [p, q].every((operand) => mayBe(operand, "0", "-0"));
    return mayBeOrigin || [p, q].some((operand) => mayBe(operand, "nan"))
      ? either(image, those("nan"))
      : image;
  };
  const isCertain = (p: Possible, q: Possible): boolean => ![p, q].some((operand) => mayBe(operand, "nan"));
  const open = { mayHold: true, mayFail: true };
  const operations = {
    ...all,
    ...elementary(unary, binary),
    literal: (x: number) => (Number.isFinite(x) ? all.literal(x) : only(Number.NaN)),
    add: (p: Possible, q: Possible) => {
      const { pieces, ...sum } = all.add(p, q);
      const kept = q.terms === 0 ? p : p.terms === 0 ? q : bounded({ pieces, ...sum });
      return { ...kept, up: sum.up, down: sum.down, terms: sum.terms };
    },
    multiply: (p: Possible, q: Possible) => bounded(all.multiply(p, q)),
    divide: (p: Possible, q: Possible) => bounded(all.divide(p, q)),
    less: (p: Possible, q: Possible) => (isCertain(p, q) ? all.less(p, q) : open),
    equal: (p: Possible, q: Possible) => (isCertain(p, q) ? all.equal(p, q) : open),
  };
  const algebra: Algebra<Possible, ReturnType<typeof all.less>> = {
    ...floats,
    additive: operations,
    levels: everyLevel(operations),
  };
  return algebra;
}

/** A set of floats as posits have it: an infinity is NaR at a pole, and either that or the greatest number where a number may have gone too far. */
function withoutInfinities(largest: number): (p: Possible) => Possible {
  return (p) => {
    const [isAbove, isBelow] = [mayBe(p, "inf", "far"), mayBe(p, "-inf", "-far")];
    if (!isAbove && !isBelow) return p;
    const finite = possible(p.pieces.filter(({ kind }) => !["inf", "far", "-inf", "-far"].includes(kind)));
    const ends = [...(mayBe(p, "far") ? [only(largest)] : []), ...(mayBe(p, "-far") ? [only(-largest)] : [])];
    return either(finite, those("nan"), ...ends);
  };
}
