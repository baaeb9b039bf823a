import { at, isSameShape, present, type Shape, sizeOf } from "../shapes/index.ts";
import type { Index, Let, LetOf, Procedure, Program, Statement, StatementOf } from "./program.ts";

/** These statements mean others, as a composite means its expansion. */
export type Compound = StatementOf<"write_rows" | "write_where" | "write_scatter">;

/** A compound statement is made of these. */
export type Plain = StatementOf<"let" | "buffer" | "view" | "index" | "write" | "update">;

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
  switch (statement.do) {
    case "write_rows":
      return rowsOf(statement, to);
    case "write_where":
      return maskedOf(statement, to, from, freshBeside([statement.to, statement.mask, statement.from]));
    case "write_scatter":
      return scatteredOf(statement, to);
  }
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
  { to, mask, op, from }: Omit<StatementOf<"write_where">, "do">,
  shape: Shape,
  own: Shape,
  fresh: Fresh,
): readonly Plain[] {
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

/**
 * Each place where the mask is not 0 has the element that as many such places before it say: an index, and so
 * a decision of the run [SEMANTICS §10.20]. The others stand for the first, and are masked.
 */
function scatteredOf({ to, mask, op, from }: StatementOf<"write_scatter">, shape: Shape): readonly Plain[] {
  const fresh = freshBeside([to, mask, from]);
  const size = sizeOf(shape);
  if (size === 0) return [];
  const filled = (value: number): LetOf<"full"> => {
    return { do: "let", name: fresh(`${mask}.full`), op: "full", attributes: { shape, value }, operands: [] };
  };
  const [ones, zeros, given] = [filled(1), filled(0), fresh(`${from}.row`)];
  const [marked, before] = [fresh(`${mask}.marked`), fresh(`${mask}.before`)];
  const [row, running, counted] = [fresh(`${mask}.row`), fresh(`${mask}.running`), fresh(`${mask}.counted`)];
  const [places, joined, picked] = [
    fresh(`${mask}.places`),
    fresh(`${from}.joined`),
    fresh(`${from}.picked`),
  ];
  const element = (of: string, place: Index): StatementOf<"view"> => {
    const how = { kind: "slice", starts: [place], sizes: [1], steps: [1] } as const;
    return { do: "view", name: fresh(`${of}.element`), of, how };
  };
  const parts = Array.from({ length: size }, (_, i) => {
    const seen = element(places, i);
    const scalar = reshaped(fresh(`${mask}.count`), seen.name, []);
    const place: StatementOf<"index"> = { do: "index", name: fresh(`${mask}.place`), of: scalar.name };
    return [seen, scalar, place, element(given, place.name)] as const;
  });
  const taken = parts.map(([, , , { name }]) => name);
  return [
    { do: "buffer", name: given, from },
    ones,
    zeros,
    { do: "let", name: marked, op: "where", attributes: {}, operands: [mask, ones.name, zeros.name] },
    reshaped(row, marked, [size]),
    { do: "let", name: running, op: "cumulative_sum", attributes: { axis: 0 }, operands: [row] },
    { do: "let", name: before, op: "subtract", attributes: {}, operands: [running, row] },
    { do: "let", name: counted, op: "multiply", attributes: {}, operands: [before, row] },
    { do: "buffer", name: places, from: counted },
    ...parts.flat(),
    { do: "let", name: joined, op: "concat", attributes: { axis: 0 }, operands: taken },
    reshaped(picked, joined, shape),
    ...maskedOf({ to, mask, ...(op && { op }), from: picked }, shape, shape, fresh),
  ];
}

/** A call with derivatives means these [SEMANTICS §10.17]. */
export interface PlainDerivedCall {
  /** Puts into rows what the derivative is taken at, and along. */
  readonly before: readonly Plain[];
  /** Calls the procedure on what its first parameter, a row, has for it; its result is a row. */
  readonly procedure: Procedure;
  /** The derivative is taken at these, by the first; of a location a copy is meant. */
  readonly operands: readonly string[];
  readonly along: string;
  /** The derivative has this name. */
  readonly derivative: string;
  /** Takes the derivative apart. */
  readonly after: readonly Plain[];
  readonly call: StatementOf<"call">;
}

/** A value with the shape that it has in a procedure's signature. */
interface Part {
  readonly name: string;
  readonly shape: Shape;
}

/** An operand by which nothing is differentiated, or a location: a value is copied. */
interface Kept {
  readonly own: string;
  readonly copy: string | undefined;
  readonly shape: Shape;
}

/** The same statement may call another procedure in another program. */
const knownCalls: WeakMap<Procedure, WeakMap<Statement, PlainDerivedCall>> = new WeakMap();

/**
 * Returns what a call with derivatives means: a derivative by one row of what it is taken by, of one row of
 * what it is taken of, and a call. Names are as those of {@link plainOf}, but `derivatives` outlive it.
 */
export function derivedCallOf(
  statement: StatementOf<"differentiate_call">,
  procedure: Procedure,
): PlainDerivedCall {
  const own = knownCalls.get(procedure) ?? new WeakMap<Statement, PlainDerivedCall>();
  const found = own.get(statement) ?? derivedCall(statement, procedure);
  knownCalls.set(procedure, own.set(statement, found));
  return found;
}

function derivedCall(
  { names, derivatives, procedure: name, mode, of, wrt, operands, along }: StatementOf<"differentiate_call">,
  called: Procedure,
): PlainDerivedCall {
  const { parameters, results } = called;
  const fresh = freshBeside([...names, ...derivatives, ...operands, ...along]);
  const [moved, seeds, derivative] = [fresh("by"), fresh("along"), fresh("derivative")];
  const shapesBy = wrt.map((place) => at(parameters, place).shape);
  const shapesOf = of.map((place) => at([...results, ...parameters], place).shape);
  const [given, answered] = mode === "vjp" ? [shapesOf, shapesBy] : [shapesBy, shapesOf];
  const isMoved = (place: number): boolean => at(parameters, place).kind === "value" && wrt.includes(place);
  const kept = parameters.flatMap(({ kind, shape }, place): readonly Kept[] => {
    if (isMoved(place)) return [];
    const own = at(operands, place);
    return [{ own, copy: kind === "value" ? fresh(own) : undefined, shape }];
  });
  const taken = wrt.map((place) => ({ name: at(operands, place), shape: at(parameters, place).shape }));
  const directions = along.map((one, i) => ({ name: one, shape: at(given, i) }));
  return {
    before: [
      ...packed(taken, moved, fresh),
      ...kept.flatMap(({ own, copy, shape }) => (copy === undefined ? [] : [reshaped(copy, own, shape)])),
      ...packed(directions, seeds, fresh),
    ],
    procedure: onRows(called, `${mode} ${name}`, of, wrt),
    operands: [moved, ...kept.map(({ own, copy }) => copy ?? own)],
    along: seeds,
    derivative,
    after: unpacked(
      derivative,
      derivatives.map((one, i) => ({ name: one, shape: at(answered, i) })),
      fresh,
    ),
    call: { do: "call", names, procedure: name, operands },
  };
}

/** Returns the procedure that calls one with what a row has for some parameters, and returns a row. */
function onRows(
  { name: procedure, parameters, results }: Procedure,
  name: string,
  of: readonly number[],
  wrt: readonly number[],
): Procedure {
  const fresh = freshBeside(parameters.map((parameter) => parameter.name));
  const [row, answer] = [fresh("row"), fresh("answer")];
  const isMoved = (place: number): boolean => at(parameters, place).kind === "value" && wrt.includes(place);
  const parts = wrt.map((place) => {
    const { name: own, shape } = at(parameters, place);
    return { name: isMoved(place) ? own : fresh(own), shape, to: own };
  });
  const left = results.map((result) => ({ name: fresh("result"), shape: result.shape }));
  const wanted = of.map((place) => at([...left, ...parameters], place));
  return {
    name,
    parameters: [
      { name: row, kind: "value", shape: [totalOf(parts)] },
      ...parameters
        .filter((_, place) => !isMoved(place))
        .map((one) => ({ ...one, kind: one.kind === "value" ? one.kind : ("reference" as const) })),
    ],
    body: [
      ...unpacked(row, parts, fresh),
      ...parts.flatMap(({ to, name: from }): Plain[] => (to === from ? [] : [{ do: "write", to, from }])),
      {
        do: "call",
        names: left.map((result) => result.name),
        procedure,
        operands: parameters.map((parameter) => parameter.name),
      },
      ...packed(wanted, answer, fresh),
    ],
    results: [{ name: answer, shape: [totalOf(wanted)] }],
  };
}

/** Puts the elements of values one behind the other. */
function packed(parts: readonly Part[], row: string, fresh: (name: string) => string): readonly Plain[] {
  const [only, second] = parts;
  if (only !== undefined && second === undefined) return [reshaped(row, only.name, [sizeOf(only.shape)])];
  const rows = parts.map(({ name, shape }) => reshaped(fresh(name), name, [sizeOf(shape)]));
  const joined: LetOf<"concat"> = {
    do: "let",
    name: row,
    op: "concat",
    attributes: { axis: 0 },
    operands: rows.map(({ name }) => name),
  };
  return [...rows, joined];
}

/** Takes a row apart, into values of these names. */
function unpacked(row: string, parts: readonly Part[], fresh: (name: string) => string): readonly Plain[] {
  const [only, second] = parts;
  if (only !== undefined && second === undefined) return [reshaped(only.name, row, only.shape)];
  const whole = fresh(row);
  let start = 0;
  return [
    { do: "buffer", name: whole, from: row },
    ...parts.flatMap(({ name, shape }): Plain[] => {
      const size = sizeOf(shape);
      const how = { kind: "slice", starts: [start], sizes: [size], steps: [1] } as const;
      start += size;
      const seen = fresh(name);
      return [{ do: "view", name: seen, of: whole, how }, reshaped(name, seen, shape)];
    }),
  ];
}

function reshaped(name: string, from: string, shape: Shape): LetOf<"reshape"> {
  return { do: "let", name, op: "reshape", attributes: { shape }, operands: [from] };
}

function totalOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
}

/** Changes a name until it is none that was taken, nor one that it has made. */
type Fresh = (name: string) => string;

function freshBeside(taken: readonly string[]): Fresh {
  const known = new Set(taken);
  /** So many of a name were tried: none of these is free again. */
  const tried = new Map<string, number>();
  return (name) => {
    let count = tried.get(name) ?? 0;
    let text = count === 0 ? name : `${name}${count}`;
    while (known.has(text)) text = `${name}${++count}`;
    tried.set(name, count);
    known.add(text);
    return text;
  };
}
