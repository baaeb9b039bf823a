import type { Statement } from "../../spec/programs/index.ts";

/** Statements that were made of others know of which, and their names stand nowhere else. */
export class Origins {
  readonly #origins: WeakMap<Statement, Statement> = new WeakMap();
  #names = 0;

  /** Returns the statement of the program that was judged. */
  of(statement: Statement): Statement {
    return this.#origins.get(statement) ?? statement;
  }

  /** Notes that the first was made of the second, and returns it. */
  note<S extends Statement>(made: S, of: Statement): S {
    if (made !== of) this.#origins.set(made, this.of(of));
    return made;
  }

  fresh(): string {
    this.#names += 1;
    return `%written out ${this.#names}`;
  }
}
