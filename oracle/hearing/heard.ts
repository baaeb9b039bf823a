import type { OperatorName } from "../../spec/composites/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { LawName, Mode } from "../../spec/wire/index.ts";
import { type DigitCounts, type Digits, digitsOf, ownersIn, plusDigits } from "./digits.ts";
import { type Hearing, partOf } from "./hearing.ts";
import { type Imprecise, type ImpreciseNumbers, impreciseIn } from "./imprecise.ts";
import type { Outcome } from "./outcome.ts";

/** These count the cases by what became of a law. */
export interface LawCounts {
  readonly holds: number;
  /** The law was not asked about, since it follows from answers that the truth had decided. */
  readonly follows: number;
  /** An answer, or a bound, was missing or not finite. */
  readonly undecided: number;
  readonly broken: number;
}

/** These count what became of each law that was looked at and whose modes the engine has. */
export type Laws = ReadonlyMap<LawName, LawCounts>;

/** Answers to one question differed from call to call, though each may be right. */
export interface Varied {
  /** They did in so many cases. */
  readonly cases: number;
  /** They differed by this part of the larger number at most; infinite differences are left out. */
  readonly most: number;
}

/** An engine's answers tell this beside the verdict on them. */
export interface Heard {
  /** These are of the answers in which every number agrees, whatever became of the case. */
  readonly digits: Digits;
  readonly laws: Laws;
  /** These numbers agree without a right digit, where a slope may have been taken from a value. */
  readonly imprecise: Imprecise;
  readonly varied: Varied;
  /** So many cases agree by an accuracy alone that was declared beyond its ceiling. */
  readonly excused: number;
}

/** Nothing was asked. */
export const nothingHeard: Heard = {
  digits: new Map(),
  laws: new Map(),
  imprecise: new Map(),
  varied: { cases: 0, most: 0 },
  excused: 0,
};

/** What is heard of one case and of many has one form, but for imprecise numbers, which have their cases. */
type Summed = Omit<Heard, "imprecise">;

/** Adds what was heard of some cases and of others. */
export function plusHeard(a: Summed, b: Summed): Summed {
  return {
    digits: plusDigits(a.digits, b.digits),
    laws: plusLaws(a.laws, b.laws),
    varied: { cases: a.varied.cases + b.varied.cases, most: Math.max(a.varied.most, b.varied.most) },
    excused: a.excused + b.excused,
  };
}

/** Adds the laws of both. */
function plusLaws(a: Laws, b: Laws): Laws {
  const sum = new Map(a);
  for (const [name, more] of b) {
    const before = sum.get(name) ?? noLaw;
    sum.set(name, {
      holds: before.holds + more.holds,
      follows: before.follows + more.follows,
      undecided: before.undecided + more.undecided,
      broken: before.broken + more.broken,
    });
  }
  return sum;
}

const noLaw: LawCounts = { holds: 0, follows: 0, undecided: 0, broken: 0 };

/** This listens while a case is asked. */
export class Listener {
  readonly #digits = new Map<OperatorName, Partial<Record<Mode, DigitCounts>>>();
  readonly #laws = new Map<LawName, LawCounts>();
  readonly #imprecise = new Map<OperatorName, ImpreciseNumbers>();
  readonly #owners: ReturnType<typeof ownersIn>;
  #varied = nothingHeard.varied;
  #excused = 0;

  constructor(graph: Graph) {
    this.#owners = ownersIn(graph);
  }

  get heard(): Heard {
    const [varied, excused] = [this.#varied, this.#excused];
    return { digits: this.#digits, laws: this.#laws, imprecise: this.#imprecise, varied, excused };
  }

  /** Is told how far apart two answers to one question are, each time. */
  varied(apart: number): void {
    this.#varied = { cases: 1, most: Math.max(this.#varied.most, apart) };
  }

  /** Is told that the answer in a mode agrees, once for each mode. */
  async agreed(hearing: Hearing, mode: Mode): Promise<void> {
    const { question, truth, answer } = hearing;
    const { graph } = question;
    const { given } = await answer(mode);
    if (given.kind !== "result") return;
    const part = partOf[mode];
    const first = part === "cotangent" ? 0 : graph.inputs.length;
    const owners = part === "cotangent" ? this.#owners.readers : this.#owners.givers;
    for (const [op, counts] of digitsOf({ truth, part, owners, first, answer: given.value })) {
      const row = this.#digits.get(op) ?? {};
      row[mode] = counts;
      this.#digits.set(op, row);
    }
    for (const [op, more] of impreciseIn(hearing, mode, part, first, given.value)) {
      const before = this.#imprecise.get(op);
      const numbers = more.numbers + (before?.numbers ?? 0);
      this.#imprecise.set(op, { numbers, first: before?.first ?? more.first });
    }
  }

  /** Is told that the case agrees by what was declared beyond its ceiling alone. */
  excused(): void {
    this.#excused = 1;
  }

  /** Is told what came of a law; `undefined` if it follows from what was decided. */
  law(name: LawName, outcome: Outcome | undefined): void {
    this.#laws.set(name, { ...noLaw, [outcome === undefined ? "follows" : became[outcome.kind]]: 1 });
  }
}

const became: Readonly<Record<Outcome["kind"], keyof LawCounts>> = {
  agrees: "holds",
  differs: "broken",
  undecided: "undecided",
  unsupported: "undecided",
  crashed: "undecided",
};
