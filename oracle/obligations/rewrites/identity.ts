import type { Expression, LoopProgram, Pass, RewriteName } from "../../../engines/compile/plan/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import {
  equivalenceOf,
  formatNumbers,
  numberIn,
  numbersFor,
  outcomeOf,
  type Pair,
  type Parameters,
} from "./equivalence.ts";
import { symbolsOf } from "./evaluation.ts";
import type { FormatName } from "./numbers.ts";
import { abstract, floats } from "./theories.ts";
import { witnessOf } from "./witness.ts";

/** A pass rewrites this program; of it, or of one like it, there is a wrong rewriting. */
export interface Identity {
  readonly name: string;
  readonly statement: string;
  readonly program: LoopProgram;
  readonly wrong: WrongPair;
}

/** A wrong pass would do this. */
export interface WrongPair {
  readonly name: string;
  readonly fault: string;
  /** This replaces the program of the identity. */
  readonly before?: LoopProgram;
  readonly after: LoopProgram;
}

/** This literal stands for any number: passes treat it like every number but 0 and ±1. */
export const PARAMETER = 0.625;

const parameters: Parameters = new Map([[PARAMETER, "c"]]);

/** Programs without indices have such names and budgets as obligations of a format. */
export interface InFormat {
  readonly rewrite: RewriteName;
  readonly pass: Pass;
  readonly format: FormatName;
  readonly rlimit: number;
  readonly tier?: Obligation["tier"];
  /** If true, it holds over any scalars, and the format is that of the wrong pair. */
  readonly isStructural?: boolean;
}

/**
 * States that a pass keeps a program's results in a format, bit for bit: the program before, and what the
 * pass made of it, run on terms. Throws {@link InvariantError} if the pass does not fire.
 */
export function identityObligation(identity: Identity, inFormat: InFormat): Obligation {
  const { rewrite, pass, format, rlimit, tier = "everyday", isStructural = false } = inFormat;
  const right = pairBy(pass, identity.program);
  const used = usedParameters(identity);
  const { declarations, goal } = equivalenceOf(right, isStructural ? abstract : floats(format), used);
  return {
    id: `rewrites/${rewrite}/${identity.name}/${isStructural ? "any" : format}`,
    statement: `${identity.statement}, ${isStructural ? "whatever the scalars are" : `bit for bit in ${format}`}.`,
    clause: "SEMANTICS §7",
    logic: isStructural ? "QF_UF" : "QF_FP",
    scope: { kind: "rewrite", rewrite, format: isStructural ? "any" : format },
    tier,
    declarations,
    hypotheses: [],
    goal,
    rlimit,
    requiredCore: [],
    mutants: [mutantOf(identity, inFormat, used)],
    dependsOn: [],
    metaArgument: used.size === 0 ? "" : parametric,
  };
}

const parametric =
  "The number c of a literal is any number: the pass looks at a literal only to see whether it is 0, 1, −1 or 0 by rounding, and takes its sign otherwise; rounding to nearest commutes with the sign.";

function pairBy(pass: Pass, before: LoopProgram): Pair {
  const { program: after, fired } = pass(before);
  if (fired === 0) throw new InvariantError("the pass does not fire");
  return { before, after };
}

function usedParameters({ program }: Identity): Parameters {
  return JSON.stringify(program).includes(`"value":${PARAMETER}`) ? parameters : new Map();
}

function mutantOf(identity: Identity, { pass, format }: InFormat, used: Parameters): ObligationMutant {
  const { name, fault, before = identity.program, after } = identity.wrong;
  const wrong: Pair = { before, after };
  const execute = (model: Model): Execution => executed(identity, { pass, format, wrong, model });
  const given = witnessOf([...symbolsOf(before).flat(), ...used.values()], format, execute);
  const { declarations, goal, symbols } = equivalenceOf(wrong, floats(format), used, given);
  return { name, fault, logic: "QF_FP", declarations, goal, ask: symbols, execute };
}

interface Run {
  readonly pass: Pass;
  readonly format: FormatName;
  readonly wrong: Pair;
  readonly model: Model;
}

/** Runs the pass's program and the wrong one on a model, with its numbers for open literals. */
function executed(identity: Identity, { pass, format, wrong, model }: Run): Execution {
  const c = numberIn(model, "c", format);
  const withNumber = (program: LoopProgram): LoopProgram => specialised(program, c);
  const before = withNumber(identity.program);
  const numbers = numbersFor(before, format, model);
  const right = outcomeOf({ before, after: pass(before).program }, format, numbers);
  const wrongBefore = withNumber(wrong.before);
  const wrongNumbers = numbersFor(wrongBefore, format, model);
  const other = outcomeOf({ before: wrongBefore, after: withNumber(wrong.after) }, format, wrongNumbers);
  const names = symbolsOf(wrongBefore).flat();
  const told = wrongNumbers.flat().map((x, n) => `${names[n]} = ${formatNumbers([x])}`);
  if (model.has("c")) told.push(`c = ${formatNumbers([c])}`);
  return {
    showsFault: right.isSame && !other.isSame,
    told: `${told.join(", ")}: ${formatNumbers(other.before)} and, rewritten wrongly, ${formatNumbers(other.after)}; rightly ${formatNumbers(right.before)} and ${formatNumbers(right.after)}`,
  };
}

/** Puts `c` for the literals that stand for any number. */
function specialised(program: LoopProgram, c: number): LoopProgram {
  const replaced = (part: Expression): Expression => {
    if (part.kind === "apply") return { ...part, operands: part.operands.map(replaced) };
    if (part.kind === "read" || Math.abs(part.value) !== PARAMETER) return part;
    return { ...part, value: part.value > 0 ? c : -c };
  };
  return {
    ...program,
    instructions: program.instructions.map((instruction) =>
      instruction.kind === "map"
        ? { ...instruction, expression: replaced(instruction.expression) }
        : instruction,
    ),
  };
}
