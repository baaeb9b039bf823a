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
  /** What is read when no statement is under way stands here in the program. */
  pointer: string | undefined;

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
export function issueOf(program: Program, { code, message, hint, statement, pointer }: StateFault): Issue {
  const place = statement === undefined ? "" : pointerOfStatement(program, statement);
  return { code, pointer: pointer ?? place, message, hint };
}

/** Reads what stands at this place of the program, which a fault then names. */
export function placed<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof StateFault) fault.pointer ??= pointer;
    throw fault;
  }
}
