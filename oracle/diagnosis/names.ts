import { blockWith, type DimensionSystem, rangeOf, valueWith } from "../../reference/units/index.ts";
import { type Graph, nodeAt } from "../../spec/graph/index.ts";
import { at, type NodeId, visible } from "../../spec/shapes/index.ts";
import {
  type Dimension,
  type Exponent,
  formatDimension,
  formatExponent,
  formatScale,
} from "../../spec/units/index.ts";
import type { Form } from "./elimination.ts";

/** These name the values, blocks and dimensions of a system. */
export interface Names {
  /** Returns `input a`, `entry k`, `node 7 (subtract)` or `a step of node 7 (softmax)`. */
  value(value: number): string;
  /** Returns the same in a word: `a`, `k`, `node 7`. */
  short(value: number): string;
  /** Returns the {@link short} name and the elements of the block, if not all: `state[0]`, `W[2:4, :]`. */
  block(unknown: number): string;
  /** Returns `kg·m·s⁻²·⟨w⟩`: bases, then the blocks whose free dimensions are meant. */
  form(form: Form): string;
}

/** Names what is in a system by the graph that it was made of. */
export function namesIn(
  system: DimensionSystem,
  original: Graph,
  as: "dimension" | "scale" = "dimension",
): Names {
  const { graph, grids, aspect } = system;
  const inputs = graph.inputs.length;
  const entryOf = (value: number): string | undefined => graph.environment[value - inputs]?.name;
  const opOf = (id: NodeId): string => nodeAt(original, id)?.op ?? "";
  const isItself = (value: number, origin: NodeId): boolean => system.valueOf(origin) === value;
  const short = (value: number): string => {
    if (value < inputs) return visible(at(graph.inputs, value).name, 40);
    const entry = entryOf(value);
    if (entry !== undefined) return visible(entry, 40);
    const origin = system.originOf(value);
    if (origin === undefined) return "?";
    return isItself(value, origin) ? `node ${origin}` : `a step of node ${origin}`;
  };
  const block = (unknown: number): string => {
    const value = valueWith(system, unknown);
    const grid = at(grids, value);
    if (grid.count === 1) return short(value);
    const places = blockWith(grid, unknown).map((number, axis) => {
      const [start, end] = rangeOf(grid, axis, number);
      if (start === 0 && end === at(grid.shape, axis)) return ":";
      return end === start + 1 ? `${start}` : `${start}:${end}`;
    });
    return `${short(value)}[${places.join(", ")}]`;
  };
  return {
    short,
    block,
    value: (value) => {
      if (value < inputs) return `input ${short(value)}`;
      if (entryOf(value) !== undefined) return `entry ${short(value)}`;
      const origin = system.originOf(value);
      return origin === undefined ? short(value) : `${short(value)} (${opOf(origin)})`;
    },
    form: (form) => {
      const bases = new Map<string, Exponent>();
      const free: string[] = [];
      for (const [unknown, exponent] of [...form].sort(([a], [b]) => a - b)) {
        const base = aspect.bases[unknown];
        if (base === undefined) free.push(`⟨${block(unknown)}⟩${formatExponent(exponent)}`);
        else bases.set(base, exponent);
      }
      const known = withBases(bases, aspect.bases, as);
      return free.length === 0 ? known : [...(bases.size === 0 ? [] : [known]), ...free].join("·");
    },
  };
}

function withBases(powers: Dimension, bases: readonly string[], as: "dimension" | "scale"): string {
  return as === "dimension" ? formatDimension(powers, bases) : formatScale(powers);
}
