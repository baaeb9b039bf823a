import { entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import {
  type Block,
  type Custom,
  customPartsOf,
  type Procedure,
  type Program,
  type Statement,
  type StatementOf,
  statementsIn,
} from "../../spec/programs/index.ts";
import { at, type Shape } from "../../spec/shapes/index.ts";
import type { Origins } from "./origins.ts";
import { freshNames, renamed } from "./renamed.ts";
import { leavingIn, readAfter } from "./written_out.ts";

/**
 * Returns the procedure that is called or differentiated as an entry, called with what the operands hold
 * where `before` ends: its references are persistent locations, each of its own. `undefined` if that run has
 * no end.
 */
export function calledAlone(
  given: ProgramCase,
  before: Block,
  { procedure: name, operands }: StatementOf<"call" | "differentiate" | "differentiate_call">,
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
  const { aliases: _, ...rest } = program;
  return {
    ...given,
    program: {
      ...rest,
      state: state.map(({ name: location, shape }) => ({ name: location, shape })),
      procedures: [entry, ...program.procedures.slice(1)],
    },
    point: { ...given.point, inputs: [...values, ...references] },
    seeds: [],
  };
}

/**
 * Returns statements that do what a call does, where it stands: values, and what is given back, are read by a
 * reshape, and locations are the caller's own. `undefined` if the procedure returns from within a block, or
 * one of its references changes what it stands for.
 */
export function calledHere(program: Program, call: StatementOf<"call">, origins: Origins): Block | undefined {
  const procedure = program.procedures.find(({ name }) => name === call.procedure);
  if (procedure === undefined) return undefined;
  const { parameters, body, results } = procedure;
  const references = parameters.filter(({ kind }) => kind !== "value").map(({ name }) => name);
  const isRebound = statementsIn(body).some((one) => one.do === "rebind" && references.includes(one.name));
  if (isRebound || leavingIn(body, "return").length > 0) return undefined;
  const read = (name: string, of: string, shape: Shape): Statement =>
    origins.note({ do: "let", name, op: "reshape", attributes: { shape }, operands: [of] }, call);
  const names = new Map([
    ...freshNames(body, origins),
    ...parameters.map(({ name, kind }, i): [string, string] => [
      name,
      kind === "value" ? origins.fresh() : at(call.operands, i),
    ]),
  ]);
  const named = (name: string): string => names.get(name) ?? name;
  const values = parameters.flatMap(({ name, kind, shape }, i) =>
    kind === "value" ? [read(named(name), at(call.operands, i), shape)] : [],
  );
  const reading = results.map(({ name, shape }, i) => read(at(call.names, i), named(name), shape));
  return [...values, ...renamed(body, names, origins), ...reading];
}

/** Returns the plain statements that one means whose derivative is said, with names of their own. */
export function customHere(program: Program, statement: Custom, origins: Origins): Block {
  const parts = customPartsOf(statement, program).map((part) => origins.note(part, statement));
  const names = freshNames(parts, origins);
  for (const name of "names" in statement ? statement.names : [statement.name]) names.delete(name);
  return renamed(parts, names, origins);
}
