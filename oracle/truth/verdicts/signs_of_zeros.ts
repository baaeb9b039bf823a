import { at, type FlatTensor, floatAt, type NodeId } from "../../../spec/index.ts";
import type { PrimitiveCase } from "../../expansion.ts";
import { valuesOf } from "../../valuation.ts";
import { lazily } from "../lazily.ts";
import type { Parts } from "../nodes/bounds.ts";
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
  const signs = new Signs(question, answers);
  return (id) => values(id).map((component, element) => new SignedComponent(component, signs, id, element));
}

/** This is what is known of the signs of a case's zeros. */
class Signs {
  readonly #reference: () => readonly FlatTensor[];
  readonly #answers: Parts<FloatSet>;

  constructor(question: PrimitiveCase, answers: Parts<FloatSet>) {
    this.#reference = lazily(() => valuesOf(question));
    this.#answers = answers;
  }

  /** Tells whether the reference's number has the sign of this zero. */
  isReference(id: NodeId, element: number, zero: number): boolean {
    return isNegative(floatAt(at(this.#reference(), id).data, element)) === isNegative(zero);
  }

  /** Returns the one zero that may be answered. */
  only(id: NodeId, element: number): number | undefined {
    const set = at(this.#answers.value(id), element);
    const [plus, minus] = [mayBe(set, "0"), mayBe(set, "-0")];
    return plus === minus ? undefined : plus ? 0 : -0;
  }
}

/** This is a true value of which the sign counts where it is 0. */
class SignedComponent implements Component {
  readonly #unsigned: Component;
  readonly #signs: Signs;
  readonly #id: NodeId;
  readonly #element: number;

  constructor(unsigned: Component, signs: Signs, id: NodeId, element: number) {
    this.#unsigned = unsigned;
    this.#signs = signs;
    this.#id = id;
    this.#element = element;
  }

  judge(answer: number): Judgement {
    const judged = this.#unsigned.judge(answer);
    if (answer !== 0 || judged === "outside") return judged;
    if (this.#signs.isReference(this.#id, this.#element, answer)) return judged;
    const sign = this.#signs.only(this.#id, this.#element);
    return sign !== undefined && !Object.is(sign, answer) ? "outside" : judged;
  }

  get expected(): string {
    return this.#unsigned.expected;
  }

  get allowed(): string {
    const isMinus = this.bound === 0 && Object.is(this.#signs.only(this.#id, this.#element), -0);
    return isMinus ? wordsOf(ofKinds("-0")) : this.#unsigned.allowed;
  }

  get isOpen(): boolean {
    return this.#unsigned.isOpen;
  }

  get bound(): number {
    return this.#unsigned.bound;
  }

  boundFor(answer: number): number {
    return this.#unsigned.boundFor(answer);
  }

  get near(): Near {
    return this.#unsigned.near;
  }
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}
