import { present } from "../../spec/index.ts";
import type { PrimitiveCase } from "../expansion.ts";
import { valuesOf } from "../valuation.ts";
import { lazily, type Parts } from "./bounds.ts";
import type { Component, Judgement } from "./component.ts";
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
  const reference = lazily(() => valuesOf(question));
  return (id) =>
    values(id).map((component, element) => {
      const set = (): Possible => present(possible.value(id)[element], "what a component can be");
      const hasReferenceSign = (zero: number): boolean =>
        isNegative(present(present(reference()[id], "a value").data[element], "an element")) ===
        isNegative(zero);
      return new SignedComponent(component, hasReferenceSign, set);
    });
}

/** A true value of which the sign counts where it is 0. */
class SignedComponent implements Component {
  readonly #unsigned: Component;
  readonly #hasReferenceSign: (zero: number) => boolean;
  readonly #possible: () => Possible;

  constructor(unsigned: Component, hasReferenceSign: (zero: number) => boolean, possible: () => Possible) {
    this.#unsigned = unsigned;
    this.#hasReferenceSign = hasReferenceSign;
    this.#possible = possible;
  }

  judge(answer: number): Judgement {
    const judged = this.#unsigned.judge(answer);
    if (answer !== 0 || judged === "outside" || this.#hasReferenceSign(answer)) return judged;
    const sign = this.#onlySign();
    return sign !== undefined && !Object.is(sign, answer) ? "outside" : judged;
  }

  /** The one zero that may be answered. */
  #onlySign(): number | undefined {
    const [plus, minus] = [mayBe(this.#possible(), "0"), mayBe(this.#possible(), "-0")];
    return plus === minus ? undefined : plus ? 0 : -0;
  }

  get expected(): string {
    return this.#unsigned.expected;
  }

  get allowed(): string {
    const isMinus = this.bound === 0 && Object.is(this.#onlySign(), -0);
    return isMinus ? wordsOf(those("-0")) : this.#unsigned.allowed;
  }

  get isOpen(): boolean {
    return this.#unsigned.isOpen;
  }

  get bound(): number {
    return this.#unsigned.bound;
  }
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}
