import { at, floatAt, type NodeId } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { type PrimitiveCase, valuesOf } from "../case/index.ts";
import type { Parts } from "./bounds.ts";
import type { Component, Judgement, Near } from "./component.ts";
import { lazily } from "./lazily.ts";
import { mayBe, type Possible, those, wordsOf } from "./possible.ts";
import type { Standard } from "./standard.ts";

/**
 * `values` for an engine of a standard: where it declares that its zeros have signs, a zero that is answered has one that
 * honest engines may give it. Cost: an evaluation of the reference, and the sets where a sign is not the reference's.
 */
export function withSignsOfZeros(
  values: Parts<Component>["value"],
  question: PrimitiveCase,
  { conventions }: Standard,
  possible: Parts<Possible>,
): Parts<Component>["value"] {
  if (conventions.zeros === "unsigned") return values;
  const signs = new Signs(question, possible);
  return (id) => values(id).map((component, element) => new SignedComponent(component, signs, id, element));
}

/** What is known of the signs of a case's zeros. */
class Signs {
  readonly #reference: () => readonly FlatTensor[];
  readonly #possible: Parts<Possible>;

  constructor(question: PrimitiveCase, possible: Parts<Possible>) {
    this.#reference = lazily(() => valuesOf(question));
    this.#possible = possible;
  }

  /** Whether the reference's number has the sign of this zero. */
  isReference(id: NodeId, element: number, zero: number): boolean {
    return isNegative(floatAt(at(this.#reference(), id).data, element)) === isNegative(zero);
  }

  /** The one zero that may be answered. */
  only(id: NodeId, element: number): number | undefined {
    const set = at(this.#possible.value(id), element);
    const [plus, minus] = [mayBe(set, "0"), mayBe(set, "-0")];
    return plus === minus ? undefined : plus ? 0 : -0;
  }
}

/** A true value of which the sign counts where it is 0. */
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
    return isMinus ? wordsOf(those("-0")) : this.#unsigned.allowed;
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
