import { isDeepStrictEqual } from "node:util";
import { checkProgram, entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import {
  type Block,
  blocksOf,
  type Program,
  proceduresOf,
  type ResultName,
  type Statement,
  type StatementOf,
  statementsIn,
} from "../../spec/programs/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { flatten } from "../case/index.ts";
import type { Origins } from "./origins.ts";
import { ranCase } from "./question.ts";
import { freshNames, renamed } from "./renamed.ts";

/** Returns a program whose entry has this body and these results, with the procedures that it needs. */
export function withBody(program: Program, body: Block, results: readonly ResultName[] = []): Program {
  const entry = { ...entryOf(program), body, results };
  const needed = new Set(calledBy(body));
  const others = program.procedures.slice(1);
  // A set that grows while it is gone through has its new elements gone through too.
  for (const name of needed)
    for (const { name: own, body: inner } of others)
      if (own === name) for (const next of calledBy(inner)) needed.add(next);
  return { ...program, procedures: [entry, ...others.filter(({ name }) => needed.has(name))] };
}

function calledBy(block: Block): string[] {
  return statementsIn(block).flatMap(proceduresOf);
}

/** Lists the statements that leave a block: those that end this loop, or this procedure. */
export function leavingIn(block: Block, kind: "break" | "return"): Statement[] {
  return block.flatMap((statement) => {
    if (statement.do === kind) return [statement];
    const isLoop = statement.do === "for" || statement.do === "while";
    if (isLoop && kind === "break") return [];
    return blocksOf(statement).flatMap(([, inner]) => leavingIn(inner, kind));
  });
}

/** Returns the block with others in the place of some statements, wherever they stand in it. */
function rewritten(
  block: Block,
  change: (statement: Statement) => Block | undefined,
  origins: Origins,
): Block {
  return block.flatMap((statement): Block => {
    const changed = change(statement);
    if (changed !== undefined) return changed;
    const blocks = blocksOf(statement);
    if (blocks.length === 0) return [statement];
    const entries = blocks.map(([property, inner]) => [property, rewritten(inner, change, origins)]);
    return [origins.note({ ...statement, ...Object.fromEntries(entries) }, statement)];
  });
}

/** Returns the block without these statements, wherever they stand in it. */
export function withoutThese(block: Block, dropped: readonly Statement[], origins: Origins): Block {
  if (dropped.length === 0) return block;
  return rewritten(block, (statement) => (dropped.includes(statement) ? [] : undefined), origins);
}

/** Runs the entry with this body, and reads these names at its end; `undefined` if that run has no end. */
export function readAfter(
  given: ProgramCase,
  body: Block,
  names: readonly string[],
): readonly FlatTensor[] | undefined {
  if (!checkProgram(withBody(given.program, body)).ok) return undefined;
  const results = names.map((name) => ({ name, shape: [] }));
  const ran = ranCase({ ...given, program: withBody(given.program, body, results), seeds: [] });
  return ran.ok ? ran.value.results.map(flatten) : undefined;
}

/** Tells whether the reference comes to the end of the entry with this body. */
export function hasEnd(given: ProgramCase, body: Block, results?: readonly ResultName[]): boolean {
  return leftBy(given, body, results) !== undefined;
}

/** Tells whether the entry has an end with each of two bodies, and leaves the same in these names. */
export function isSameRun(
  given: ProgramCase,
  one: Block,
  other: Block,
  results?: readonly ResultName[],
): boolean {
  const left = leftBy(given, one, results);
  return left !== undefined && isDeepStrictEqual(leftBy(given, other, results), left);
}

/** Returns what the entry with this body leaves; `undefined` if it is no program or that run has no end. */
function leftBy(given: ProgramCase, body: Block, results: readonly ResultName[] = []): unknown {
  const program = withBody(given.program, body, results);
  if (!checkProgram(program).ok) return undefined;
  const ran = ranCase({ ...given, program, seeds: [] });
  return ran.ok ? ran.value : undefined;
}

/** Tells whether a condition holds where this body ends; `undefined` if that run has no end. */
export function holdsAfter(given: ProgramCase, body: Block, condition: string): boolean | undefined {
  const read = readAfter(given, body, [condition]);
  return read === undefined ? undefined : read[0]?.data[0] !== 0;
}

/**
 * Returns a loop that has its turns without looking at its condition, as often as the reference goes round;
 * `undefined` if that run has no end. Cost: a run for each turn.
 */
export function counting(
  given: ProgramCase,
  before: Block,
  loop: StatementOf<"while">,
  origins: Origins,
): StatementOf<"for"> | undefined {
  const { condition, fuel, body } = loop;
  const counter = origins.fresh();
  for (let times = 0; times <= fuel; times++) {
    const counted: StatementOf<"for"> = { do: "for", counter, times, body };
    const holds = holdsAfter(given, [...before, counted], condition);
    if (holds === undefined) return undefined;
    if (!holds) return origins.note(counted, loop);
  }
  return undefined;
}

/** Returns the statements of a turn of a loop, whose counter is a number there, and which no break ends. */
export function turnOf(loop: StatementOf<"for">, turn: number, origins: Origins): Block {
  return numbered(loop, withoutThese(loop.body, leavingIn(loop.body, "break"), origins), turn, origins);
}

/** A loop with more turns is not written out whole. */
export const MOST_TURNS = 48;

/** Returns all turns of a loop in order, with names of their own; `undefined` if they are many. */
export function turnsOf(loop: StatementOf<"for">, origins: Origins): Block | undefined {
  if (loop.times > MOST_TURNS) return undefined;
  return Array.from({ length: loop.times }, (_, turn) => {
    const statements = turnOf(loop, turn, origins);
    return renamed(statements, freshNames(statements, origins), origins);
  }).flat();
}

/**
 * Returns the block with a loop in it that does not count: from the turn in which it is left, its counter is
 * that turn's number in all turns. `undefined` if it is left in none, not always in one, or in a late one.
 * Cost: a run for each turn.
 */
export function withoutCounting(
  given: ProgramCase,
  block: Block,
  loop: StatementOf<"for">,
  results: readonly ResultName[],
  origins: Origins,
): Block | undefined {
  const withLoops = (loops: Block): Block =>
    rewritten(block, (statement) => (statement === loop ? loops : undefined), origins);
  const first = (times: number): StatementOf<"for"> => origins.note({ ...loop, times }, loop);
  for (let turn = 0; turn < Math.min(loop.times, MOST_TURNS); turn++) {
    if (!isSameRun(given, block, withLoops([first(turn + 1)]), results)) continue;
    const body = numbered(loop, loop.body, turn, origins);
    const rest: Statement = { ...loop, counter: origins.fresh(), times: loop.times - turn, body };
    const changed = withLoops([...(turn === 0 ? [] : [first(turn)]), origins.note(rest, loop)]);
    return isSameRun(given, block, changed, results) ? changed : undefined;
  }
  return undefined;
}

/** Returns statements of a loop's body whose counter is a number. */
function numbered(loop: StatementOf<"for">, body: Block, turn: number, origins: Origins): Block {
  const { counter } = loop;
  const value: Statement = {
    do: "let",
    name: counter,
    op: "full",
    attributes: { shape: [], value: turn },
    operands: [],
  };
  const replaced = (statement: Statement): Statement =>
    origins.note(withNumber(statement, counter, turn, replaced), statement);
  return [origins.note(value, loop), ...body.map(replaced)];
}

/** Puts a number where a statement has a counter for an index; operands keep the counter's name. */
function withNumber(
  statement: Statement,
  counter: string,
  turn: number,
  within: (statement: Statement) => Statement,
): Statement {
  const number = (index: number | string): number | string => (index === counter ? turn : index);
  switch (statement.do) {
    case "view": {
      const { how } = statement;
      if (how.kind === "slice") return { ...statement, how: { ...how, starts: how.starts.map(number) } };
      return how.kind === "strided" ? { ...statement, how: { ...how, start: number(how.start) } } : statement;
    }
    case "write_rows":
      return { ...statement, rows: statement.rows.map(number) };
    case "draw": {
      const { key } = statement;
      return key === undefined ? statement : { ...statement, key: [number(key[0]), number(key[1])] };
    }
    case "if":
      return { ...statement, body: statement.body.map(within), otherwise: statement.otherwise.map(within) };
    case "for":
    case "while":
    case "no_grad":
    case "checkpoint":
      return { ...statement, body: statement.body.map(within) };
    default:
      return statement;
  }
}
