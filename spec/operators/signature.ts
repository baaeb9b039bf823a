import {
  counted,
  formatShape,
  isSameShape,
  MAXIMUM_ELEMENTS,
  type Need,
  ok,
  type Result,
  type Shape,
  type ShapeFault,
  shapeFault,
} from "../shapes/index.ts";

/** A graph declares this of an entry of Δ [SEMANTICS §2.1], which is never differentiated. */
export interface EnvironmentEntry {
  readonly name: string;
  readonly shape: Shape;
  /** `real`: elements of the algebra's carrier; `index`: non-negative integers. */
  readonly kind: "real" | "index";
}

/** An index entry's element at position `p` must be below `limits[p % limits.length]`. */
export interface IndexUse {
  readonly name: string;
  readonly limits: readonly number[];
}

/** A fragment of JSON Schema 2020-12 that describes an attribute. */
export type AttributeSchema = Readonly<Record<string, unknown>>;

/** The attributes of an operator that has none. */
export type NoAttributes = Readonly<Record<never, never>>;

/** A number of parents: exactly so many, `"some"` for one or more, or from the least to the most. */
export type Arity = number | "some" | readonly [least: number, most: number];

/** Tells whether an operator of this arity may have `count` parents. */
export function acceptsCount(arity: Arity, count: number): boolean {
  const [least, most] = arityRange(arity);
  return count >= least && count <= most;
}

/** Returns the least and the most parents of an arity. */
export function arityRange(arity: Arity): readonly [least: number, most: number] {
  if (arity === "some") return [1, Number.POSITIVE_INFINITY];
  return typeof arity === "number" ? [arity, arity] : arity;
}

/** Returns `2 parents`, in words. */
export function formatArity(arity: Arity): string {
  if (arity === "some") return "one or more parents";
  return typeof arity === "number" ? counted(arity, "parent") : `${arity[0]} to ${arity[1]} parents`;
}

/** This is known of every operator before any arithmetic; `A` are its attributes. */
export interface Operator<A> {
  /** A node of this operator has so many parents. */
  readonly arity: Arity;
  /** Is true if all operands have one shape, which is the result's; the builder broadcasts them to it. */
  readonly isElementwise?: true;
  /** A schema for each attribute; all are required, no others are allowed. */
  readonly attributes: { readonly [K in keyof A]: AttributeSchema };
  /** `linear` in its parents; `smooth` on its domain; `piecewise`: with kinks or jumps. */
  readonly smoothness: "linear" | "smooth" | "piecewise";
  /** One sentence says what the value is. */
  readonly summary: string;
  /** The domain says where the value exists, and what happens at its edge. */
  readonly domain: string;
  /** The reference chooses this where the derivative is not unique. */
  readonly convention: string;
  /** The specification the operator follows. */
  readonly source: string;
}

/** A primitive's row in the operator table; `N` is the algebra its rules need. */
export interface Signature<N extends Need, A> extends Operator<A> {
  readonly needs: N;
  /** The shape of the value, from attributes, parents' shapes and Δ's declarations; or what does not fit. */
  shape(
    attributes: A,
    parents: readonly Shape[],
    environment: readonly EnvironmentEntry[],
  ): Result<Shape, ShapeFault>;
  /** Returns the index entry that a well-typed node reads, if the operator reads one. */
  indexUse?(attributes: A, parents: readonly Shape[], environment: readonly EnvironmentEntry[]): IndexUse;
}

export const axisSchema: AttributeSchema = { type: "integer", minimum: 0, maximum: 31 };
export const axesSchema: AttributeSchema = { type: "array", items: axisSchema, maxItems: 32 };
export const shapeSchema: AttributeSchema = {
  type: "array",
  items: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  maxItems: 32,
};
/** One integer for each axis, of either sign. */
export const integersSchema: AttributeSchema = {
  type: "array",
  items: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  maxItems: 32,
};
/** One count for each axis; none may be more than a tensor may have elements. */
export const countsSchema: AttributeSchema = {
  type: "array",
  items: { type: "integer", minimum: 0, maximum: MAXIMUM_ELEMENTS },
  maxItems: 32,
};
export const nameSchema: AttributeSchema = { type: "string", minLength: 1, maxLength: 256 };

/** Returns the array API standard's page of `name`. */
export function arrayApi(name: string): string {
  return `https://data-apis.org/array-api/latest/API_specification/generated/array_api.${name}.html`;
}

/** Returns the ONNX page of `name`. */
export function onnx(name: string): string {
  return `https://onnx.ai/onnx/operators/onnx__${name}.html`;
}

/** Returns the shape rule of elementwise operators: all parents have one shape, which is the result's. */
export function elementwiseShape(
  _attributes: NoAttributes,
  parents: readonly Shape[],
): Result<Shape, ShapeFault> {
  const first = parents[0] ?? [];
  const odd = parents.find((shape) => !isSameShape(shape, first));
  if (odd !== undefined) {
    return shapeFault(
      "shape/mismatch",
      `the operands have shapes ${formatShape(first)} and ${formatShape(odd)}.`,
      "make the broadcast explicit with broadcast_to",
    );
  }
  return ok(first);
}

/** A row for an elementwise operator without attributes. */
export function elementwise<N extends Need>(
  needs: N,
  arity: number,
  text: Pick<Signature<N, NoAttributes>, "smoothness" | "summary" | "domain" | "convention" | "source">,
): Signature<N, NoAttributes> {
  return { needs, arity, isElementwise: true, attributes: {}, shape: elementwiseShape, ...text };
}

/** Returns the shape of the index entry `name`. Fails: `graph/environment` where there is none. */
export function indexEntryShape(
  name: string,
  environment: readonly EnvironmentEntry[],
): Result<Shape, ShapeFault> {
  const entry = environment.find((candidate) => candidate.name === name);
  if (entry?.kind === "index") return ok(entry.shape);
  return shapeFault(
    "graph/environment",
    "the name is not an environment entry of kind index.",
    "declare it under environment, or name the right entry",
  );
}

/** Checks that an attribute has one number for each of `rank` axes. `what` names it. */
export function onePerAxis(
  what: string,
  numbers: readonly number[],
  rank: number,
): Result<readonly number[], ShapeFault> {
  if (numbers.length === rank) return ok(numbers);
  return shapeFault(
    "shape/axes",
    `${what} has ${counted(numbers.length, "number")}, and the operand has rank ${rank}.`,
    "give one number for each axis, outermost first",
  );
}

/** Checks that `axis` exists in a shape of rank `rank`. */
export function existingAxis(axis: number, rank: number): Result<number, ShapeFault> {
  if (axis < rank) return ok(axis);
  return shapeFault(
    "shape/axis",
    `there is no axis ${axis} in rank ${rank}.`,
    "axes count from 0, outermost first",
  );
}
