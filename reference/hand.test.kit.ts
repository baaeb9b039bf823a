import { type Algebra, type NodeId, nodeId, present, type Semiring } from "../spec/index.ts";
import type { Context } from "./context.ts";
import type { NodeData } from "./graph.ts";
import type { Tensor } from "./tensor.ts";

/** Δ of a graph that reads none. */
export const noEnvironment: ReadonlyMap<string, never> = new Map<string, never>();

/** A tensor of rank 0. */
export const scalar = <S>(x: S): Tensor<S> => ({ shape: [], data: [x] });

/** The elements of all entries, one after the other. */
export const elements = <S>(context: Context<S>): S[] => context.flatMap(({ data }) => [...data]);

/** Tells whether two contexts have the same shapes and the same elements. */
export function isSameContext<S, B>(algebra: Algebra<S, B>, a: Context<S>, b: Context<S>): boolean {
  const shapes = (context: Context<S>): string => JSON.stringify(context.map(({ shape }) => shape));
  const right = elements(b);
  return (
    shapes(a) === shapes(b) &&
    elements(a).every((x, i) => algebra.isSame(x, present(right[i], "an element of a context of one type")))
  );
}

/** `x · y` of scalars, or `x · x` if both are one id. */
export function product<S>(a: Semiring<S>, x: number, y: number): NodeData<S> {
  const value = (context: Context<S>, id: number): S => present(context[id]?.data[0], "a scalar");
  return {
    name: "product",
    shape: [],
    reads: [nodeId(x), nodeId(y)],
    forward: (context) => scalar(a.multiply(value(context, x), value(context, y))),
    jvp: (context, tangents) =>
      scalar(
        a.add(
          a.multiply(value(tangents, x), value(context, y)),
          a.multiply(value(context, x), value(tangents, y)),
        ),
      ),
    vjp: (context, _environment, { data: [c = a.zero] }) => {
      const [xBar, yBar] = [a.multiply(c, value(context, y)), a.multiply(c, value(context, x))];
      const bars: [NodeId, Tensor<S>][] =
        x === y
          ? [[nodeId(x), scalar(a.add(xBar, yBar))]]
          : [
              [nodeId(x), scalar(xBar)],
              [nodeId(y), scalar(yBar)],
            ];
      return new Map(bars);
    },
  };
}
