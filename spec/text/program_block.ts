import { checkApplication } from "../documents/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import { NameScope, type Parameter, type StatementKind } from "../programs/index.ts";
import { isSameShape, type Shape } from "../shapes/index.ts";
import type { Faults } from "./fault.ts";
import type { Located, Parts, Places } from "./places.ts";
import type { Expression, Place, Word } from "./tree.ts";

/** A statement as JSON, before the check of the whole program. */
export interface StatementText {
  readonly do: StatementKind;
  readonly [property: string]: unknown;
}

/** A name stands for something with a shape; `place` is where it was named last. */
export interface Bound {
  readonly kind: "value" | "reference" | "counter";
  readonly name: string;
  readonly shape: Shape;
  readonly place: Place;
}

/** What an expression stands for: a number takes the shape that is due; nothing, after a mistake. */
export type Operand =
  | Bound
  | { readonly kind: "literal"; readonly value: number; readonly place: Place }
  | undefined;

/** What a name of a block stands for; what a line with a mistake binds is not known. */
type Known = Bound | { readonly kind: "unknown" };

/** What others know of a procedure. */
export interface Signature {
  readonly parameters: readonly Parameter[];
  /** The names and shapes of its results, in order; an entry is `undefined` after a mistake. */
  readonly results: readonly (Result | undefined)[];
}

/** The name of a result, which an expression has none of, and its shape. */
export interface Result {
  readonly name: string | undefined;
  readonly shape: Shape;
}

/** All blocks of a program share these. */
export interface Surroundings {
  readonly faults: Faults;
  readonly places: Places;
  readonly environment: ReadonlyMap<string, EnvironmentEntry>;
  /** Finds a procedure that is called; `undefined`, and a fault, if there is none. */
  procedure(name: Word): Signature | undefined;
  /** A name that the text does not bind. */
  fresh(): string;
  /** Appends the statements that an expression means, and returns what it stands for. */
  operand(expression: Expression, block: Block, target?: Target): Operand;
}

/** A call of an operator, of a procedure, or of a statement that is written like one. */
export type Call = Extract<Expression, { readonly kind: "call" }>;

/** A value that is made gets this name, and a number this shape. */
export interface Target {
  readonly name: string;
  readonly shape?: Shape;
}

/** The statements of a block while they are read. */
export class Block {
  readonly statements: StatementText[] = [];
  readonly around: Surroundings;
  readonly #pointer: string;
  readonly #isInner: boolean;
  readonly #located: Located[] = [];
  readonly #scope: NameScope<Known>;

  constructor(around: Surroundings, pointer: string, outer?: Block) {
    this.around = around;
    this.#isInner = outer !== undefined;
    this.#pointer = pointer;
    around.places.addBlock(pointer, this.#located);
    this.#scope = new NameScope(outer === undefined ? undefined : outer.#scope);
  }

  get faults(): Faults {
    return this.around.faults;
  }

  /** Appends a statement, and says where it and its parts are written. */
  push(statement: StatementText, place: Place, parts: Parts = {}): void {
    this.#located.push({ place, parts });
    this.statements.push(statement);
  }

  /** Says where the name stands that the last statement binds. */
  locateName(place: Place): void {
    const last = this.#located.at(-1);
    if (last !== undefined) last.name = place;
  }

  /** Tells whether the block stands within another one of its procedure. */
  get isInner(): boolean {
    return this.#isInner;
  }

  /** A block within the statement that is appended next. */
  within(property: string): Block {
    return new Block(this.around, `${this.#pointer}/${this.statements.length}/${property}`, this);
  }

  bind(name: string, bound: Operand): void {
    this.#scope.bind(name, bound === undefined || bound.kind === "literal" ? { kind: "unknown" } : bound);
  }

  isBound(name: string): boolean {
    return this.#scope.find(name) !== undefined;
  }

  /** Lists the names that are bound here. */
  names(): readonly string[] {
    return this.#scope.names();
  }

  /** Finds what a word names; `undefined` after a mistake, or with a fault if it names nothing. */
  find({ text, place, isQuoted }: Word): Bound | undefined {
    const known = this.#scope.find(text);
    if (known === undefined) {
      const word = isQuoted === true ? { text, place, isQuoted } : { text, place };
      const all = [...this.#scope.names(), ...this.around.environment.keys()];
      this.faults.addUnknown("text/name", "name", word, all);
    }
    return known === undefined || known.kind === "unknown" ? undefined : { ...known, place };
  }

  /** Appends what an expression means. With a target something is made that has its name. */
  operand(expression: Expression, target?: Target): Operand {
    return this.around.operand(expression, this, target);
  }

  /** Applies an operator to operands that are known. */
  apply(
    op: string,
    operands: readonly Bound[],
    attributes: object,
    place: Place,
    name: string = this.around.fresh(),
  ): Bound | undefined {
    const { environment } = this.around;
    const shapes = operands.map(({ shape }) => shape);
    const applied = checkApplication({ op, attributes }, shapes, {
      environment,
      isEnvironmentPartial: false,
    });
    if (!applied.ok) for (const issue of applied.error) this.faults.addIssue(issue, place);
    if (!applied.ok || applied.value === undefined) return undefined;
    const names = operands.map((operand) => operand.name);
    this.push({ do: "let", name, op, attributes, operands: names }, place, { operands });
    return { kind: "value", name, shape: applied.value, place };
  }

  /** Fills a tensor with a number; −0, which JSON does not tell from 0, is the negative of one. */
  filled(value: number, shape: Shape, place: Place, name?: string): Bound | undefined {
    const attributes = { shape: [...shape], value: Math.abs(value) };
    if (!Object.is(value, -0)) return this.apply("full", [], { ...attributes, value }, place, name);
    const zero = this.apply("full", [], attributes, place);
    return zero && this.apply("negative", [zero], {}, place, name);
  }

  /** Gives an operand a name, and a shape by broadcasting if one is due; a number is a scalar otherwise. */
  shaped(operand: Operand, shape?: Shape): Bound | undefined {
    if (operand === undefined) return undefined;
    if (operand.kind === "literal") return this.filled(operand.value, shape ?? [], operand.place);
    if (shape === undefined || isSameShape(operand.shape, shape)) return operand;
    return this.apply("broadcast_to", [operand], { shape: [...shape] }, operand.place);
  }

  /** Adds a fault about an expression. */
  refuse({ place }: Pick<Expression, "place">, code: string, message: string, hint: string): undefined {
    this.faults.add(code, place, message, hint);
    return undefined;
  }
}
