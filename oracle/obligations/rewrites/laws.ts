import type { Hypothesis } from "../obligation.ts";

/** The name of a law. */
export type LawName =
  | "neutral"
  | "commutative"
  | "associative"
  | "difference"
  | "distributive"
  | "product_commutative";

/** The laws of algebras, as hypotheses about the functions of abstract scalars. */
export const laws: Readonly<Record<LawName, Hypothesis>> = {
  neutral: law("neutral", "a", "(= (add a zero) a)"),
  commutative: law("commutative", "a b", "(= (add a b) (add b a))"),
  associative: law("associative", "a b c", "(= (add (add a b) c) (add a (add b c)))"),
  difference: law("difference", "a", "(= (subtract a zero) a)"),
  distributive: law(
    "distributive",
    "a b c",
    "(= (multiply (add a b) c) (add (multiply a c) (multiply b c)))",
  ),
  product_commutative: law("product_commutative", "a b", "(= (multiply a b) (multiply b a))"),
};

function law(name: LawName, variables: string, formula: string): Hypothesis {
  const bound = variables.split(" ").map((variable) => `(${variable} Scalar)`);
  return { name, formula: `(forall (${bound.join(" ")}) ${formula})` };
}
