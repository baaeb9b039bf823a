import { checkProgram } from "../../spec/documents/index.ts";
import {
  type Block,
  blocksOf,
  type Procedure,
  type Program,
  type ResultName,
  type Statement,
  type StatementOf,
  statementsIn,
} from "../../spec/programs/index.ts";

/**
 * Returns a smaller program that still `fails`, by dropping and simplifying one statement after the other: a
 * statement goes, with results that name what it binds; a block replaces the statement around it; a loop has
 * one turn or none; an update reads what it overwrites; an uncalled procedure goes. Law: the result is
 * well-formed and fails; it is `program` itself if nothing smaller does. Deterministic. Cost: at worst the
 * square of the statements, times `fails`.
 */
export async function shrinkProgram(
  program: Program,
  fails: (smaller: Program) => boolean | Promise<boolean>,
): Promise<Program> {
  const isSmaller = async (candidate: Program): Promise<boolean> =>
    checkProgram(candidate).ok && (await fails(candidate));
  let current = program;
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    // Later statements go first, since they may read what earlier ones bind.
    for (const statement of current.procedures.flatMap(({ body }) => statementsIn(body)).reverse()) {
      for (const replacement of simplerStatements(statement)) {
        const candidate = withoutLostResults(replaced(current, statement, replacement));
        if (!(await isSmaller(candidate))) continue;
        current = candidate;
        isSettled = false;
        break;
      }
    }
    for (const candidate of fewerParts(current)) {
      if (!(await isSmaller(candidate))) continue;
      current = candidate;
      isSettled = false;
      break;
    }
  }
  return current;
}

/** Lists what may replace a statement, the simplest first. */
function simplerStatements(statement: Statement): readonly Block[] {
  const blocks = blocksOf(statement).map(([, block]) => block);
  if (statement.do === "differentiate_call") return [[], ...simplerCalls(statement)];
  // An update by what it overwrites needs nothing else.
  if (statement.do === "update" && statement.from !== statement.to)
    return [[], [{ ...statement, from: statement.to }]];
  if (statement.do !== "for") return [[], ...blocks];
  const fewer = [0, 1].filter((times) => times < statement.times);
  return [[], ...blocks, ...fewer.map((times): Block => [{ ...statement, times }])];
}

/**
 * Lists the call alone, and the call with one of the parts fewer by which or of which it is differentiated.
 */
function simplerCalls(statement: StatementOf<"differentiate_call">): readonly Block[] {
  const { names, procedure, operands, derivatives, mode, of, wrt, along } = statement;
  const without = <T>(all: readonly T[], place: number): readonly T[] => all.filter((_, i) => i !== place);
  const isReverse = mode === "vjp";
  const given = (place: number): Statement => ({
    ...statement,
    ...(isReverse ? { of: without(of, place) } : { wrt: without(wrt, place) }),
    along: without(along, place),
  });
  const answered = (place: number): Statement => ({
    ...statement,
    ...(isReverse ? { wrt: without(wrt, place) } : { of: without(of, place) }),
    derivatives: without(derivatives, place),
  });
  return [
    [{ do: "call", names, procedure, operands }],
    ...along.map((_, place): Block => [given(place)]),
    ...derivatives.map((_, place): Block => [answered(place)]),
  ];
}

/** Replaces one statement, found by identity, with others. */
function replaced(program: Program, wanted: Statement, replacement: Block): Program {
  const within = (block: Block): Block =>
    block.flatMap((statement): Block => {
      if (statement === wanted) return replacement;
      const blocks = blocksOf(statement);
      if (!blocks.some(([, inner]) => contains(inner, wanted))) return [statement];
      const entries = blocks.map(([property, inner]) => [property, within(inner)]);
      return [{ ...statement, ...Object.fromEntries(entries) }];
    });
  const procedures = program.procedures.map((procedure) => ({ ...procedure, body: within(procedure.body) }));
  return { ...program, procedures };
}

function contains(block: Block, wanted: Statement): boolean {
  return block.some(
    (statement) => statement === wanted || blocksOf(statement).some(([, inner]) => contains(inner, wanted)),
  );
}

/** Drops results of the entry that nothing binds any more; in other procedures the check refuses them. */
function withoutLostResults(program: Program): Program {
  const [entry, ...others] = program.procedures;
  if (entry === undefined) return program;
  const bound = new Set([
    ...program.state.map(({ name }) => name),
    ...(program.aliases ?? []).map(({ name }) => name),
    ...entry.parameters.map(({ name }) => name),
    ...entry.body.flatMap((statement) => [
      ...("name" in statement ? [statement.name] : []),
      ...("names" in statement ? statement.names : []),
      ...("derivatives" in statement ? statement.derivatives : []),
    ]),
  ]);
  return { ...program, procedures: [withResults(entry, ({ name }) => bound.has(name)), ...others] };
}

/** Lists the programs with a result, a procedure, or another name of a location, fewer. */
function* fewerParts(program: Program): Generator<Program> {
  const [entry, ...others] = program.procedures;
  if (entry === undefined) return;
  const { aliases = [], ...rest } = program;
  for (const alias of aliases) {
    const fewer = aliases.filter((one) => one !== alias);
    yield fewer.length === 0 ? rest : { ...rest, aliases: fewer };
  }
  for (const [i] of others.entries())
    yield { ...program, procedures: [entry, ...others.filter((_, place) => place !== i)] };
  for (const result of entry.results)
    yield { ...program, procedures: [withResults(entry, (one) => one !== result), ...others] };
}

/** Returns the procedure with some of its results, wherever it returns. */
function withResults(procedure: Procedure, isKept: (result: ResultName) => boolean): Procedure {
  const kept = procedure.results.map(isKept);
  if (!kept.includes(false)) return procedure;
  const within = (block: Block): Block =>
    block.map((statement): Statement => {
      if (statement.do === "return")
        return { ...statement, operands: statement.operands.filter((_, place) => kept[place]) };
      const entries = blocksOf(statement).map(([property, inner]) => [property, within(inner)]);
      return { ...statement, ...Object.fromEntries(entries) };
    });
  const results = procedure.results.filter((_, place) => kept[place]);
  return { ...procedure, body: within(procedure.body), results };
}
