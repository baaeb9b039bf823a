import { checkProgram, entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import {
  type Block,
  blocksOf,
  type Procedure,
  type Program,
  proceduresOf,
  type ResultName,
  type Statement,
  type StatementOf,
  statementsIn,
} from "../../spec/programs/index.ts";
import { at } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { flatten } from "../case/index.ts";
import { ranCase } from "./question.ts";

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

/** Returns the block without these statements, wherever they stand in it. */
export function withoutThese(block: Block, dropped: readonly Statement[], origins: Origins): Block {
  if (dropped.length === 0) return block;
  return block.flatMap((statement): Block => {
    if (dropped.includes(statement)) return [];
    const blocks = blocksOf(statement);
    if (blocks.length === 0) return [statement];
    const entries = blocks.map(([property, inner]) => [property, withoutThese(inner, dropped, origins)]);
    return [origins.note({ ...statement, ...Object.fromEntries(entries) }, statement)];
  });
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
export function hasEnd(given: ProgramCase, body: Block, results: readonly ResultName[] = []): boolean {
  const program = withBody(given.program, body, results);
  return checkProgram(program).ok && ranCase({ ...given, program, seeds: [] }).ok;
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
  const { counter } = loop;
  const body = withoutThese(loop.body, leavingIn(loop.body, "break"), origins);
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

/**
 * Returns the procedure that is called or differentiated as an entry, called with what the operands hold
 * where `before` ends: its references are persistent locations, each of its own. `undefined` if that run has
 * no end.
 */
export function calledAlone(
  given: ProgramCase,
  before: Block,
  { procedure: name, operands }: StatementOf<"call" | "differentiate">,
): ProgramCase | undefined {
  const { program } = given;
  const procedure = program.procedures.find((one) => one.name === name);
  if (procedure === undefined) return undefined;
  // A derivative has one operand more than the procedure has parameters.
  const read = readAfter(given, before, operands.slice(0, procedure.parameters.length));
  if (read === undefined) return undefined;
  const isValue = (place: number): boolean => procedure.parameters[place]?.kind === "value";
  const [values, references] = [read.filter((_, i) => isValue(i)), read.filter((_, i) => !isValue(i))];
  const state = procedure.parameters.filter((_, i) => !isValue(i));
  const entry: Procedure = {
    ...procedure,
    name: entryOf(program).name,
    parameters: procedure.parameters.filter((_, i) => isValue(i)),
  };
  return {
    ...given,
    program: {
      ...program,
      state: state.map(({ name: location, shape }) => ({ name: location, shape })),
      procedures: [entry, ...program.procedures.slice(1)],
    },
    point: { ...given.point, inputs: [...values, ...references] },
    seeds: [],
  };
}

/**
 * Returns statements that do without a `no_grad` what its body does: each value is detached. A detachment is
 * taken for the `no_grad` itself.
 */
export function withoutNoGrad(around: StatementOf<"no_grad">, origins: Origins): Block {
  const within = (block: Block): Block => block.flatMap(detached);
  const detached = (statement: Statement): Block => {
    const made = <S extends Statement>(one: S): S => origins.note(one, statement);
    const detach = (name: string, of: string): Statement => origins.note({ do: "detach", name, of }, around);
    switch (statement.do) {
      case "let":
      case "differentiate": {
        const whole = origins.fresh();
        return [made({ ...statement, name: whole }), detach(statement.name, whole)];
      }
      case "buffer":
      case "write": {
        const constant = origins.fresh();
        return [detach(constant, statement.from), made({ ...statement, from: constant })];
      }
      case "update": {
        const { to, op, from } = statement;
        const [whole, constant] = [origins.fresh(), origins.fresh()];
        return [
          made({ do: "let", name: whole, op, attributes: {}, operands: [to, from] }),
          detach(constant, whole),
          made({ do: "write", to, from: constant }),
        ];
      }
      case "write_rows":
      case "write_where": {
        // Written through a detached reference, all that is seen there is constant.
        const constant = origins.fresh();
        return [detach(constant, statement.to), made({ ...statement, to: constant })];
      }
      case "if": {
        const { body, otherwise } = statement;
        return [made({ ...statement, body: within(body), otherwise: within(otherwise) })];
      }
      case "for":
      case "while":
      case "checkpoint":
        return [made({ ...statement, body: within(statement.body) })];
      case "hook":
        return [made({ do: "detach", name: statement.name, of: statement.of })];
      case "call":
      case "custom": {
        const { names, operands } = statement;
        const [constants, wholes] = [operands.map(() => origins.fresh()), names.map(() => origins.fresh())];
        return [
          ...operands.map((of, i) => detach(at(constants, i), of)),
          made({ ...statement, names: wholes, operands: constants }),
          ...names.map((name, i) => detach(name, at(wholes, i))),
        ];
      }
      default:
        return [statement];
    }
  };
  return within(around.body);
}
