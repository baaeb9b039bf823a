import {
  type NameScope,
  type Procedure,
  proceduresOf,
  type ResultName,
  type Statement,
  type StatementKind,
  type StatementOf,
  statementsIn,
} from "../../programs/index.ts";
import { counted, type Issue, isSameShape, nearestName, quote, type Shape } from "../../shapes/index.ts";
import {
  bind,
  calledEntry,
  type Known,
  otherShape,
  readable,
  referenced,
  type Surroundings,
} from "./known.ts";

/** A call fits its procedure, and its names stand for the results. */
export function checkCall(
  { names, procedure, operands }: Pick<StatementOf<"call">, "names" | "procedure" | "operands">,
  pointer: string,
  scope: NameScope<Known>,
  surroundings: Surroundings,
): void {
  const { issues } = surroundings;
  const called = calledProcedure(procedure, `${pointer}/procedure`, surroundings);
  if (called !== undefined) {
    checkCount("operand", operands.length, called.parameters.length, `${pointer}/operands`, issues);
    checkCount("name", names.length, called.results.length, `${pointer}/names`, issues);
    for (const [i, { kind, shape }] of called.parameters.entries()) {
      const [name, place] = [operands[i], `${pointer}/operands/${i}`];
      if (name === undefined) break;
      const given =
        kind === "value"
          ? readable(name, place, scope, issues)
          : referenced(name, place, scope, issues)?.shape;
      if (given !== undefined && !isSameShape(given, shape))
        issues.push(otherShape(name, given, shape, place));
    }
  }
  for (const [i, name] of names.entries()) {
    const shape = called?.results[i]?.shape;
    const known: Known = shape === undefined ? { kind: "unknown" } : { kind: "value", shape };
    bind(scope, name, known, `${pointer}/names/${i}`, issues);
  }
}

/** A call and the procedure that says its derivative fit each other, and the names stand for the results. */
export function checkCustom(
  { names, procedure, derivative, operands }: StatementOf<"custom">,
  pointer: string,
  scope: NameScope<Known>,
  surroundings: Surroundings,
): void {
  const { issues } = surroundings;
  const called = calledProcedure(procedure, `${pointer}/procedure`, surroundings);
  const said = calledProcedure(derivative, `${pointer}/derivative`, surroundings);
  if (called !== undefined && said !== undefined) {
    const { parameters, results } = called;
    checkCount("operand", operands.length, parameters.length, `${pointer}/operands`, issues);
    const saved = results.slice(names.length);
    const marked = parameters.filter(({ kind }) => kind === "reference");
    const hasRightKinds = parameters.every(
      ({ kind }, i) => kind !== "donated" && isReadable(said.parameters[i]?.kind, marked.length > 0),
    );
    if (!hasRightKinds || said.parameters.slice(parameters.length).some(({ kind }) => kind !== "value"))
      issues.push(otherKinds(`${pointer}/derivative`));
    const due = [...parameters, ...saved].map(({ shape }) => shape);
    checkShapes("parameter", said.parameters, due, `${pointer}/derivative`, issues);
    const named = [...results.slice(0, names.length), ...marked].map(({ shape }) => shape);
    checkShapes("result", said.results, named, `${pointer}/derivative`, issues);
    for (const [i, { kind, shape }] of parameters.entries()) {
      const [name, place] = [operands[i], `${pointer}/operands/${i}`];
      if (name === undefined) break;
      const isReference = kind === "reference" || said.parameters[i]?.kind === "reference";
      const given = isReference
        ? referenced(name, place, scope, issues)?.shape
        : readable(name, place, scope, issues);
      if (given !== undefined && !isSameShape(given, shape))
        issues.push(otherShape(name, given, shape, place));
    }
  }
  for (const [i, name] of names.entries()) {
    const shape = said?.results[i]?.shape;
    const known: Known = shape === undefined ? { kind: "unknown" } : { kind: "value", shape };
    bind(scope, name, known, `${pointer}/names/${i}`, issues);
  }
}

/** Returns the shape of what a hook stands at; the procedure makes one of the same shape of it. */
export function checkHook(
  { of, derivative }: StatementOf<"hook">,
  pointer: string,
  scope: NameScope<Known>,
  surroundings: Surroundings,
): Shape | undefined {
  const { issues } = surroundings;
  const said = calledProcedure(derivative, `${pointer}/derivative`, surroundings);
  const shape = readable(of, `${pointer}/of`, scope, issues);
  if (said === undefined || shape === undefined) return undefined;
  if (said.parameters.some(({ kind }) => kind !== "value")) issues.push(otherKinds(`${pointer}/derivative`));
  checkShapes("parameter", said.parameters, [shape], `${pointer}/derivative`, issues);
  checkShapes("result", said.results, [shape], `${pointer}/derivative`, issues);
  return shape;
}

/** A derivative reads an operand in place only where the procedure overwrites none. */
function isReadable(kind: Procedure["parameters"][number]["kind"] | undefined, isMarked: boolean): boolean {
  return kind === undefined || kind === "value" || (kind === "reference" && !isMarked);
}

function otherKinds(pointer: string): Issue {
  return {
    code: "program/kind",
    pointer,
    message: "its parameters are no values that fit the call.",
    hint: "it gets values, or references to what the procedure gets as values and nothing overwrites",
  };
}

function checkShapes(
  what: string,
  given: readonly { readonly name: string; readonly shape: Shape }[],
  due: readonly Shape[],
  pointer: string,
  issues: Issue[],
): void {
  checkCount(what, due.length, given.length, pointer, issues);
  for (const [i, { name, shape }] of given.entries()) {
    const wanted = due[i];
    if (wanted !== undefined && !isSameShape(shape, wanted))
      issues.push(otherShape(name, shape, wanted, pointer));
  }
}

/**
 * Makes a check of statements whose derivative is said, which are checked otherwise. An engine runs what says
 * a derivative in its sweep, again or never, and what it is the derivative of without a tape. So the first
 * changes nothing but locations of its own, and neither asks the world or retains. Cost: once for each
 * procedure, what it reaches.
 */
export function checkerOfSaid(
  procedures: ReadonlyMap<string, Procedure>,
  issues: Issue[],
): (statement: Statement, pointer: string) => void {
  const known = new Map<string, StatementKind | undefined>();
  const found = (name: string, kinds: readonly StatementKind[]): StatementKind | undefined => {
    const key = `${kinds.length} ${name}`;
    if (!known.has(key)) known.set(key, foundWithin(procedures.get(name), procedures, kinds));
    return known.get(key);
  };
  const check = (pointer: string, name: string, kinds: readonly StatementKind[]): void => {
    const kind = found(name, kinds);
    if (kind === undefined) return;
    const hint = "a derivative makes values alone, and what it is the derivative of may draw besides";
    issues.push({
      ...{ code: "program/derivative", pointer, hint },
      message: `there is a ${kind} within ${quote(name)}.`,
    });
  };
  return (statement, pointer) => {
    if (statement.do !== "custom" && statement.do !== "hook") return;
    const { derivative } = statement;
    check(`${pointer}/derivative`, derivative, effects);
    if (procedures.get(derivative)?.parameters.some(({ kind }) => kind === "reference"))
      check(`${pointer}/derivative`, derivative, writes);
    if (statement.do === "custom") check(`${pointer}/procedure`, statement.procedure, outside);
  };
}

const outside: readonly StatementKind[] = ["receive", "send", "retain"];

const effects: readonly StatementKind[] = ["draw", ...outside];

/** What these change may be a location of the caller. */
const writes: readonly StatementKind[] = [
  ...([
    "write",
    "update",
    "write_rows",
    "write_where",
    "write_scatter",
    "release",
    "call",
    "custom",
  ] as const),
  "differentiate_call",
];

/** Finds a kind of statement in a procedure, or in those that it names. */
function foundWithin(
  first: Procedure | undefined,
  procedures: ReadonlyMap<string, Procedure>,
  kinds: readonly StatementKind[],
): StatementKind | undefined {
  const reached = new Set(first === undefined ? [] : [first]);
  // A set that grows while it is gone through has its new elements gone through too.
  for (const { body } of reached)
    for (const statement of statementsIn(body)) {
      if (kinds.includes(statement.do)) return statement.do;
      for (const name of proceduresOf(statement)) {
        const next = procedures.get(name);
        if (next !== undefined) reached.add(next);
      }
    }
  return undefined;
}

/**
 * A call with derivatives is a call; each direction fits what it is along, and each name gets a derivative.
 */
export function checkDerivedCall(
  statement: StatementOf<"differentiate_call">,
  pointer: string,
  scope: NameScope<Known>,
  surroundings: Surroundings,
): void {
  const { derivatives, procedure, mode, of, wrt, along } = statement;
  const { issues, procedures } = surroundings;
  // What is read is read before anything is bound.
  const given = along.map((name, i) => readable(name, `${pointer}/along/${i}`, scope, issues));
  checkCall(statement, pointer, scope, surroundings);
  const called = procedures.get(procedure);
  const byShapes = called && placesOf(wrt, called.parameters, "wrt", pointer, issues);
  const ofShapes = called && placesOf(of, leftBy(called), "of", pointer, issues);
  const [wanted, answered] = mode === "vjp" ? [ofShapes, byShapes] : [byShapes, ofShapes];
  if (wanted !== undefined) checkEach("direction", along.length, wanted.length, `${pointer}/along`, issues);
  if (answered !== undefined)
    checkEach("derivative", derivatives.length, answered.length, `${pointer}/derivatives`, issues);
  for (const [i, name] of along.entries()) {
    const [shape, due] = [given[i], wanted?.[i]];
    if (shape !== undefined && due !== undefined && !isSameShape(shape, due))
      issues.push(otherShape(name, shape, due, `${pointer}/along/${i}`));
  }
  for (const [i, name] of derivatives.entries()) {
    const shape = answered?.[i];
    const known: Known = shape === undefined ? { kind: "unknown" } : { kind: "value", shape };
    bind(scope, name, known, `${pointer}/derivatives/${i}`, issues);
  }
}

/** Results, and behind them parameters; only a location that the caller keeps is anything afterwards. */
function leftBy({ results, parameters }: Procedure): readonly (ResultName | undefined)[] {
  return [...results, ...parameters.map((one) => (one.kind === "reference" ? one : undefined))];
}

/** Returns the shapes at places, each of which there is, and stands once; some are wanted. */
function placesOf(
  places: readonly number[],
  all: readonly (ResultName | undefined)[],
  property: "of" | "wrt",
  pointer: string,
  issues: Issue[],
): readonly (Shape | undefined)[] {
  if (places.length === 0)
    issues.push({
      code: "program/place",
      pointer: `${pointer}/${property}`,
      message: `${property} names nothing.`,
      hint: "a call that is not differentiated is a call",
    });
  return places.map((place, i) => {
    const own = { pointer: `${pointer}/${property}/${i}`, code: "program/place" };
    const shape = all[place]?.shape;
    if (shape === undefined)
      issues.push({
        ...own,
        message: `the procedure has nothing at ${place} that could be meant.`,
        hint:
          property === "of"
            ? "of counts its results, and behind them its parameters, of which references are meant"
            : "wrt counts its parameters, from 0",
      });
    else if (places.indexOf(place) < i)
      issues.push({ ...own, message: `${place} stands here twice.`, hint: "name each once" });
    return shape;
  });
}

function checkEach(what: string, given: number, wanted: number, pointer: string, issues: Issue[]): void {
  if (given === wanted) return;
  issues.push({
    code: "program/arity",
    pointer,
    message: `there ${given === 1 ? "is" : "are"} ${counted(given, what)}, and ${wanted} ${wanted === 1 ? "is" : "are"} wanted.`,
    hint: "vjp takes a direction for each of `of` and has a derivative for each of `wrt`; jvp the reverse",
  });
}

/** Returns the shape of a derivative; `undefined` where it cannot be known because of an issue. */
export function checkDifferentiate(
  { procedure, mode, of, wrt, operands }: StatementOf<"differentiate">,
  pointer: string,
  scope: NameScope<Known>,
  surroundings: Surroundings,
): Shape | undefined {
  const { issues } = surroundings;
  const called = calledProcedure(procedure, `${pointer}/procedure`, surroundings);
  if (called === undefined) return undefined;
  const reference = called.parameters.find(({ kind }) => kind !== "value");
  if (reference !== undefined) {
    issues.push({
      code: "program/kind",
      pointer: `${pointer}/procedure`,
      message: `its parameter ${quote(reference.name)} is a location.`,
      hint: "a procedure is differentiated with respect to values: give it a value, and let it make a buffer",
    });
    return undefined;
  }
  const [result, parameter] = [called.results[of]?.shape, called.parameters[wrt]?.shape];
  if (result === undefined || parameter === undefined) {
    issues.push({
      code: "program/place",
      pointer: `${pointer}/${result === undefined ? "of" : "wrt"}`,
      message: `the procedure has ${counted(called.results.length, "result")} and ${counted(called.parameters.length, "parameter")}.`,
      hint: "of counts its results, wrt its parameters, from 0",
    });
    return undefined;
  }
  const [answer, perturbation] = mode === "vjp" ? [parameter, result] : [result, parameter];
  const wanted = [...called.parameters.map(({ shape }) => shape), perturbation];
  checkCount("operand", operands.length, wanted.length, `${pointer}/operands`, issues);
  for (const [i, name] of operands.entries()) {
    const place = `${pointer}/operands/${i}`;
    const [given, shape] = [readable(name, place, scope, issues), wanted[i]];
    if (given !== undefined && shape !== undefined && !isSameShape(given, shape))
      issues.push(otherShape(name, given, shape, place));
  }
  return answer;
}

function calledProcedure(
  name: string,
  pointer: string,
  { procedures, uncalled, isEnvironmentPartial, issues }: Surroundings,
): Procedure | undefined {
  const found = procedures.get(name);
  if (found !== undefined && found === uncalled) issues.push(calledEntry(pointer));
  // One that was refused has an issue of its own.
  if (found !== undefined || isEnvironmentPartial) return found;
  const near = nearestName(name, [...procedures.keys()]);
  issues.push({
    code: "program/procedure",
    pointer,
    message: `there is no procedure ${quote(name)}.`,
    hint: near === undefined ? "procedures are named in the program's list" : `did you mean ${quote(near)}?`,
  });
  return undefined;
}

/** As many stand here as the procedure has. */
export function checkCount(
  what: string,
  given: number,
  wanted: number,
  pointer: string,
  issues: Issue[],
): void {
  if (given === wanted) return;
  issues.push({
    code: "program/arity",
    pointer,
    message: `${given} ${what}s stand here, and the procedure has ${wanted}.`,
    hint: "give one for each, in order",
  });
}
