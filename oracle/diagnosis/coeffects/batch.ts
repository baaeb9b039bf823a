import type { AxisLink, Placed } from "../../../reference/units/index.ts";
import { type DimensionRules, dimensionRules } from "../../../reference/units/rules/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { NodeOf, PrimitiveGraph } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, type Shape } from "../../../spec/shapes/index.ts";

/** This is an axis of an input, or of an entry of Δ; entries are numbered behind the inputs. */
export interface GivenAxis {
  readonly given: number;
  readonly axis: number;
}

/**
 * Counts for each id the axes that grow with a given one: if that is twice as long, a value has twice as many
 * elements for each. Returns `undefined` where that axis is cut, joined or regrouped with something before
 * it, so that a longer one means another graph. Cost: linear in nodes and axes.
 */
export function degreesOf(graph: PrimitiveGraph, { given, axis }: GivenAxis): readonly number[] | undefined {
  const shapes = shapesOf(graph);
  const { inputs, environment, nodes } = graph;
  const entries = new Map(environment.map(({ name }, place) => [name, place]));
  const all: Shape[] = [
    ...shapes.slice(0, inputs.length),
    ...environment.map(({ shape }) => shape),
    ...shapes.slice(inputs.length),
  ];
  const place = (id: number): number => (id < inputs.length ? id : id + environment.length);
  const axes = new Axes(all);
  const unclear: (readonly [number, number])[] = [];
  for (const [index, node] of nodes.entries()) {
    const entry = node.op === "constant" ? entries.get(node.attributes.name) : undefined;
    const operands = entry === undefined ? node.parents.map(place) : [inputs.length + entry];
    const value = inputs.length + environment.length + index;
    const valueAt = (of: number | "result"): number => (of === "result" ? value : at(operands, of));
    for (const link of linksOf(
      node,
      operands.map((one) => at(all, one)),
      at(all, value),
      dimensionRules,
    )) {
      if (link.kind === "same") axes.join(valueAt(link.a.of), link.a.axis, valueAt(link.b.of), link.b.axis);
      else if (link.kind === "part") {
        const [part, whole] = [link.part, link.whole];
        // A part that covers its whole axis cuts nothing.
        if (link.first === 0 && link.step === 1 && link.count === at(all, valueAt(whole.of))[whole.axis])
          axes.join(valueAt(part.of), part.axis, valueAt(whole.of), whole.axis);
        else unclear.push([valueAt(part.of), part.axis], [valueAt(whole.of), whole.axis]);
      } else {
        const sides = [
          link.axes.filter(({ of }) => of !== "result"),
          link.axes.filter(({ of }) => of === "result"),
        ] as const;
        const [one, other] = [sides[0][0], sides[1][0]];
        if (one !== undefined && other !== undefined)
          axes.join(valueAt(one.of), one.axis, valueAt(other.of), other.axis);
        for (const { of, axis: inner } of sides.flatMap((side) => side.slice(1)))
          unclear.push([valueAt(of), inner]);
      }
    }
  }
  const root = axes.of(given, axis);
  if (unclear.some(([value, own]) => axes.of(value, own) === root)) return undefined;
  const degree = (value: number): number =>
    at(all, value).filter((_, own) => axes.of(value, own) === root).length;
  return shapes.map((_, id) => degree(place(id)));
}

function linksOf<K extends PrimitiveName>(
  node: NodeOf<K>,
  operands: readonly Shape[],
  result: Shape,
  rules: DimensionRules,
): readonly AxisLink[] {
  const placed: Placed<NodeOf<K>["attributes"]> = {
    attributes: node.attributes,
    operands,
    result,
    constants: operands.map(() => undefined),
  };
  return rules[node.op].axes(placed);
}

/** A union-find forest joins the axes that are one. */
class Axes {
  readonly #first: number[] = [];
  readonly #parent: number[] = [];

  constructor(shapes: readonly Shape[]) {
    for (const shape of shapes) {
      this.#first.push(this.#parent.length);
      for (let axis = 0; axis < shape.length; axis++) this.#parent.push(this.#parent.length);
    }
  }

  of(value: number, axis: number): number {
    let found = at(this.#first, value) + axis;
    for (let above = at(this.#parent, found); above !== found; above = at(this.#parent, found)) {
      this.#parent[found] = at(this.#parent, above);
      found = above;
    }
    return found;
  }

  join(value: number, axis: number, other: number, otherAxis: number): void {
    this.#parent[this.of(value, axis)] = this.of(other, otherAxis);
  }
}
