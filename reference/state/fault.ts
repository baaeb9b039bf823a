import { type Program, pointerOfStatement, type Statement } from "../../spec/programs/index.ts";
import type { Issue } from "../../spec/shapes/index.ts";

/**
 * Thrown where a run cannot go on, by whoever finds out; {@link issueOf} makes an issue of it, with the place
 * of the statement. Nobody outside this folder sees it.
 */
export class StateFault extends Error {
  override readonly name = "StateFault";
  readonly code: string;
  readonly hint: string;
  /** The innermost statement that was under way. */
  statement: Statement | undefined;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** The algebra has no such thing. Throws {@link StateFault}. */
export function cannot(what: string, algebra: string): never {
  throw new StateFault(
    "algebra/missing",
    `${what} needs what the algebra ${algebra} does not offer.`,
    "choose another algebra, for example float64",
  );
}

/** Returns the fault as an issue of the program. */
export function issueOf(program: Program, { code, message, hint, statement }: StateFault): Issue {
  const pointer = statement === undefined ? "" : pointerOfStatement(program, statement);
  return { code, pointer, message, hint };
}
