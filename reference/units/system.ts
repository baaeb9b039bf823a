import { type Expansion, shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, NodeOf, PrimitiveGraph } from "../../spec/graph/index.ts";
import type { PrimitiveName } from "../../spec/operators/index.ts";
import {
  at,
  fail,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  present,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import {
  type Declarations,
  type Dimension,
  type Exponent,
  inScaleOrder,
  isSameUnit,
  type Measure,
  one,
  type Unit,
  unitAt,
} from "../../spec/units/index.ts";
import type { Rational } from "../algebras/rational.ts";
import { Borders } from "./borders.ts";
import { known } from "./constants.ts";
import { corners, type Grid } from "./grid.ts";
import { measuredExpansion } from "./measured.ts";
import type { Placed, Reason, UnknownTerm } from "./rule.ts";
import { type DimensionRules, dimensionRules } from "./rules/index.ts";

/** An equation between dimensions: the terms add up to nothing. */
export interface Equation {
  readonly reason: Reason;
  readonly terms: readonly UnknownTerm[];
  /** The value of the system whose node, or whose declaration, asks it. */
  readonly of: number;
  /** A declaration stands at this place of its document. */
  readonly pointer?: string;
}

/** The most blocks of all values together. */
const MAXIMUM_BLOCKS: number = 2 ** 20;

/** A unit is a product of powers of bases: its dimension, or its scale. */
export interface Aspect {
  readonly bases: readonly string[];
  exponents(unit: Unit): Dimension;
}

/** Reads the declarations as dimensions. */
export function dimensionsOf({ bases }: Declarations): Aspect {
  return { bases, exponents: ({ dimension }) => dimension };
}

/** Reads the declarations as scales, whose bases are the primes and constants that occur. */
export function scalesOf({ declared }: Declarations): Aspect {
  const primes = new Set<string>();
  for (const { measure } of declared) {
    for (const { scale } of [measure.unit, ...measure.along.flatMap(({ units }) => units)]) {
      for (const prime of scale.keys()) primes.add(prime);
    }
  }
  return { bases: [...primes].sort(inScaleOrder), exponents: ({ scale }) => scale };
}

/**
 * A graph's dimensions as a system of linear equations over the rationals. The first unknowns are the bases,
 * independent of each other. Then come the blocks of the values: inputs, entries of Δ, nodes.
 */
export interface DimensionSystem {
  readonly graph: PrimitiveGraph;
  readonly aspect: Aspect;
  /** The blocks of each value, by its place: inputs, entries of Δ, nodes. */
  readonly grids: readonly Grid[];
  /** There are so many unknowns, with the bases. */
  readonly unknowns: number;
  /** They come in the order of the values that cause them, after those declared of inputs and entries. */
  readonly equations: readonly Equation[];
  /** Returns the place of an original id among the values. */
  valueOf(id: NodeId): number;
  /** Returns the place of an entry of Δ. */
  valueOfEntry(name: string): number | undefined;
  /** Returns the original id to which a value belongs; `undefined` for an entry of Δ. */
  originOf(value: number): NodeId | undefined;
  /**
   * Tells whether a value has a dimension of its own: it is not known to be zero, which has every one, and
   * not a step of an expansion that a known number hides.
   */
  isMeasured(value: number): boolean;
}

/** A graph's values and their declarations are laid out so. */
interface Layout {
  readonly graph: PrimitiveGraph;
  readonly shapes: readonly Shape[];
  readonly entries: ReadonlyMap<string, number>;
  readonly ids: readonly NodeId[];
  readonly constants: readonly (Rational | undefined)[];
  /** Says for each expanded id whether its equations matter to anything that is asked for. */
  readonly isRead: readonly boolean[];
  readonly rules: DimensionRules;
  readonly declared: ReadonlyMap<number, Declared>;
}

/** What is declared of one value, and where. */
type Declared = readonly { readonly measure: Measure; readonly pointer: string }[];

/**
 * Returns the equations of a graph with its declarations. Composites stand for their expansions, of which
 * nodes that a known number hides ask nothing. `rules` is another table of rules, for tests of wrong ones.
 * Fails: `units/blocks` if there are too many. Cost: linear in the expansion, and in the blocks of its
 * values.
 */
export function dimensionSystem(
  original: Graph,
  declarations: Declarations,
  aspect: Aspect = dimensionsOf(declarations),
  rules: DimensionRules = dimensionRules,
): Result<DimensionSystem, Issue> {
  const expansion = measuredExpansion(original);
  const layout = layoutOf(expansion, declarations, rules);
  const { graph, entries, ids, constants } = layout;
  const found = gridsOf(layout, aspect.bases.length);
  if (!found.ok) return found;
  const grids = found.value;
  const last = grids.at(-1);
  const nodesFrom = graph.inputs.length + graph.environment.length;
  const { origins } = expansion;
  const valueOfId = (id: number): number => (id < graph.inputs.length ? id : id + graph.environment.length);
  return ok({
    graph,
    aspect,
    grids,
    unknowns: last === undefined ? aspect.bases.length : last.first + last.count,
    equations: equationsOf(layout, grids, aspect),
    valueOf: (id) => valueOfId(at(ids, id)),
    valueOfEntry: (name) => entries.get(name),
    originOf: (value) => {
      if (value < graph.inputs.length) return nodeId(value);
      return value < nodesFrom ? undefined : origins[value - graph.environment.length];
    },
    isMeasured: (value) => {
      if (value < nodesFrom) return true;
      const id = value - graph.environment.length;
      return layout.isRead[id] === true && !known.isZero(constants[id]);
    },
  });
}

function layoutOf(
  { graph, ids }: Expansion<PrimitiveGraph>,
  { declared }: Declarations,
  rules: DimensionRules,
): Layout {
  const inputs = graph.inputs.length;
  const entries = new Map(graph.environment.map(({ name }, place) => [name, inputs + place]));
  const all = shapesOf(graph);
  const shapes = [
    ...all.slice(0, inputs),
    ...graph.environment.map(({ kind, shape }) => (kind === "real" ? shape : [])),
    ...all.slice(inputs),
  ];
  const byValue = new Map<number, Declared>();
  for (const { of, measure, pointer } of declared) {
    const id = of.kind === "id" ? at(ids, of.id) : 0;
    const value =
      of.kind === "entry"
        ? present(entries.get(of.name), "a declared entry")
        : id < inputs
          ? id
          : id + graph.environment.length;
    byValue.set(value, [...(byValue.get(value) ?? []), { measure, pointer }]);
  }
  const constants = constantsOf(graph, all, rules, byValue);
  return {
    graph,
    shapes,
    entries,
    ids,
    constants,
    isRead: readIds(graph, ids, constants),
    rules,
    declared: byValue,
  };
}

/** Says whether a value is a number that was given a unit, as 9.81 m/s². */
function isMeasuredNumber({ op }: { readonly op: string }, own: Declared = []): boolean {
  return (
    op === "full" && own.some(({ measure: { unit, along } }) => !isSameUnit(unit, one) || along.length > 0)
  );
}

/**
 * Finds for each id the number that all elements of its value are, if the graph implies one. A number with a
 * unit, as 9.81 m/s², is none; but for 0, which is 0 in every unit.
 */
function constantsOf(
  graph: PrimitiveGraph,
  shapes: readonly Shape[],
  rules: DimensionRules,
  declared: Layout["declared"],
): (Rational | undefined)[] {
  const constants: (Rational | undefined)[] = graph.inputs.map(() => undefined);
  for (const node of graph.nodes) {
    const constant = known.bounded(constantOf(rules, node, shapes, constants));
    const isLost = isMeasuredNumber(node, declared.get(constants.length + graph.environment.length));
    constants.push(isLost && !known.isZero(constant) ? undefined : constant);
  }
  return constants;
}

function constantOf<K extends PrimitiveName>(
  rules: DimensionRules,
  { op, attributes, parents }: NodeOf<K>,
  shapes: readonly Shape[],
  constants: readonly (Rational | undefined)[],
): Rational | undefined {
  const rule = rules[op];
  if (rule.constant === undefined) return undefined;
  return rule.constant({
    attributes,
    operands: parents.map((id) => at(shapes, id)),
    result: at(shapes, constants.length),
    constants: parents.map((id) => constants[id]),
  });
}

/** Returns all that existed before composites were written out, and what it needs beside known numbers. */
function readIds(
  { inputs, nodes }: PrimitiveGraph,
  ids: readonly NodeId[],
  constants: readonly unknown[],
): boolean[] {
  const isRead = Array.from({ length: inputs.length + nodes.length }, () => false);
  for (const id of ids) isRead[id] = true;
  for (let id = isRead.length - 1; id >= inputs.length; id--) {
    if (isRead[id] !== true || constants[id] !== undefined) continue;
    for (const parent of at(nodes, id - inputs.length).parents) isRead[parent] = true;
  }
  return isRead;
}

/** A node reads values at these places, and its own is at that place. */
interface Site<K extends PrimitiveName> {
  readonly node: NodeOf<K>;
  readonly placed: Placed<NodeOf<K>["attributes"]>;
  readonly value: number;
  readonly operands: readonly number[];
}

function siteOf<K extends PrimitiveName>(layout: Layout, node: NodeOf<K>, index: number): Site<K> {
  const { graph, shapes, entries, constants } = layout;
  const { inputs, environment } = graph;
  const named = (attribute: string): number | undefined => {
    const name: unknown = Object.entries(node.attributes).find(([key]) => key === attribute)?.[1];
    return typeof name === "string" ? entries.get(name) : undefined;
  };
  const entry = node.op === "constant" ? named("name") : undefined;
  const operands =
    entry === undefined
      ? node.parents.map((id) => (id < inputs.length ? id : id + environment.length))
      : [entry];
  const value = inputs.length + environment.length + index;
  const placed = {
    attributes: node.attributes,
    operands: operands.map((place) => at(shapes, place)),
    result: at(shapes, value),
    constants: entry === undefined ? node.parents.map((id) => constants[id]) : [undefined],
  };
  const indices = named("indices");
  if (indices === undefined) return { node, placed, value, operands };
  const { shape } = at(environment, indices - inputs.length);
  return { node, placed: { ...placed, indices: shape }, value, operands };
}

/** Returns the blocks of every value, numbered from `bases` on. */
function gridsOf(layout: Layout, bases: number): Result<Grid[], Issue> {
  const { graph, shapes, declared, rules } = layout;
  const borders = new Borders(shapes);
  graph.nodes.forEach((node, index) => {
    linkNode(borders, rules, siteOf(layout, node, index));
  });
  for (const [value, measures] of declared) {
    for (const { along } of measures.map(({ measure }) => measure)) {
      for (const { axis, units } of along) {
        for (let place = 1; place < units.length; place++) {
          if (!isSameUnit(at(units, place), at(units, place - 1))) borders.cut(value, axis, place);
        }
      }
    }
  }
  borders.spread();
  let first = bases;
  const grids = shapes.map((shape, value) => {
    const starts = borders.isTooFine ? [] : borders.startsOf(value);
    const count = starts.reduce((product, { length }) => product * length, 1);
    const grid = { shape, starts, first, count };
    first += count;
    return grid;
  });
  return borders.isTooFine || first - bases > MAXIMUM_BLOCKS ? fail(tooManyBlocks) : ok(grids);
}

const tooManyBlocks: Issue = {
  code: "units/blocks",
  pointer: "",
  message: `its values change their dimension so often that they have over ${MAXIMUM_BLOCKS} blocks.`,
  hint: "declare fewer units along axes, or make what is joined, sliced or reshaped smaller",
};

function linkNode<K extends PrimitiveName>(
  borders: Borders,
  rules: DimensionRules,
  { node, placed, value, operands }: Site<K>,
): void {
  borders.link(rules[node.op].axes(placed), (of) => (of === "result" ? value : at(operands, of)));
}

function equationsOf(layout: Layout, grids: readonly Grid[], aspect: Aspect): Equation[] {
  const { graph, declared, constants, isRead } = layout;
  const equations: Equation[] = [];
  const given = graph.inputs.length + graph.environment.length;
  const declare = (value: number): void => {
    for (const { measure, pointer } of declared.get(value) ?? []) {
      askDeclared(equations, at(grids, value), measure, aspect, { value, pointer });
    }
  };
  for (let value = 0; value < given; value++) declare(value);
  graph.nodes.forEach((node, index) => {
    const id = graph.inputs.length + index;
    if (isRead[id] === true) askNode(equations, grids, layout, siteOf(layout, node, index), constants[id]);
    declare(given + index);
  });
  return equations;
}

function askNode<K extends PrimitiveName>(
  equations: Equation[],
  grids: readonly Grid[],
  { rules, declared }: Layout,
  { node, placed, value, operands }: Site<K>,
  constant: Rational | undefined,
): void {
  const own = at(grids, value);
  const ask = (reason: Reason, ...terms: readonly UnknownTerm[]): void => {
    equations.push({ reason, terms, of: value });
  };
  if (known.isZero(constant)) return;
  if (constant !== undefined) {
    for (let block = 0; block < own.count; block++) ask("literal", [own.first + block, 1n]);
    return;
  }
  if (isMeasuredNumber(node, declared.get(value))) return;
  rules[node.op].equations({
    ...placed,
    grids: operands.map((place) => at(grids, place)),
    own,
    isZero: (operand) => known.isZero(placed.constants[operand]),
    ask,
  });
}

/** Asks that a value is as declared: over a common denominator, multiples of it and of each base. */
function askDeclared(
  equations: Equation[],
  grid: Grid,
  measure: Measure,
  { bases, exponents }: Aspect,
  { value, pointer }: { readonly value: number; readonly pointer: string },
): void {
  const places = new Map(bases.map((base, place) => [base, place]));
  let unknown = grid.first;
  for (const corner of corners(grid)) {
    const powers = [...exponents(unitAt(measure, corner))];
    const common = powers.reduce((product, [, { denominator }]) => product * denominator, 1n);
    const terms = powers.map(([base, power]: [string, Exponent]): UnknownTerm => {
      const place = present(places.get(base), `the base ${base}`);
      return [place, (-power.numerator * common) / power.denominator];
    });
    equations.push({ reason: "declared", terms: [[unknown, common], ...terms], of: value, pointer });
    unknown += 1;
  }
}

/** Returns the value whose block an unknown is. Cost: a binary search. */
export function valueWith({ grids }: DimensionSystem, unknown: number): number {
  let [low, high] = [0, grids.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(grids, middle).first <= unknown) low = middle;
    else high = middle;
  }
  return low;
}
