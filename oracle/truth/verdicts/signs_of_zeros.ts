import { at, floatAt, type NodeId } from "../../../spec/shapes/index.ts";
import { type PrimitiveCase, valuesOf } from "../../case/index.ts";
import { UPWARDS } from "../centre/index.ts";
import { lazily } from "../lazily.ts";
import type { Parts } from "../nodes/bounds.ts";
import { valuesOfScalars } from "../nodes/scalar_bounds.ts";
import { type FloatSet, mayBe, ofKinds, wordsOf } from "../sets/float_set.ts";
import type { Standard } from "../standard/index.ts";
import type { Component, Judgement, Near } from "./component.ts";

/**
 * Returns `values` for an engine that may declare that its zeros have signs: then a zero that is answered has
 * a sign that honest engines may give it. Cost: an evaluation of the reference, and the sets if signs differ.
 */
export function withSignsOfZeros(
  values: Parts<Component>["value"],
  question: PrimitiveCase,
  { conventions }: Standard,
  answers: Parts<FloatSet>,
): Parts<Component>["value"] {
  if (conventions.zeros === "unsigned") return values;
  const scalars = lazily(() => valuesOfScalars(question));
  const tensors = lazily(() => valuesOf(question));
  const signs: Signs = {
    reference: (id, element) => scalars()?.[id] ?? floatAt(at(tensors(), id).data, element),
    allowed: answers.value,
  };
  const known: (readonly Component[])[] = [];
  return (id) => {
    known[id] ??= values(id).map((component, element) =>
      isOffZero(component.near) ? component : new SignedComponent(component, signs, id, element),
    );
    return known[id];
  };
}

/** Tells whether 0 is outside for certain. */
function isOffZero({ value, slack, bound }: Near): boolean {
  return Math.abs(value) > (bound + slack) * UPWARDS;
}

/** The signs of zeros follow from the reference's values, and from what may be answered. */
interface Signs {
  reference(id: NodeId, element: number): number;
  allowed(id: NodeId): readonly FloatSet[];
}

/** This is a component of which the sign counts where it is 0. */
class SignedComponent implements Component {
  readonly #own: Component;
  readonly #signs: Signs;
  readonly #id: NodeId;
  readonly #element: number;

  constructor(own: Component, signs: Signs, id: NodeId, element: number) {
    this.#own = own;
    this.#signs = signs;
    this.#id = id;
    this.#element = element;
  }

  judge(answer: number): Judgement {
    const judged = this.#own.judge(answer);
    if (answer !== 0 || judged === "outside") return judged;
    const reference = this.#signs.reference(this.#id, this.#element);
    if (isNegative(reference) === isNegative(answer)) return judged;
    const zero = this.#onlyZero;
    return zero !== undefined && !Object.is(zero, answer) ? "outside" : judged;
  }

  boundFor(answer: number): number {
    return this.#own.boundFor(answer);
  }

  get expected(): string {
    return this.#own.expected;
  }

  get allowed(): string {
    const isMinus = this.bound === 0 && Object.is(this.#onlyZero, -0);
    return isMinus ? wordsOf(ofKinds("-0")) : this.#own.allowed;
  }

  get isOpen(): boolean {
    return this.#own.isOpen;
  }

  get bound(): number {
    return this.#own.bound;
  }

  get near(): Near {
    return this.#own.near;
  }

  /** It is the one zero that may be answered. */
  get #onlyZero(): number | undefined {
    const set = at(this.#signs.allowed(this.#id), this.#element);
    const [plus, minus] = [mayBe(set, "0"), mayBe(set, "-0")];
    return plus === minus ? undefined : plus ? 0 : -0;
  }
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}
