import { present } from "../../../spec/shapes/index.ts";
import { integerIn } from "../accumulators/index.ts";
import {
  bitsFor,
  literalWord,
  Machine,
  type Path,
  type Plant,
  Program,
  pathsOf,
  Terms,
  Unknown,
  type Value,
  Way,
  type Word,
  wordOf,
} from "../execution/index.ts";
import { madeAll } from "../made.ts";
import type { Execution, Hypothesis, Obligation, ObligationMutant } from "../obligation.ts";

/** An unknown integer of a law, and between which it lies. */
interface Variable {
  readonly name: string;
  readonly low: bigint;
  readonly high: bigint;
}

/** A term of a law: a word of so many bits. */
export interface Bits {
  readonly text: string;
  readonly bits: number;
}

/** Gives what stands at a place: the unknown, or the result, of this number. */
type At<T> = (place?: number) => T;

/** A fault that is planted in the text of the code, which then breaks the law. */
export interface Planted extends Plant {
  readonly name: string;
  readonly fault: string;
  /** The fault shows where these unknowns lie between these, so that a model is quickly found. */
  readonly within?: Readonly<Record<string, readonly [low: bigint, high: bigint]>>;
}

/** A law says what functions of the project give for all integers of a range. */
export interface Law {
  readonly id: string;
  readonly statement: string;
  readonly clause: string;
  readonly tier: Obligation["tier"];
  readonly rlimit: number;
  readonly metaArgument: string;
  /** The code is in these modules. */
  readonly modules: readonly string[];
  readonly variables: readonly Variable[];
  readonly hypotheses?: readonly Hypothesis[];
  /** These values stand for what modules declare under the names. */
  instead?(operand: At<Value>): Readonly<Record<string, Value>>;
  /** SMT-LIB functions that the claim uses. */
  readonly definitions?: string;
  /** Each runs the code on the unknowns, by itself, and returns the integers and truths that come out. */
  readonly runs: readonly ((machine: Machine, operand: At<Value>) => readonly Value[])[];
  /** Writes the claim about the unknowns and what came out. */
  claim(operand: At<Bits>, result: At<Bits>): string;
  /** Runs the same functions as the project does. Where no door leads to them they run as they are read. */
  real?(operand: At<bigint>): readonly bigint[] | undefined;
  /** Tells whether the claim is true, by another definition. */
  holds(operand: At<bigint>, result: At<bigint>): boolean;
  readonly planted: readonly Planted[];
}

/** Returns a function that describes a fault in a module: what is replaced, and by what. */
export function plantedIn(
  module: string,
): (name: string, fault: string, from: string, to: string, within?: Planted["within"]) => Planted {
  return (name, fault, from, to, within = {}) => ({ name, fault, module, from, to, within });
}

/** Makes the obligations of laws; a law whose code throws on unknowns becomes a failure with its id. */
export function obligationsOfLaws(laws: readonly Law[]): readonly Obligation[] {
  return laws.flatMap((law) => madeAll(`numerics/${law.id}`, () => [obligationOfLaw(law)]));
}

function obligationOfLaw(law: Law): Obligation {
  const { hypotheses = [], planted } = law;
  const right = Program.of(law.modules);
  return {
    id: `numerics/${law.id}`,
    statement: law.statement,
    clause: law.clause,
    logic: "QF_BV",
    scope: { kind: "all_graphs" },
    tier: law.tier,
    hypotheses,
    ...questionOf(law, right),
    rlimit: law.rlimit,
    requiredCore: [],
    mutants: planted.map((plant) => mutantOf(law, right, plant)),
    dependsOn: [],
    metaArgument: law.metaArgument,
  };
}

/**
 * Makes a mutant of a fault. One whose text is not in the code has no model, so that the obligation fails.
 */
function mutantOf(law: Law, right: Program, plant: Planted): ObligationMutant {
  const { name, fault, within } = plant;
  const wrong = right.planted(plant);
  const named = { name, ask: law.variables.map((variable) => variable.name) };
  if (!wrong.ok) {
    const execute = (): Execution => ({ showsFault: false, told: wrong.error });
    return { ...named, fault: `${fault} But ${wrong.error}.`, goal: "true", execute };
  }
  return {
    ...named,
    fault,
    ...questionOf(law, wrong.value, within),
    execute: (model) => {
      const numbers = named.ask.map((variable) => integerIn(model, variable));
      return compared(law, { right, wrong: wrong.value }, numbers);
    },
  };
}

function at<T>(items: readonly T[]): At<T> {
  return (place = 0) => present(items[place], "an unknown or a result of a law");
}

/** Runs the project's code and the planted one on a model's numbers. */
function compared(
  law: Law,
  programs: { readonly right: Program; readonly wrong: Program },
  numbers: readonly bigint[],
): Execution {
  const right = law.real?.(at(numbers)) ?? runOn(law, programs.right, numbers);
  const other = runOn(law, programs.wrong, numbers);
  return {
    showsFault: law.holds(at(numbers), at(right)) && !law.holds(at(numbers), at(other)),
    told: `of ${numbers.join(", ")} the code makes ${right.join(", ")}, and the planted one ${other.join(", ")}`,
  };
}

/** Runs a program on known integers, as {@link Machine} reads its text. */
export function runOn(
  { runs, instead }: Pick<Law, "runs" | "instead">,
  program: Program,
  numbers: readonly bigint[],
): readonly bigint[] {
  const way = new Way(new Terms(), []);
  const operand = at<Value>(numbers);
  return runs
    .flatMap((run) => run(new Machine(program, way, instead?.(operand)), operand))
    .map((value) => wordOf(asInteger(value), (known) => way.constant(known)).low);
}

/** Writes the code on unknowns as declarations, and the claim as a goal. */
function questionOf(
  { variables, definitions = "", runs, claim, instead }: Law,
  program: Program,
  within: Planted["within"] = {},
): Pick<Obligation, "declarations" | "goal"> {
  const terms = new Terms();
  const unknowns = variables.map(({ name, ...usual }) => {
    const [low, high] = within[name] ?? [usual.low, usual.high];
    return terms.unknown(name, bitsFor(usual.low, usual.high), low, high);
  });
  const operand = at<Value>(unknowns.map((word) => new Unknown("bigint", word)));
  const results = runs.flatMap((run) => {
    const paths = pathsOf(terms, (way): readonly Word[] =>
      run(new Machine(program, way, instead?.(operand)), operand).map((value) =>
        wordOf(asInteger(value), (known) => way.constant(known)),
      ),
    );
    return (paths[0]?.result ?? []).map((_, place) => merged(terms, paths, place));
  });
  const goal = claim(at<Bits>(unknowns), at(results));
  const limits = unknowns.flatMap(limitsOf);
  return {
    declarations: `${definitions}\n${terms.declarations}`,
    goal: limits.length === 0 ? goal : `(=> (and ${limits.join(" ")}) ${goal})`,
  };
}

/** Says that a word is between two integers, where not all words of its bits are. */
function limitsOf({ text, bits, low, high }: Word): readonly string[] {
  const end = 1n << BigInt(bits - 1);
  return [
    ...(low === -end ? [] : [`(bvsle ${literalWord(low, bits)} ${text})`]),
    ...(high === end - 1n ? [] : [`(bvsle ${text} ${literalWord(high, bits)})`]),
  ];
}

/** Truths are 1 and 0. */
function asInteger(value: Value): Value {
  return typeof value === "boolean" ? BigInt(value) : value;
}

/** Puts together what comes out on each way: by the first condition on which ways part, then by the next. */
function merged(terms: Terms, paths: readonly Path<readonly Word[]>[], place: number): Bits {
  const words = paths.map(({ result }) => present(result[place], "a result"));
  const bits = Math.max(...words.map((word) => word.bits));
  const sort = `(_ BitVec ${bits})`;
  const part = (from: number, to: number, depth: number): string => {
    if (to - from === 1) return terms.inBits(present(words[from], "a word"), bits);
    const condition = present(paths[from]?.conditions[depth], "a condition");
    let split = from;
    while (split < to && paths[split]?.conditions[depth] === condition) split += 1;
    if (split === to) return part(from, to, depth + 1);
    const [yes, no] = [part(from, split, depth + 1), part(split, to, depth + 1)];
    return yes === no ? yes : terms.named(`(ite ${condition} ${yes} ${no})`, sort);
  };
  return { text: part(0, paths.length, 0), bits };
}
