import { at, floatAt } from "../../../spec/shapes/index.ts";
import { type PrimitiveCase, valuesOf } from "../../case/index.ts";
import { lazily } from "../lazily.ts";
import type { Parts } from "../nodes/bounds.ts";
import { type FloatSet, mayBe, ofKinds, wordsOf } from "../sets/float_set.ts";
import type { Standard } from "../standard/index.ts";
import { type Component, judgedBy } from "./component.ts";

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
  const reference = lazily(() => valuesOf(question));
  return (id) =>
    values(id).map((component, element) =>
      signed(
        component,
        () => floatAt(at(reference(), id).data, element),
        () => onlyZero(at(answers.value(id), element)),
      ),
    );
}

/** Returns the one zero that may be answered. */
function onlyZero(set: FloatSet): number | undefined {
  const [plus, minus] = [mayBe(set, "0"), mayBe(set, "-0")];
  return plus === minus ? undefined : plus ? 0 : -0;
}

/** Returns a component of which the sign counts where it is 0. */
function signed(component: Component, reference: () => number, only: () => number | undefined): Component {
  const judge: Component["judge"] = (answer) => {
    const judged = component.judge(answer);
    if (answer !== 0 || judged === "outside" || isNegative(reference()) === isNegative(answer)) return judged;
    const zero = only();
    return zero !== undefined && !Object.is(zero, answer) ? "outside" : judged;
  };
  const isMinus = (): boolean => component.bound === 0 && Object.is(only(), -0);
  return judgedBy(component, judge, {
    allowed: () => (isMinus() ? wordsOf(ofKinds("-0")) : component.allowed),
  });
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}
