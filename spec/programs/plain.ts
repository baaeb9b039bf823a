import type { Shape } from "../shapes/index.ts";
import { at, isSameShape, present } from "../shapes/index.ts";
import type { Index, Let, LetOf, Procedure, Program, Statement, StatementOf } from "./program.ts";

/** These statements mean others, as a composite means its expansion. */
export type Compound = StatementOf<"write_rows"> | StatementOf<"write_where">;

/** A compound statement is made of these. */
export type Plain = StatementOf<"let" | "buffer" | "view" | "write" | "update">;

/** A compound statement is executed many times, on the same shapes. */
const known: WeakMap<Statement, readonly Plain[]> = new WeakMap();

/**
 * Returns the statements that a compound one means [SEMANTICS §10.3], for the shapes of what it writes to and
 * of what is written. The names that they bind are new, and end behind them. The same statement has the same
 * ones.
 */
export function plainOf(statement: Compound, to: Shape, from: Shape): readonly Plain[] {
  const found = known.get(statement) ?? writtenOut(statement, to, from);
  known.set(statement, found);
  return found;
}

/** The derivative of these is said by a procedure. */
export type Custom = StatementOf<"custom"> | StatementOf<"hook">;

/** A statement whose derivative is said is made of these. */
export type CustomPart = StatementOf<"buffer" | "detach" | "call" | "let" | "write">;

/**
 * Returns the statements that one means whose derivative is said [SEMANTICS §10.14]: a call with constant
 * operands, a call of the derivative, and `value − (path − path)` of both, of which the first `path` is
 * constant. The names that they bind, but for the statement's own, are new, and end behind them. Takes a
 * checked program.
 */
export function customPartsOf(statement: Custom, program: Program): readonly CustomPart[] {
  return statement.do === "hook" ? hookPartsOf(statement) : callPartsOf(statement, program);
}

function hookPartsOf({ name, of, derivative }: StatementOf<"hook">): readonly CustomPart[] {
  const fresh = freshBeside([name, of]);
  const [value, path] = [fresh(`${of}.value`), fresh(`${of}.path`)];
  return [
    { do: "detach", name: value, of },
    { do: "call", names: [path], procedure: derivative, operands: [of] },
    ...joined(name, value, path, fresh),
  ];
}

function callPartsOf(
  { names, procedure, derivative, operands }: StatementOf<"custom">,
  { procedures }: Program,
): readonly CustomPart[] {
  const called = procedureNamed(procedure, procedures);
  const fresh = freshBeside([...names, ...operands]);
  const isMarked = called.parameters.map(({ kind }) => kind === "reference");
  const constants = operands.map((of): CustomPart & { readonly name: string } => ({
    ...{ do: "detach", name: fresh(`${of}.constant`), of },
  }));
  // What is overwritten is read before.
  const before = (isMarked.includes(true) ? operands : []).map(
    (from): CustomPart & { readonly name: string } => ({
      ...{ do: "buffer", name: fresh(`${from}.before`), from },
    }),
  );
  const values = called.results.map(({ name }) => fresh(`${name}.value`));
  const paths = procedureNamed(derivative, procedures).results.map(({ name }) => fresh(`${name}.path`));
  const read = before.length > 0 ? before.map(({ name }) => name) : operands;
  const marked = operands.flatMap((to, i) => (at(isMarked, i) ? [{ to, value: at(constants, i).name }] : []));
  return [
    ...before,
    ...constants,
    { do: "call", names: values, procedure, operands: constants.map(({ name }) => name) },
    { do: "call", names: paths, procedure: derivative, operands: [...read, ...values.slice(names.length)] },
    ...names.flatMap((name, i) => joined(name, at(values, i), at(paths, i), fresh)),
    ...marked.flatMap(({ to, value }, i): CustomPart[] => {
      const from = fresh(`${to}.after`);
      return [...joined(from, value, at(paths, names.length + i), fresh), { do: "write", to, from }];
    }),
  ];
}

/** Subtracts 0, which leaves the sign of a zero, and has the derivative of minus the path. */
function joined(name: string, value: string, path: string, fresh: (name: string) => string): CustomPart[] {
  const [fixed, zero] = [fresh(`${path}.constant`), fresh(`${path}.zero`)];
  return [
    { do: "let", name: fixed, op: "stop_gradient", attributes: {}, operands: [path] },
    { do: "let", name: zero, op: "subtract", attributes: {}, operands: [fixed, path] },
    { do: "let", name, op: "subtract", attributes: {}, operands: [value, zero] },
  ];
}

function procedureNamed(name: string, procedures: readonly Procedure[]): Procedure {
  const found = procedures.find((procedure) => procedure.name === name);
  return present(found, "a procedure of a program that was checked");
}

function writtenOut(statement: Compound, to: Shape, from: Shape): readonly Plain[] {
  return statement.do === "write_rows" ? rowsOf(statement, to) : maskedOf(statement, to, from);
}

/** All of the value is read, into a location of its own, before the first row changes. */
function rowsOf({ to, rows, op, from }: StatementOf<"write_rows">, shape: Shape): readonly Plain[] {
  const fresh = freshBeside([to, from, ...rows.filter((row) => typeof row === "string")]);
  const given = fresh(`${from}.rows`);
  const rest = shape.slice(1);
  const row = (of: string, place: Index): StatementOf<"view"> => {
    const starts = [place, ...rest.map(() => 0)];
    const how = { kind: "slice", starts, sizes: [1, ...rest], steps: shape.map(() => 1) } as const;
    return { do: "view", name: fresh(`${of}.row`), of, how };
  };
  return [
    { do: "buffer", name: given, from },
    ...rows.flatMap((place, i): Plain[] => {
      const [target, value] = [row(to, place), row(given, i)];
      const own = { to: target.name, from: value.name };
      return [target, value, op === undefined ? { do: "write", ...own } : { do: "update", op, ...own }];
    }),
  ];
}

/**
 * What an update makes of places where the mask is 0 goes nowhere. Its operand is 1 there, so that no number
 * beside the mask, such as a divisor of 0, reaches a derivative [SEMANTICS §10.19].
 */
function maskedOf(
  { to, mask, op, from }: StatementOf<"write_where">,
  shape: Shape,
  own: Shape,
): readonly Plain[] {
  const fresh = freshBeside([to, mask, from]);
  const given = fresh(`${from}.filled`);
  const wide = fresh(`${from}.filled`);
  const filled: readonly Plain[] = [
    { do: "buffer", name: given, from },
    { do: "view", name: wide, of: given, how: { kind: "broadcast", shape } },
  ];
  const isSame = isSameShape(own, shape);
  const where = (then: string, otherwise: string): LetOf<"where"> => {
    const operands = [mask, then, otherwise];
    return { do: "let", name: fresh(`${to}.where`), op: "where", attributes: {}, operands };
  };
  const value = isSame ? from : wide;
  const updated: Let[] = [];
  if (op !== undefined) {
    const [ones, name] = [fresh(`${to}.ones`), fresh(`${to}.updated`)];
    const within = where(value, ones);
    updated.push(
      { do: "let", name: ones, op: "full", attributes: { shape, value: 1 }, operands: [] },
      within,
      { do: "let", name, op, attributes: {}, operands: [to, within.name] },
    );
  }
  const chosen = where(updated.at(-1)?.name ?? value, to);
  return [...(isSame ? [] : filled), ...updated, chosen, { do: "write", to, from: chosen.name }];
}

/** Makes a function that changes a name until it is none of these, nor one that it has made. */
function freshBeside(taken: readonly string[]): (name: string) => string {
  const known = new Set(taken);
  return (name) => {
    let text = name;
    for (let count = 1; known.has(text); count++) text = `${name}${count}`;
    known.add(text);
    return text;
  };
}
