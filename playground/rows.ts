import { type Component, referenceStandard, truthOf } from "../oracle/truth/index.ts";
import type { CaseData } from "../spec/documents/index.ts";
import { nodeId, type Shape } from "../spec/shapes/index.ts";
import { type FloatType, parseFloat64 } from "../spec/wire/index.ts";
import type { Given } from "./given.ts";

/** A number that is true, and what an engine may answer for it. */
export interface Figure {
  readonly shown: string;
  /** All digits, or the exact fraction. */
  readonly exact: string;
  /** How far an honest engine may be from it, or what else it may answer. */
  readonly allowed: string;
  /** The distance, where there is a bound. */
  readonly bound: number;
  /** No bound is known: what is allowed are single numbers, or anything. */
  readonly isOdd: boolean;
}

/** A tensor of them, cut where it is long. */
export interface Figures {
  readonly shape: Shape;
  readonly figures: readonly Figure[];
  readonly left: number;
}

/** A value of the graph. */
export interface Row {
  readonly name: string;
  readonly written: string;
  readonly isInput: boolean;
  readonly value: Figures;
  readonly tangent: Figures;
  readonly gradient: Figures;
}

/** So many values, and so many elements of each, are shown. */
const [MOST_ROWS, MOST_FIGURES] = [200, 64];

/** Returns what is true of each value, with the bounds of an engine of a precision. */
export function rowsOf(question: CaseData, lines: Given["lines"], dtype: FloatType): readonly Row[] {
  const truth = truthOf(question, referenceStandard(dtype));
  return lines.slice(0, MOST_ROWS).map(({ name, written }, place) => {
    const id = nodeId(place);
    const shape = truth.shapes[place] ?? [];
    return {
      name,
      written,
      isInput: place < question.graph.inputs.length,
      value: figuresOf(shape, truth.value(id)),
      tangent: figuresOf(shape, truth.tangent(id)),
      gradient: figuresOf(shape, truth.cotangent(id)),
    };
  });
}

function figuresOf(shape: Shape, components: readonly Component[]): Figures {
  const digits = components.length === 1 ? 10 : 6;
  const figures = components.slice(0, MOST_FIGURES).map((component) => figureOf(component, digits));
  return { shape, figures, left: components.length - figures.length };
}

function figureOf(component: Component, digits: number): Figure {
  const { expected, bound, near } = component;
  const exact = readable(expected);
  if (!Number.isFinite(bound)) {
    const allowed = readable(component.allowed);
    return {
      shown: allowed.includes(" ") ? "?" : allowed,
      exact,
      allowed: `only ${allowed}`,
      bound: 0,
      isOdd: true,
    };
  }
  return {
    shown: isFraction(expected) ? expected : short(near.value, digits),
    exact,
    allowed: bound === 0 ? "exactly" : `within ${Number(bound.toPrecision(2))}`,
    bound,
    isOdd: false,
  };
}

/** Tells whether a fraction is short, and no decimal number is as short. */
function isFraction(text: string): boolean {
  const [, below] = /^-?\d+\/(\d+)$/.exec(text) ?? [];
  return below !== undefined && text.length <= 9 && !Number.isInteger(Math.log2(Number(below)));
}

/** Writes a number with so many digits. */
function short(x: number, digits: number = 17): string {
  return Object.is(x, -0) ? "-0" : String(Number(x.toPrecision(digits)));
}

/** Writes hexadecimal numbers in a text as decimal ones. */
function readable(text: string): string {
  return text.replace(/-?0x[0-9a-f.]+p[+-]?\d+/g, (hex) => short(parseFloat64(hex) ?? Number.NaN));
}
