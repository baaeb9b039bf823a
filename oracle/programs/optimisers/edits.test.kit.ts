import {
  at,
  type Let,
  type LetOf,
  type OperatorName,
  type Program,
  type Shape,
  type Statement,
  type UpdateOperator,
} from "../../../spec/index.ts";

/** A mutant is a small edit of a case's program, which the comparison of that case must tell. */
export interface OptimiserMutant {
  readonly name: string;
  readonly fault: string;
  readonly of: string;
  readonly edit: (program: Program) => Program;
}

/** These stand for a statement. */
export type Replacing = (statement: Statement) => readonly Statement[];

function within(body: readonly Statement[], replacing: Replacing): Statement[] {
  return body.flatMap((statement) => {
    if (statement.do !== "if") return replacing(statement);
    const { body: then, otherwise } = statement;
    return replacing({
      ...statement,
      body: within(then, replacing),
      otherwise: within(otherwise, replacing),
    });
  });
}

/** Returns the program with another for each statement of its entry, those within branches first. */
export function replaced({ procedures, ...rest }: Program, replacing: Replacing): Program {
  const [entry, ...others] = procedures;
  if (entry === undefined) return { procedures, ...rest };
  return { ...rest, procedures: [{ ...entry, body: within(entry.body, replacing) }, ...others] };
}

/** Returns the program with another body of its entry. */
export function rewritten(
  { procedures, ...rest }: Program,
  rewriting: (body: readonly Statement[]) => readonly Statement[],
): Program {
  const [entry, ...others] = procedures;
  if (entry === undefined) return { procedures, ...rest };
  return { ...rest, procedures: [{ ...entry, body: rewriting(entry.body) }, ...others] };
}

/** The program with these statements, in their order, before all others, or behind all others. */
export function moved(
  program: Program,
  isMoved: (statement: Statement) => boolean,
  to: "front" | "end",
): Program {
  return rewritten(program, (body) => {
    const [taken, left] = [body.filter(isMoved), body.filter((statement) => !isMoved(statement))];
    return to === "front" ? [...taken, ...left] : [...left, ...taken];
  });
}

/** A statement with other names where it reads; with `all`, where it binds too. */
export function renamed(statement: Statement, names: ReadonlyMap<string, string>, all = false): Statement {
  const of = (name: string): string => names.get(name) ?? name;
  switch (statement.do) {
    case "let":
      return {
        ...statement,
        name: all ? of(statement.name) : statement.name,
        operands: statement.operands.map(of),
      };
    case "update":
    case "write":
      return { ...statement, to: of(statement.to), from: of(statement.from) };
    default:
      return statement;
  }
}

/** An operator without attributes that is applied. */
export type Plain =
  | "add"
  | "subtract"
  | "multiply"
  | "divide"
  | "sqrt"
  | "abs"
  | "minimum"
  | "maximum"
  | "equal"
  | "where";

export function applied(name: string, op: Plain, ...operands: readonly string[]): Let {
  return { do: "let", name, op, attributes: {}, operands };
}

/** Copies a value under another name. */
export function copy(name: string, operand: string, shape: Shape): Let {
  return { do: "let", name, op: "reshape", attributes: { shape }, operands: [operand] };
}

export function spread(name: string, operand: string, shape: Shape): Let {
  return { do: "let", name, op: "broadcast_to", attributes: { shape }, operands: [operand] };
}

export function number(name: string, value: number, shape: Shape = []): Let {
  return { do: "let", name, op: "full", attributes: { shape, value }, operands: [] };
}

/** Tells whether a statement applies an operator, to this as its first operand if one is named. */
export function isLet<K extends OperatorName>(
  statement: Statement,
  op: K,
  first?: string,
): statement is LetOf<K> & Let {
  return (
    statement.do === "let" && statement.op === op && (first === undefined || statement.operands[0] === first)
  );
}

export function isUpdate(statement: Statement, to: string, op: UpdateOperator): boolean {
  return statement.do === "update" && statement.to === to && statement.op === op;
}

/** Returns the operand of a statement that applies an operator. */
export function operandOf({ operands }: Pick<Let, "operands">, place: number): string {
  return at(operands, place);
}
