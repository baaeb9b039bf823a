import { isOperatorName, operatorNames, operators } from "../composites/index.ts";
import { broadcastShape } from "../construction/broadcast.ts";
import { checkApplication } from "../documents/index.ts";
import type { Graph } from "../graph/index.ts";
import { acceptsCount, type EnvironmentEntry, formatArity } from "../operators/index.ts";
import { formatShape, isSameShape, quote, type Shape } from "../shapes/index.ts";
import { type ComponentsAt, parseFloat64 } from "../wire/index.ts";
import { attributeOf, setsOf } from "./data.ts";
import type { Faults } from "./fault.ts";
import { signs } from "./forms.ts";
import type { Assignment, Declaration, Derivative, Expression, Let, Line, Place, Word } from "./tree.ts";

/** A node as JSON, before the check of the whole graph. */
interface NodeText {
  readonly op: string;
  readonly attributes: object;
  readonly parents: readonly number[];
}

/** A graph as JSON, before the check. */
export interface GraphText extends Omit<Graph, "nodes"> {
  readonly nodes: readonly NodeText[];
}

/**
 * An operand: an id, a number that takes the shape of the others, or nothing, because of a mistake before.
 */
type Operand = number | { readonly literal: number } | undefined;

/**
 * Writes the nodes of a graph that is read from its text. Numbers become `full`, names of Δ `constant` nodes.
 */
export class GraphReading {
  readonly inputs: { readonly name: string; readonly shape: Shape }[] = [];
  readonly environment: Map<string, EnvironmentEntry> = new Map();
  readonly nodes: NodeText[] = [];
  /** The places of the inputs, of the entries of Δ, and of the nodes, in their order. */
  readonly places: { inputs: Place[]; environment: Place[]; nodes: Place[] } = {
    inputs: [],
    environment: [],
    nodes: [],
  };
  /** The lines that say what their value is measured in, by its id. */
  readonly measured: Map<number, Let> = new Map();
  /** The names of values; `undefined` stands for one whose line is wrong. */
  readonly names: Map<string, number | undefined> = new Map();
  readonly shapes: (Shape | undefined)[] = [];
  readonly #constants: Map<string, number> = new Map();
  readonly #faults: Faults;
  readonly #around: ReadonlyMap<string, EnvironmentEntry>;

  /** Entries of Δ `around` are those of a graph in which this one stands. */
  constructor(faults: Faults, around: ReadonlyMap<string, EnvironmentEntry> = new Map()) {
    this.#faults = faults;
    this.#around = around;
  }

  /** The graph as far as it was understood. */
  get graph(): GraphText {
    const { inputs, environment, nodes } = this;
    return { format: "adjudge.graph.v1", inputs, environment: [...environment.values()], nodes };
  }

  /** Declares inputs, and entries of Δ. */
  declare(inputs: readonly Declaration[], given: readonly Declaration[]): void {
    for (const { name, shape = [], isIndex, place } of inputs) {
      if (isIndex) this.#faults.add("text/index", place, "an input has no indices.", "declare it as given");
      this.#bind(name, this.shapes.length);
      this.shapes.push(this.#faults.acceptsShape(shape, place) ? shape : undefined);
      this.inputs.push({ name: name.text, shape });
      this.places.inputs.push(place);
    }
    for (const { name, shape = [], isIndex, place } of given) {
      if (this.names.has(name.text) || this.environment.has(name.text)) this.#bind(name, undefined);
      this.#faults.acceptsShape(shape, place);
      this.environment.set(name.text, { name: name.text, shape, kind: isIndex ? "index" : "real" });
      this.places.environment.push(place);
    }
  }

  /** Reads a line, and gives its value the name that it has. */
  read(line: Let): void {
    const { names, shape, value, place, unit, along } = line;
    const [name, second] = names;
    if (second !== undefined) {
      const hint = "give each value a line of its own";
      this.#faults.add("text/names", second.place, "a line of a graph has one value.", hint);
    }
    const id = this.#idOf(this.#value(value, true), []);
    const own = id === undefined ? undefined : this.shapes[id];
    if (own !== undefined && shape !== undefined && !isSameShape(own, shape)) {
      const message = `the value has the shape ${formatShape(own)}.`;
      this.#faults.add("text/shape", place, message, "correct the shape, or leave it out");
    }
    if (id !== undefined && (unit !== undefined || along !== undefined)) {
      if (this.measured.has(id))
        this.#faults.add("text/twice", unit?.place ?? place, "the value has a unit already.", "say it once");
      this.measured.set(id, line);
    }
    if (name !== undefined) this.#name(name, id);
  }

  /**
   * Returns the id that a word names, an input's or a value's; `undefined`, and a fault, if it names none.
   */
  idOf(word: Word): number | undefined {
    if (this.names.has(word.text)) return this.names.get(word.text);
    const id = numbered(word);
    if (id !== undefined && id < this.shapes.length) return id;
    this.#faults.addUnknown("text/name", "value", word, [...this.names.keys()]);
    return undefined;
  }

  /** Adds the sets that are expected at an id, once for each; tells whether it could. */
  expect(list: ComponentsAt[], { name, value }: Assignment): boolean {
    const id = this.idOf(name);
    const shape = id === undefined ? undefined : this.shapes[id];
    if (id === undefined || shape === undefined) return false;
    if (list.some((at) => at.id === id))
      this.#faults.add("text/twice", name.place, "this is expected already.", "say it once");
    const sets = setsOf(value, shape, this.#faults);
    if (sets !== undefined) list.push({ id, sets });
    return sets !== undefined;
  }

  /** Applies an operator to values that are known. */
  apply(op: string, operands: readonly number[], attributes: object, place: Place): number | undefined {
    const shapes = operands.map((id) => this.shapes[id]);
    const known = shapes.filter((shape) => shape !== undefined);
    const node = { op, attributes, parents: operands };
    if (known.length < shapes.length) return this.#push(node, undefined, place);
    const surroundings = { environment: this.environment, isEnvironmentPartial: false };
    const applied = checkApplication(node, known, surroundings);
    if (applied.ok) return this.#push(node, applied.value, place);
    for (const issue of applied.error) this.#faults.addIssue(issue, place);
    return undefined;
  }

  #push(node: NodeText, shape: Shape | undefined, place: Place): number {
    this.nodes.push(node);
    this.places.nodes.push(place);
    return this.shapes.push(shape) - 1;
  }

  #bind(name: Word, id: number | undefined): void {
    if (this.names.has(name.text) || this.environment.has(name.text)) {
      const message = `the name ${quote(name.text)} is taken by an earlier line.`;
      this.#faults.add("text/name-twice", name.place, message, "names are unique within a graph");
    }
    this.names.set(name.text, id);
  }

  /** Names a value. A name such as `%3` is the value's id, and must be the one that it has. */
  #name(name: Word, id: number | undefined): void {
    const own = numbered(name);
    if (own === undefined || id === undefined) this.#bind(name, id);
    if (own === undefined || id === undefined || own === id) return;
    const hint = "ids count the inputs first, then the values, from 0; or give it a name without %";
    this.#faults.add("text/id", name.place, `this value has the id ${id}.`, hint);
  }

  /** Returns the value of an expression. A name of Δ that stands alone is a node of its own. */
  #value(expression: Expression, isAlone: boolean): Operand {
    switch (expression.kind) {
      case "number":
        return this.#literal(expression.text, expression.place);
      case "name":
        return this.#named(expression.name, isAlone);
      case "negative":
        if (expression.operand.kind === "number")
          return this.#literal(`-${expression.operand.text}`, expression.place);
        return this.#applied("negative", [expression.operand], {}, expression.place);
      case "infix": {
        const { sign, left, right, place } = expression;
        return this.#applied(signs[sign] ?? sign, [left, right], {}, place);
      }
      case "call":
        return this.#called(expression);
      case "derivative":
        return this.#derived(expression);
      default: {
        const message = "a location, a view of it or a procedure stands in programs alone.";
        this.#faults.add("text/program", expression.place, message, "in a graph, apply slice or reshape");
        return undefined;
      }
    }
  }

  #literal(text: string, place: Place): Operand {
    const literal = parseFloat64(text);
    if (literal !== undefined && Number.isFinite(literal)) return { literal };
    const hint = "give it as an entry of Δ: given (c: [])";
    this.#faults.add("text/number", place, "a number in a line is finite.", hint);
    return undefined;
  }

  #named(name: Word, isAlone: boolean): Operand {
    if (this.names.has(name.text)) return this.names.get(name.text);
    const id = numbered(name);
    if (id !== undefined && id < this.shapes.length) return id;
    this.#declareAround(name.text);
    const entry = this.environment.get(name.text);
    if (entry === undefined) {
      const known = [...this.names.keys(), ...this.environment.keys()];
      this.#faults.addUnknown("text/name", "value", name, known);
      return undefined;
    }
    const before = isAlone ? undefined : this.#constants.get(name.text);
    const constant = before ?? this.apply("constant", [], { name: name.text }, name.place);
    if (constant !== undefined && !this.#constants.has(name.text)) this.#constants.set(name.text, constant);
    return constant;
  }

  /** Declares an entry of Δ of the graph around, where one is named within. */
  #declareAround(name: string): void {
    const entry = this.#around.get(name);
    if (entry !== undefined && !this.environment.has(name)) this.environment.set(name, entry);
  }

  #called(call: Extract<Expression, { readonly kind: "call" }>): Operand {
    const { isProcedure, op, operands, attributes, place } = call;
    if (isProcedure) {
      const hint = "leave out call, or make it a program";
      this.#faults.add("text/program", place, "a graph calls no procedure.", hint);
      return undefined;
    }
    if (!isOperatorName(op.text)) {
      this.#faults.addUnknown("text/operator", "operator", op, operatorNames);
      return undefined;
    }
    for (const { value } of attributes)
      if (value.kind === "word" || value.kind === "quoted") this.#declareAround(value.text);
    const given = attributesIn(attributes, this.#faults);
    return given === undefined ? undefined : this.#applied(op.text, operands, given, place);
  }

  /** Applies an operator to expressions; elementwise operands get one shape, and numbers theirs. */
  #applied(
    op: string,
    expressions: readonly Expression[],
    given: Readonly<Record<string, unknown>>,
    place: Place,
  ): number | undefined {
    const operands = expressions.map((expression) => this.#value(expression, false));
    if (!isOperatorName(op) || operands.includes(undefined)) return undefined;
    const { arity, isElementwise = false } = operators[op];
    if (!acceptsCount(arity, operands.length)) {
      const message = `${op} takes ${formatArity(arity)}, not ${operands.length}.`;
      this.#faults.add("text/operands", place, message, "docs/operators.md lists what each operator takes");
      return undefined;
    }
    const shapes = operands.flatMap((operand) => (typeof operand === "number" ? [this.shapes[operand]] : []));
    if (shapes.includes(undefined)) return undefined;
    const common = isElementwise ? broadcastShape(shapes.filter((shape) => shape !== undefined)) : undefined;
    if (common?.ok === false) {
      this.#faults.addIssue(common.error, place);
      return undefined;
    }
    const ids = operands.map((operand) => this.#shaped(operand, common?.value, place));
    const known = ids.filter((id) => id !== undefined);
    if (known.length < ids.length) return undefined;
    return this.apply(op, known, withDefaults(op, given, this.shapes[known[0] ?? -1]), place);
  }

  /** Returns the id of an operand in the shape that elementwise operands share. */
  #shaped(operand: Operand, common: Shape | undefined, place: Place): number | undefined {
    const id = this.#idOf(operand, common ?? [], place);
    if (id === undefined || common === undefined || isSameShape(this.shapes[id] ?? common, common)) return id;
    return this.apply("broadcast_to", [id], { shape: [...common] }, place);
  }

  /** Returns the id of an operand, which for a number is that of a node filled with it. */
  #idOf(operand: Operand, shape: Shape, place: Place = { start: 0, end: 0 }): number | undefined {
    if (operand === undefined || typeof operand === "number") return operand;
    return this.apply("full", [], { shape: [...shape], value: operand.literal }, place);
  }

  /** The derivative of an inner graph, as a node. */
  #derived(derivative: Derivative): number | undefined {
    const { mode, inputs, given, inner, of, by, at, along, place } = derivative;
    const reading = new GraphReading(this.#faults, this.environment);
    const before = this.#faults.all.length;
    reading.declare(inputs, given);
    for (const line of inner) reading.read(line);
    refuseMeasures([...inputs, ...given, ...inner], this.#faults);
    const last = reading.shapes.length - 1;
    const ofId = of === undefined ? last : reading.idOf(of);
    const byId = by === undefined ? 0 : reading.idOf(by);
    const operands = at.map((expression) => this.#idOf(this.#value(expression, false), [], place));
    const isSlope = mode.text === "derivative";
    const forward = isSlope || mode.text === "jvp";
    const usual = isSlope ? { literal: 1 } : undefined;
    const direction = along === undefined ? usual : this.#value(along, false);
    if (along === undefined && !isSlope)
      this.#faults.add("text/along", mode.place, `${mode.text} takes a direction.`, "add along and a value");
    if (this.#faults.all.length > before || ofId === undefined || byId === undefined) return undefined;
    const moved = this.#idOf(direction, reading.shapes[forward ? byId : ofId] ?? [], place);
    const parents = [...operands, moved].filter((id) => id !== undefined);
    const attributes = { graph: reading.graph, mode: forward ? "jvp" : "vjp", of: ofId, wrt: byId };
    if (parents.length <= operands.length) return undefined;
    return this.apply("differentiate", parents, attributes, place);
  }
}

/** The number of an id such as `%3`, unless it is a name in quotes. */
export function numbered({ text, isQuoted }: Word): number | undefined {
  return isQuoted !== true && /^%(?:0|[1-9][0-9]{0,9})$/.test(text) ? Number(text.slice(1)) : undefined;
}

/** The attributes of a call as JSON; `undefined`, and faults, if one has no value. */
export function attributesIn(
  attributes: readonly Assignment[],
  faults: Faults,
): Record<string, unknown> | undefined {
  const entries = attributes.map(({ name, value }) => [name.text, attributeOf(value, faults)] as const);
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}

/** Sums and their like reduce all axes and drop them, unless the line says otherwise. */
export function withDefaults(
  op: keyof typeof operators,
  given: Readonly<Record<string, unknown>>,
  shape: Shape | undefined,
): object {
  const { attributes } = operators[op];
  if (!("keepdims" in attributes)) return given;
  const all = "axes" in attributes ? { axes: (shape ?? []).map((_, axis) => axis) } : {};
  return { ...all, keepdims: false, ...given };
}

/** Refuses units and ranges of values within another graph, of which no document speaks. */
export function refuseMeasures(all: readonly (Declaration | Line)[], faults: Faults): void {
  for (const one of all) {
    const range = "range" in one ? one.range?.[0].place : undefined;
    const measure = "unit" in one || "along" in one ? (one.unit?.place ?? one.along?.[0]?.place) : undefined;
    const place = range ?? measure;
    if (place === undefined) continue;
    const hint = "leave it out, or give it to the graph around";
    faults.add("text/measure", place, "a value within another graph has neither unit nor range.", hint);
  }
}
