import { sourceText } from "../../../engines/compile/c/index.ts";
import { type LoopProgram, type Order, plan, shapeOfValue } from "../../../engines/compile/plan/index.ts";
import { symbolic } from "../../../reference/algebras/symbolic/index.ts";
import {
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
} from "../../../spec/operators/index.ts";
import { at, present, sizeOf } from "../../../spec/shapes/index.ts";
import { type Compared, comparedMutant, equationsOf } from "../derivatives/index.ts";
import { byOtherFormulas, comparedLoops, loopsOf } from "../lowering/index.ts";
import { madeAll } from "../made.ts";
import type { Obligation, ObligationMutant } from "../obligation.ts";
import {
  anywhere,
  obliged,
  type Place,
  tellUsage,
  type Usage,
  type Use,
  usages,
  useOf,
  writeStatement,
} from "../operators/index.ts";
import { runC } from "./c_text.ts";

/**
 * States for each primitive at its largest use that the file of C that is written of its value, tangents and
 * cotangents computes what the reference's rules do. The text is run as it stands, over symbols; routines
 * have the order of the reference in a text of their own, and are not read.
 */
export function cObligations(): readonly Obligation[] {
  return primitiveNames.filter((op) => !byOtherFormulas.has(op)).flatMap((op) => obligationsOf(op));
}

function obligationsOf<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const listed: readonly Usage<PrimitiveAttributes[K]>[] = usages[op];
  return madeAll(`emitters/c/${op}`, () => {
    const uses = listed.map((usage) => useOf(op, usage)).filter(({ usage }) => usage.operands.length > 0);
    const [largest] = uses.toSorted((a, b) => sizeOf(b.shape) - sizeOf(a.shape));
    if (largest === undefined) return [];
    const program = loopsOf(largest);
    const isLoops = program.instructions.every(({ kind }) => kind !== "routine");
    return isLoops ? [cObligation(largest, program)] : [];
  });
}

function cObligation<K extends PrimitiveName>(use: Use<K>, program: LoopProgram): Obligation {
  const { op, usage } = use;
  const order = orderOf(program);
  const { text, workspace } = sourceText(order, { name: "gradient", functions: "math.h" });
  const compared = (written: string): Compared =>
    comparedLoops(use, program, (arithmetic, { sources, indices = [] }) => {
      const arena = runC(written, "gradient", arithmetic, { sources, indices, workspace });
      return resultsIn(order).map((place) => present(arena[place], "a number of a result"));
    });
  const algebra = symbolic();
  const { goals } = equationsOf(algebra, compared(text).pairs(algebra, algebra.variable));
  const question = writeStatement([], goals);
  return {
    id: `emitters/c/${op}`,
    statement: `The C file of ${op} computes its value, two tangents at once and the cotangents of the reference's rules, for ${tellUsage(usage)} and all real numbers, whatever the elementary functions are.`,
    clause: "SEMANTICS §7",
    ...obliged(op, usage.label, question),
    mutants: mutantsOf(use, text, compared),
    metaArgument:
      "The text that the emitter writes is run statement by statement, its loops and places over numbers and the rest over symbols, and compared with the reference's own rules.",
  };
}

function orderOf(program: LoopProgram): Order {
  return {
    ...plan(program, { precision: "float64", regime: "bit_exact" }),
    precision: "float64",
    regime: "bit_exact",
  };
}

/** Lists where the elements of all results lie. */
function resultsIn({ program, layout }: Order): readonly number[] {
  return program.results.flatMap((value) =>
    Array.from(
      { length: sizeOf(shapeOfValue(program, value)) },
      (_, n) => at(layout.places, value - program.sources.length) + n,
    ),
  );
}

/** Wrong texts, the likeliest first. */
const changes: readonly { readonly name: string; readonly says: string; change(text: string): string }[] = [
  {
    name: "exchanged-operands",
    says: "has the operands of its first difference, quotient or comparison the other way round",
    change: (text) => text.replace(/(t\d+|\d\.\d) ([-/<]) (t\d+)(?=[;)])/, "$3 $2 $1"),
  },
  {
    name: "exchanged-choice",
    says: "takes of its first choice the number that is not chosen",
    change: (text) => text.replace(/select_T\((\w+), (\S+), (\S+)\);/, "select_T($1, $3, $2);"),
  },
  {
    name: "sum-of-factors",
    says: "adds the factors of its first product",
    change: (text) => text.replace(/ = (\w+) \* (\w+);/, " = $1 + $2;"),
  },
  {
    name: "lost-sign",
    says: "loses its first sign",
    change: (text) => text.replace(/ = -(\w+);/, " = $1;"),
  },
  {
    name: "lost-function",
    says: "leaves the first function out",
    change: (text) => text.replace(/ = (?!select)\w+_T\((\w+)\);/, " = $1;"),
  },
  {
    name: "first-element",
    says: "reads the first element of an array each time",
    change: (text) => text.replaceAll(/ = (p\d+)\[[^\]]+\];/g, " = $1[0];"),
  },
  {
    name: "one-more",
    says: "stores one more than it should",
    change: (text) => text.replaceAll(/(o\[[^\]]*\]) = (t\d+|a[\d_]*(?:\[i\d+\])?);/g, "$1 = $2 + 1.0;"),
  },
];

/** Fixes the numbers that are multiplied, so that a model is easy to find. */
const place: Place = (name) => {
  const [, kind = "", position = "0"] = /^(.*?)\.?([0-9]+)$/.exec(name) ?? [];
  return kind === "c" || kind.includes("dx") ? Number(position) ** 2 + kind.length + 2 : undefined;
};

/** At most this many texts are made wrong. */
const MOST_MUTANTS = 2;

function mutantsOf(
  use: Use<PrimitiveName>,
  text: string,
  compared: (text: string) => Compared,
): readonly ObligationMutant[] {
  const mutants: ObligationMutant[] = [];
  for (const { name, says, change } of changes) {
    const wrong = change(text);
    if (wrong === text || mutants.length === MOST_MUTANTS) continue;
    const mutant = comparedMutant(
      { right: compared(text), wrong: compared(wrong) },
      {
        name,
        fault: `the file ${says}`,
        where: `${use.op} at ${use.usage.label}`,
        places: [place, anywhere],
        hypotheses: [],
      },
    );
    if (mutant !== undefined) mutants.push(mutant);
  }
  return mutants;
}
