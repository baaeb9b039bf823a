import { type LeanMessage, readMessage } from "./messages.ts";
import { readSeen, type Seen } from "./seen.ts";

/** Lean and its environment say this of a file. */
export type Answer =
  | Elaborated
  /** Its imports could not be read. */
  | { readonly kind: "not-imported"; readonly messages: readonly LeanMessage[] }
  /** There is no answer: the process ended, or was ended. */
  | { readonly kind: "stopped"; readonly why: string };

/** The file was read to its end. That says nothing of errors in it. */
interface Elaborated {
  readonly kind: "elaborated";
  readonly messages: readonly LeanMessage[];
  readonly claims: readonly ClaimFacts[];
  /** All axioms that any of its constants rests on, as far as its own module goes. */
  readonly axioms: readonly string[];
  /** Theorems of Lean's own that it uses, whose proofs are in no file of Lean's. */
  readonly unseen: readonly string[];
  /** The theorems of a module that is kept, with their types. */
  readonly theorems: readonly Theorem[];
  /** These are its definitions, if statements were given. */
  readonly seen: Seen | undefined;
  /** Full names of what the file defines and proves. */
  readonly constants: readonly string[];
  /** Constants that are called like one of the library's. */
  readonly shadows: readonly string[];
}

/** A theorem of the environment, and what it says, as Lean writes it. */
export interface Theorem {
  readonly name: string;
  readonly type: string;
}

/** The environment says this of a claim. */
interface ClaimFacts {
  readonly name: string;
  readonly kind: "theorem" | "missing" | "other" | "imported";
  readonly axioms: readonly string[];
  /** The modules of the constants that its statement speaks of, through the file's own definitions. */
  readonly about: readonly string[];
  /** It states this one of the statements, of these numbers; `undefined` if none. */
  readonly states?: { readonly place: number; readonly first: string; readonly second: string } | undefined;
  /** Its type, with every argument. */
  readonly shown: string;
}

/** Gathers the lines of one answer. What does not bear its nonce is not heard. */
export class AnswerReader {
  /** Resolves with the whole answer. */
  readonly answer: Promise<Answer>;
  readonly #resolve: (answer: Answer) => void;
  readonly #nonce: string;
  readonly #limit: number;
  readonly #messages: LeanMessage[] = [];
  #characters = 0;

  constructor(nonce: string, limit: number) {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#nonce = nonce;
    this.#limit = limit;
  }

  hear(line: string): void {
    this.#characters += line.length;
    if (this.#characters > this.#limit) {
      this.#resolve({ kind: "stopped", why: `Lean wrote more than ${this.#limit} characters` });
      return;
    }
    const value = parse(line);
    if (value?.nonce !== this.#nonce) return;
    const messages = this.#messages;
    if ("message" in value) {
      const message = readMessage(value.message);
      if (message === undefined)
        this.#resolve({ kind: "stopped", why: "Lean wrote a message of another form" });
      else messages.push(message);
    } else if (value.done === true) this.#resolve(readElaborated(value, messages));
    else if (value.done === false) this.#resolve({ kind: "not-imported", messages });
    else this.#resolve({ kind: "stopped", why: `Lean failed: ${String(value.failed).slice(0, 500)}` });
  }
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readElaborated(value: Readonly<Record<string, unknown>>, messages: readonly LeanMessage[]): Answer {
  const { axioms, unseen, constants, shadows } = value;
  const theorems = Array.isArray(value.theorems) ? value.theorems.flatMap(readTheorem) : undefined;
  const claims = Array.isArray(value.claims) ? value.claims.map(readClaim) : undefined;
  if (
    claims === undefined ||
    !isNames(axioms) ||
    theorems === undefined ||
    !isNames(shadows) ||
    !isNames(unseen) ||
    !isNames(constants)
  ) {
    return { kind: "stopped", why: "Lean wrote an answer of another form" };
  }
  const seen = readSeen(value.seen);
  return { kind: "elaborated", messages, claims, axioms, unseen, theorems, seen, constants, shadows };
}

function readTheorem(value: unknown): Theorem[] {
  const [name, type] = Array.isArray(value) ? value : [];
  return typeof name === "string" && typeof type === "string" ? [{ name, type }] : [];
}

function readClaim(value: unknown): ClaimFacts {
  const missing: ClaimFacts = { name: "", kind: "missing", axioms: [], about: [], shown: "" };
  if (!isRecord(value) || typeof value.name !== "string") return missing;
  const { name, kind, axioms, about, shown } = value;
  const states = readStates(value.states);
  const isKnown = kind === "theorem" || kind === "other" || kind === "imported";
  return isKnown && isNames(axioms) && isNames(about) && typeof shown === "string"
    ? { name, kind, axioms, about, states, shown }
    : { ...missing, name };
}

function readStates(value: unknown): ClaimFacts["states"] {
  if (!isNames(value)) return undefined;
  const [place = "", first = "", second = ""] = value;
  return { place: Number(place), first, second };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
