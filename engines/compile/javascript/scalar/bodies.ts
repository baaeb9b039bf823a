import { at } from "../../../../spec/shapes/index.ts";
import { apply, type Expression, read } from "../../plan/index.ts";
import { type ScalarName, scalarRules, type Variant } from "../../plan/scalar/index.ts";
import { type Language, textOf } from "./text.ts";

/**
 * Statements for the node of slot `i`, by its operator's rule. The arrays are `v` (values), `d` (tangents),
 * `c` (cotangents), `x`, `y`, `z` (operands' slots).
 */
export interface Bodies {
  /** Stores the value. */
  forward(name: ScalarName): string;
  /** Stores the tangent. */
  tangent(name: ScalarName): string;
  /** Hands on the contributions of the variant, each by the statement that `take` writes. */
  reverse(variant: Variant, take: Take): string;
}

/** Writes what happens to the n-th contribution, of this text, to the operand of this letter. */
export type Take = (contribution: string, letter: Letter, n: number) => string;

/** Operands go by these letters. The slot of `x` is the local variable `xi`. */
type Letter = (typeof letters)[number];

const letters = ["x", "y", "z"] as const;
const reads = ["vx", "vy", "vz", "value", "c0", "dx", "dy", "dz"] as const;
const element = { x: read(0), y: read(1), z: read(2), value: read(3) };
const cotangent = read(4);
const tangents = { xDot: read(5), yDot: read(6), zDot: read(7) };

/** Makes the statements in a language. */
export function bodiesIn(language: Language): Bodies {
  const statements = (
    expressions: readonly Expression[],
    store: (text: string, n: number) => string,
  ): string => {
    const { declarations, results } = textOf(expressions, reads, language);
    return withReads(`${declarations} ${results.map(store).join(" ")}`, language);
  };
  return {
    forward: (name) => statements([scalarRules[name].forward(element)], (text) => `v[i] = ${text};`),
    tangent(name) {
      const tangent = scalarRules[name].push?.(element, tangents);
      return tangent === undefined ? "d[i] = 0;" : statements([tangent], (text) => `d[i] = ${text};`);
    },
    reverse(variant, take) {
      const contributions = contributionsOf(variant);
      return statements(
        contributions.map(({ expression }) => expression),
        (text, n) => take(text, at(contributions, n).letter, n),
      );
    },
  };
}

/** Lists what a variant hands on, and to which operand. */
function contributionsOf({ name, receives, isFolded }: Variant): readonly Contribution[] {
  const pulled = name === undefined ? [] : scalarRules[name].pull(element, cotangent);
  const all = letters.flatMap((letter, position): Contribution[] => {
    const expression = (receives & (1 << position)) === 0 ? undefined : pulled[position];
    return expression === undefined ? [] : [{ letter, expression }];
  });
  const [first, second] = all;
  if (!isFolded || first === undefined || second === undefined) return all;
  return [{ letter: first.letter, expression: apply("add", first.expression, second.expression) }];
}

interface Contribution {
  readonly letter: Letter;
  readonly expression: Expression;
}

/** Prepends declarations of the reads that the statements name; operands' slots are read once. */
function withReads(statements: string, { number, slot }: Language): string {
  const used = reads.filter((name) => isNamed(name, statements));
  const body = [...used.map((name) => `${number} ${name} = ${places[name]};`), statements].join(" ");
  const slots = letters.filter((letter) => isNamed(`${letter}i`, body));
  return [...slots.map((letter) => `${slot} ${letter}i = ${letter}[i];`), body].join(" ");
}

function isNamed(name: string, text: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

const places: Readonly<Record<(typeof reads)[number], string>> = {
  vx: "v[xi]",
  vy: "v[yi]",
  vz: "v[zi]",
  value: "v[i]",
  c0: "c[i]",
  dx: "d[xi]",
  dy: "d[yi]",
  dz: "d[zi]",
};
