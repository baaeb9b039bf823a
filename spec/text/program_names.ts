import { type Procedure, type Statement, statementsIn } from "../programs/index.ts";

/** The names that a procedure binds. */
export function namesOf({ parameters, body }: Procedure): string[] {
  return [...parameters.map(({ name }) => name), ...statementsIn(body).flatMap(namesBoundBy)];
}

function namesBoundBy(statement: Statement): readonly string[] {
  if (statement.do === "call") return statement.names;
  if (statement.do === "for") return [statement.counter];
  return "name" in statement && statement.do !== "rebind" ? [statement.name] : [];
}

/** The names such as %3 that a procedure uses once. */
export function singleIn({ body, results }: Procedure): ReadonlySet<string> {
  const uses = new Map<string, number>();
  const names = [...statementsIn(body).flatMap(namesUsedBy), ...results.map(({ name }) => name)];
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Set(names.filter((name) => uses.get(name) === 1 && /^%[1-9][0-9]*$/.test(name)));
}

function namesUsedBy(statement: Statement): readonly string[] {
  switch (statement.do) {
    case "rebind":
      return [statement.name, statement.to];
    case "write":
    case "update":
      return [statement.to, statement.from];
    case "if":
    case "while":
      return [statement.condition];
    default: {
      const operands = "operands" in statement ? statement.operands : [];
      const of = "of" in statement && typeof statement.of === "string" ? [statement.of] : [];
      const from = "from" in statement && typeof statement.from === "string" ? [statement.from] : [];
      return [...operands, ...of, ...from];
    }
  }
}
