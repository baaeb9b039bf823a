import { referenceConventions } from "../../../engines/index.ts";
import { at, floatAt, type Shape, sizeOf } from "../../../spec/index.ts";
import type { EagerLibrary } from "./library.ts";

/** A tensor that remembers its parents, and how many claims there are on it. */
export interface Tiny {
  readonly shape: Shape;
  readonly data: Float64Array;
  readonly parents: readonly (readonly [Tiny, (cotangent: Tiny) => Tiny])[];
  claims: number;
}

/** A library in the manner of HIPS autograd, whose functions consume their arguments as jax-js's do. */
export interface TinyLibrary {
  readonly library: EagerLibrary<Tiny>;
  /** Counts the claims, on any tensor, that were not given up. */
  claims(): number;
}

type Elementwise = (...values: number[]) => number;

/** Makes the library: every tensor counts its claims, and throws if it is used more often. */
export function tinyLibrary(): TinyLibrary {
  let open = 0;
  const made = (shape: Shape, data: Float64Array, parents: Tiny["parents"] = []): Tiny => {
    open += 1;
    return { shape, data, parents, claims: 1 };
  };
  const share = (tensor: Tiny): Tiny => {
    tensor.claims += 1;
    open += 1;
    return tensor;
  };
  const release = (tensor: Tiny): Tiny => {
    if (tensor.claims === 0) throw new Error("a tensor is used that was given up");
    tensor.claims -= 1;
    open -= 1;
    return tensor;
  };
  /** Applies an operator to elements of tensors of one shape; its cotangents are made of operators too. */
  const elementwise = (
    f: Elementwise,
    operands: readonly Tiny[],
    pulls: readonly ((cotangent: Tiny) => Tiny)[],
  ): Tiny => {
    const { shape } = at(operands, 0);
    const data = Float64Array.from({ length: sizeOf(shape) }, (_, i) =>
      f(...operands.map((operand) => floatAt(operand.data, i))),
    );
    for (const operand of operands) release(operand);
    return made(
      shape,
      data,
      operands.map((operand, i) => [operand, at(pulls, i)]),
    );
  };
  const add = (x: Tiny, y: Tiny): Tiny => elementwise((a, b) => a + b, [x, y], [same, same]);
  const negative = (x: Tiny): Tiny => elementwise((a) => -a, [x], [negative]);
  const subtract = (x: Tiny, y: Tiny): Tiny => elementwise((a, b) => a - b, [x, y], [same, negative]);
  const multiply = (x: Tiny, y: Tiny): Tiny =>
    elementwise((a, b) => a * b, [x, y], [(c) => multiply(c, share(y)), (c) => multiply(c, share(x))]);
  const exp = (x: Tiny): Tiny => {
    const value: Tiny = elementwise(Math.exp, [x], [(c) => multiply(c, share(value))]);
    return value;
  };
  const zeros = ({ shape }: Tiny): Tiny => made(shape, new Float64Array(sizeOf(shape)));
  const where = (condition: Tiny, x: Tiny, y: Tiny): Tiny =>
    elementwise(
      (holds, a, b) => (holds === 0 ? b : a),
      [condition, x, y],
      [
        (c) => multiply(c, zeros(c)),
        (c) => where(share(condition), c, zeros(c)),
        (c) => where(share(condition), zeros(c), c),
      ],
    );
  const same = (cotangent: Tiny): Tiny => cotangent;
  /** Moves elements: element `i` of the result is the sum of those at `from[i]`. */
  const moved = (x: Tiny, shape: Shape, from: readonly (readonly number[])[]): Tiny => {
    const data = Float64Array.from(from, (places) => places.reduce((sum, i) => sum + floatAt(x.data, i), 0));
    const back = Array.from({ length: sizeOf(x.shape) }, (_, i) =>
      from.flatMap((places, to) => places.filter((place) => place === i).map(() => to)),
    );
    return made(shape, data, [[release(x), (c) => moved(c, x.shape, back)]]);
  };
  const concat = (parts: readonly Tiny[]): Tiny => {
    const data = Float64Array.from(parts.flatMap((part) => [...part.data]));
    let first = 0;
    const parents = parts.map((part): Tiny["parents"][number] => {
      const start = first;
      first += part.data.length;
      const places = Array.from(part.data, (_, i) => [start + i]);
      return [release(part), (c) => moved(c, part.shape, places)];
    });
    return made([data.length], data, parents);
  };
  const each = (tensor: Tiny): number[][] => Array.from(tensor.data, (_, i) => [i]);
  const library: EagerLibrary<Tiny> = {
    description: {
      name: "tiny",
      version: "1",
      language: "TypeScript",
      links: [],
      dtypes: ["float64"],
      conventions: referenceConventions,
      accuracy: {},
    },
    operators: {
      stop_gradient: (_, [x]) => made(x.shape, release(x).data),
      add: (_, [x, y]) => add(x, y),
      subtract: (_, [x, y]) => subtract(x, y),
      multiply: (_, [x, y]) => multiply(x, y),
      exp: (_, [x]) => exp(x),
      where: (_, [condition, x, y]) => where(condition, x, y),
      cumulative_sum: (_, [x]) => {
        const places = Array.from(x.data, (_element, i) => i);
        return moved(
          x,
          x.shape,
          places.map((i) => places.slice(0, i + 1)),
        );
      },
      sum: (_, [x]) => moved(x, [], [Array.from(x.data, (_element, i) => i)]),
      reshape: ({ shape }, [x]) => moved(x, shape, each(x)),
      concat: (_, parts) => concat(parts),
      take: ({ indices }, [x], named) => {
        const places = [...named(indices).data].map((place) => [place]);
        return moved(x, [places.length], places);
      },
    },
    tensor: ({ shape, data }) => made(shape, data.slice()),
    read: (tensor) => ({ shape: tensor.shape, data: release(tensor).data }),
    vjp(f, inputs, cotangents) {
      const cotangentOf = new Map<Tiny, Tiny>();
      const accumulate = (tensor: Tiny, cotangent: Tiny): void => {
        const before = cotangentOf.get(tensor);
        cotangentOf.set(tensor, before === undefined ? cotangent : add(before, cotangent));
      };
      const results = f(inputs.map(share));
      for (const [i, result] of results.entries()) accumulate(release(result), at(cotangents, i));
      for (const tensor of inOrder(results)) {
        const cotangent = cotangentOf.get(tensor);
        if (cotangent === undefined || inputs.includes(tensor)) continue;
        for (const [parent, pull] of tensor.parents) accumulate(parent, pull(share(cotangent)));
        release(cotangent);
        cotangentOf.delete(tensor);
      }
      for (const input of inputs) release(input);
      const pulled = inputs.map((input) => cotangentOf.get(input));
      for (const [tensor, cotangent] of cotangentOf) if (!inputs.includes(tensor)) release(cotangent);
      return pulled;
    },
    nests: true,
    programs: true,
    ownership: { share, release },
  };
  return { library, claims: () => open };
}

/** Lists tensors and their ancestors, each before its parents. */
function inOrder(results: readonly Tiny[]): Tiny[] {
  const seen = new Set<Tiny>();
  const visit = (tensor: Tiny): void => {
    if (seen.has(tensor)) return;
    for (const [parent] of tensor.parents) visit(parent);
    seen.add(tensor);
  };
  results.forEach(visit);
  return [...seen].reverse();
}
