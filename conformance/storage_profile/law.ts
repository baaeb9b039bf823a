import fc from "fast-check";
import { type Answered, type Ask, type Asked, questionLine } from "./dialect.ts";
import { due } from "./due.ts";
import type { StorageFramework, StorageKind } from "./framework.ts";

/** A question, the wrong answer to it, and what was due. */
export interface Finding {
  readonly asked: string;
  readonly answered: string;
  readonly due: string;
}

/** A case of a law has one of these outcomes. */
export type Held =
  | { readonly kind: "held" }
  | { readonly kind: "declined"; readonly reason: string }
  | { readonly kind: "broken"; readonly finding: Finding };

/** A law's outcome counts cases decided and declined, and has the smallest case that breaks it. */
export interface LawOutcome {
  readonly law: string;
  readonly decided: number;
  readonly declined: number;
  /** The framework gave this reason for the last case that it declined. */
  readonly reason?: string;
  readonly finding?: Finding;
}

/** So many cases of a law are drawn, from this seed. */
export interface Drawing {
  readonly seed: number;
  readonly cases: number;
}

/** A law that every such framework must obey, as far as it has the types. */
export interface Law {
  readonly law: string;
  readonly check: (framework: StorageFramework, drawing: Drawing) => Promise<LawOutcome>;
}

/** A law draws cases, and says what must hold of each. */
export interface LawCases<T> {
  /** Draws cases for a framework with such types; `undefined` where it has none that the law is about. */
  readonly over: (has: readonly StorageKind[]) => fc.Arbitrary<T> | undefined;
  /** Cases asked before any drawn ones, where the framework has their types. */
  readonly first?: (has: readonly StorageKind[]) => readonly T[];
  readonly holds: (framework: StorageFramework, input: T) => Promise<Held>;
}

/** Makes a law of drawn cases. A case that breaks it is shrunk, and the smallest found is told. */
export function drawnLaw<T>(law: string, { over, first, holds }: LawCases<T>): Law {
  const check = async (framework: StorageFramework, { seed, cases }: Drawing): Promise<LawOutcome> => {
    const arbitrary = over(framework.kinds);
    if (arbitrary === undefined) return { law, decided: 0, declined: 0, reason: "it has no such types" };
    const tally = new Tally();
    const property = fc.asyncProperty(arbitrary, async (input) => tally.take(await holds(framework, input)));
    const examples = (first?.(framework.kinds) ?? []).map((input): [T] => [input]);
    await fc.check(property, { seed, numRuns: cases + examples.length, examples });
    return tally.outcome(law);
  };
  return { law, check };
}

/** Makes a law of listed cases. */
export function listedLaw<T>(
  law: string,
  list: (has: readonly StorageKind[]) => readonly T[],
  holds: (framework: StorageFramework, input: T) => Promise<Held>,
): Law {
  const check = async (framework: StorageFramework): Promise<LawOutcome> => {
    const tally = new Tally();
    const inputs = list(framework.kinds);
    if (inputs.length === 0) return { law, decided: 0, declined: 0, reason: "it has no such types" };
    for (const input of inputs) if (!tally.take(await holds(framework, input))) break;
    return tally.outcome(law);
  };
  return { law, check };
}

class Tally {
  #decided = 0;
  #declined = 0;
  #reason: string | undefined;
  #finding: Finding | undefined;

  /** Counts a case; false once the law is broken. Shrinking keeps breaking cases, so the last is smallest. */
  take(held: Held): boolean {
    if (held.kind === "declined") {
      this.#declined += 1;
      this.#reason = held.reason;
      return true;
    }
    this.#decided += 1;
    if (held.kind === "broken") this.#finding = held.finding;
    return held.kind === "held";
  }

  outcome(law: string): LawOutcome {
    return {
      law,
      decided: this.#decided,
      declined: this.#declined,
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      ...(this.#finding === undefined ? {} : { finding: this.#finding }),
    };
  }
}

/** Says that the law holds of a case. */
export const held: Held = { kind: "held" };

/** Asks, and continues with the answer; a refusal breaks the law. */
export async function answered<K extends Ask>(
  framework: StorageFramework,
  ask: K,
  asked: Asked[K],
  next: (value: Answered[K], breaks: (what: string) => Held) => Held | Promise<Held>,
): Promise<Held> {
  const answer = await framework.ask(ask, asked);
  const broken = (said: string, what: string): Held => ({
    kind: "broken",
    finding: { asked: questionLine(ask, asked), answered: said, due: what },
  });
  switch (answer.kind) {
    case "answered":
      return next(answer.value, (what) => broken(answer.words, what));
    case "refused":
      return broken(`refused: ${answer.reason}`, "an answer");
    case "unsupported":
      return { kind: "declined", reason: answer.reason };
    case "broken":
      return broken(answer.what, "an answer");
  }
}

/** Asks for something that must be refused, by a word or by an end of the process that says so. */
export async function refused<K extends Ask>(
  framework: StorageFramework,
  ask: K,
  asked: Asked[K],
  why: string,
): Promise<Held> {
  const answer = await framework.ask(ask, asked);
  if (answer.kind === "refused") return held;
  if (answer.kind === "unsupported") return { kind: "declined", reason: answer.reason };
  const said = answer.kind === "answered" ? answer.words : answer.what;
  return {
    kind: "broken",
    finding: { asked: questionLine(ask, asked), answered: said, due: `a refusal: ${why}` },
  };
}

/** Asks for something that the definition decides to the bit, or refuses. */
export async function asDue<K extends Ask>(
  framework: StorageFramework,
  ask: K,
  asked: Asked[K],
): Promise<Held> {
  const expected = due[ask](asked);
  if (!expected.ok) return refused(framework, ask, asked, expected.error[0]?.message ?? "");
  return answered(framework, ask, asked, (value, breaks) =>
    isSame(value, expected.value) ? held : breaks(shown(expected.value)),
  );
}

/** Compares answers, numbers by `===`: both zeros are equal, and NaN is unequal to itself. */
export function isSame(x: unknown, y: unknown): boolean {
  if (typeof x !== "object" || typeof y !== "object" || x === null || y === null) return x === y;
  const [left, right] = [Object.entries(x), new Map(Object.entries(y))];
  return left.length === right.size && left.every(([name, value]) => isSame(value, right.get(name)));
}

/** Writes an answer for people. */
export function shown(value: unknown): string {
  return JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value);
}
