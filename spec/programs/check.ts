import { checkApplication } from "../check.ts";
import type { EnvironmentEntry } from "../operators/signature.ts";
import { pointerTo } from "../pointer.ts";
import { fail, InvariantError, type Issue, MAXIMUM_ISSUES, ok, type Result } from "../result.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import { formatShape, isSameShape, type Shape, wellFormedShape } from "../shape.ts";
import { nearestName } from "../suggest.ts";
import { quote, visible } from "../text.ts";
import { parseJson } from "../wire/json.ts";
import type {
  Index,
  Let,
  Location,
  Parameter,
  Procedure,
  Program,
  Statement,
  StatementOf,
  Transform,
} from "./program.ts";
import { blocksOf } from "./program.ts";
import { Scope } from "./scope.ts";
import { seesTwice, transformed, type View, wholeView } from "./view.ts";

/** Blocks stand in each other so deep at most. */
export const MAXIMUM_BLOCKS = 24;

/** The most statements of one program. */
export const MAXIMUM_STATEMENTS: number = 2 ** 16;

interface Outline {
  readonly state: readonly unknown[];
  readonly environment: readonly unknown[];
  readonly procedures: readonly unknown[];
}

const reference = (name: string): string => `program-outline.schema.json#/$defs/${name}`;
const readOutline: Validator<Outline> = outlineOf("program-outline.schema.json");
const readLocation: Validator<Location> = outlineOf(reference("location"));
const readEntry: Validator<EnvironmentEntry> = outlineOf(reference("environment_entry"));
const readProcedure: Validator<Procedure> = outlineOf(reference("procedure"));
const readStatement: Validator<Statement> = outlineOf(reference("statement"));

/** What a name stands for, as far as it is known before the program runs. */
type Known =
  | { readonly kind: "value"; readonly shape: Shape }
  /** `view` is where the location's own shape is known; a parameter's is the caller's. */
  | { readonly kind: "reference"; readonly shape: Shape; readonly view: View | undefined }
  | { readonly kind: "counter"; readonly shape: Shape; readonly times: number }
  /** Something is wrong with it already. */
  | { readonly kind: "unknown" };

/** What is the same for all statements of a procedure. */
interface Surroundings {
  readonly environment: ReadonlyMap<string, EnvironmentEntry>;
  readonly isEnvironmentPartial: boolean;
  readonly procedures: ReadonlyMap<string, Procedure>;
  /** The entry, where it knows persistent locations: nobody calls it. */
  readonly uncalled: Procedure | undefined;
  readonly issues: Issue[];
  readonly count: { statements: number };
}

/** The program that a JSON text denotes; see {@link checkProgram}. Fails: `json/…` too. */
export function checkProgramText(text: string): Result<Program, Issue[]> {
  const json = parseJson(text);
  return json.ok ? checkProgram(json.value) : json;
}

/**
 * The program that `json`, a value as `JSON.parse` returns it, denotes, as fresh plain data; or what is wrong with it. Every name is bound before it
 * is read, every operator and call fits, slices end within their axes whatever a counter is. Left to the run: conditions, fuel, and what
 * depends on how a parameter's location is seen.
 * Law: the program returned passes again and comes back equal.
 * Fails: `schema/…`, `shape/…`, `graph/…` of an operator, `program/name`, `program/name-twice`, `program/kind`, `program/shape`, `program/index`,
 * `program/write`, `program/procedure`, `program/entry`, `program/nesting`, `program/too-long`.  Cost: linear in the document and in the primitives
 * that its operators stand for.
 */
export function checkProgram(json: unknown): Result<Program, Issue[]> {
  const outline = readOutline(json);
  if (!outline.ok) return outline;
  const issues: Issue[] = [];
  const globals = new Scope<Known>();
  const state = outline.value.state.map((entry, i) => checkLocation(entry, `/state/${i}`, issues, globals));
  const environment = checkEnvironment(outline.value.environment, issues);
  const procedures = outline.value.procedures.map((entry, i) =>
    checkSignature(entry, `/procedures/${i}`, issues),
  );
  const byName = new Map<string, Procedure>();
  for (const [i, procedure] of procedures.entries()) {
    if (procedure === undefined) continue;
    if (byName.has(procedure.name)) issues.push(nameTwice(procedure.name, `/procedures/${i}/name`));
    else byName.set(procedure.name, procedure);
  }
  const surroundings: Surroundings = {
    environment: new Map(environment.flatMap((entry) => (entry === undefined ? [] : [[entry.name, entry]]))),
    isEnvironmentPartial: environment.includes(undefined) || procedures.includes(undefined),
    procedures: byName,
    uncalled: state.length > 0 ? procedures[0] : undefined,
    issues,
    count: { statements: 0 },
  };
  for (const [i, procedure] of procedures.entries()) {
    if (issues.length >= MAXIMUM_ISSUES || procedure === undefined) continue;
    checkProcedure(procedure, `/procedures/${i}`, i === 0 ? globals : undefined, surroundings);
  }
  if (issues.length > 0) return fail(issues.slice(0, MAXIMUM_ISSUES));
  if (state.includes(undefined)) throw new InvariantError("a location that was refused has no issue");
  return ok(freshProgram(json));
}

/** Printing and reading back makes the data fresh and plain. */
function freshProgram(json: unknown): Program {
  const again = freshOutline(JSON.parse(JSON.stringify(json)));
  if (!again.ok) throw new InvariantError("a program that was checked is refused when it is read back");
  return again.value;
}

const freshOutline: Validator<Program> = outlineOf("program-outline.schema.json");

function checkLocation(
  json: unknown,
  pointer: string,
  issues: Issue[],
  globals: Scope<Known>,
): Location | undefined {
  const location = readLocation(json, pointer);
  if (!location.ok) issues.push(...location.error);
  if (!location.ok) return undefined;
  const { name, shape } = location.value;
  const known = checkShape(shape, `${pointer}/shape`, issues);
  bind(globals, name, known ? referenceTo(shape) : { kind: "unknown" }, `${pointer}/name`, issues);
  return location.value;
}

function checkEnvironment(
  entries: readonly unknown[],
  issues: Issue[],
): readonly (EnvironmentEntry | undefined)[] {
  const names = new Scope<EnvironmentEntry>();
  return entries.map((json, i) => {
    const entry = readEntry(json, `/environment/${i}`);
    if (!entry.ok) issues.push(...entry.error);
    if (!entry.ok || !checkShape(entry.value.shape, `/environment/${i}/shape`, issues)) return undefined;
    bind(names, entry.value.name, entry.value, `/environment/${i}/name`, issues);
    return entry.value;
  });
}

/** A procedure but for its body. */
function checkSignature(json: unknown, pointer: string, issues: Issue[]): Procedure | undefined {
  const procedure = readProcedure(json, pointer);
  if (!procedure.ok) issues.push(...procedure.error);
  if (!procedure.ok) return undefined;
  const { name, parameters, results } = procedure.value;
  if (visible(name) !== name) issues.push(unseenName(name, `${pointer}/name`));
  const shapes = [
    ...parameters.map(({ shape }, i) => checkShape(shape, `${pointer}/parameters/${i}/shape`, issues)),
    ...results.map(({ shape }, i) => checkShape(shape, `${pointer}/results/${i}/shape`, issues)),
  ];
  return shapes.every((isRight) => isRight) ? procedure.value : undefined;
}

function checkProcedure(
  { parameters, body, results }: Procedure,
  pointer: string,
  globals: Scope<Known> | undefined,
  surroundings: Surroundings,
): void {
  const { issues } = surroundings;
  const scope = new Scope<Known>(globals);
  for (const [i, parameter] of parameters.entries()) {
    const place = `${pointer}/parameters/${i}`;
    if (globals !== undefined && parameter.kind === "reference") issues.push(referenceAtEntry(place));
    bind(scope, parameter.name, knownOf(parameter), `${place}/name`, issues);
  }
  checkBlock(body, `${pointer}/body`, scope, 0, surroundings);
  for (const [i, { name, shape }] of results.entries()) {
    const place = `${pointer}/results/${i}`;
    const found = readable(name, `${place}/name`, scope, issues);
    if (found !== undefined && !isSameShape(found, shape)) issues.push(otherShape(name, found, shape, place));
  }
}

function knownOf({ kind, shape }: Parameter): Known {
  return kind === "value" ? { kind, shape } : { kind, shape, view: undefined };
}

function checkBlock(
  block: readonly unknown[],
  pointer: string,
  scope: Scope<Known>,
  depth: number,
  surroundings: Surroundings,
): void {
  const { issues, count } = surroundings;
  if (depth > MAXIMUM_BLOCKS) {
    issues.push({
      code: "program/nesting",
      pointer,
      message: `the block stands within ${MAXIMUM_BLOCKS} others, and that is the most.`,
      hint: "make a procedure of an inner block, and call it",
    });
    return;
  }
  for (const [i, json] of block.entries()) {
    if (issues.length >= MAXIMUM_ISSUES) return;
    count.statements++;
    if (count.statements > MAXIMUM_STATEMENTS) {
      issues.push({
        code: "program/too-long",
        pointer: `${pointer}/${i}`,
        message: `the program has more than ${MAXIMUM_STATEMENTS} statements.`,
        hint: "write a loop, or cut the program in two",
      });
      return;
    }
    const statement = readStatement(json, `${pointer}/${i}`);
    if (statement.ok) checkStatement(statement.value, `${pointer}/${i}`, scope, depth, surroundings);
    else issues.push(...statement.error);
  }
}

function checkStatement(
  statement: Statement,
  pointer: string,
  scope: Scope<Known>,
  depth: number,
  surroundings: Surroundings,
): void {
  const { issues } = surroundings;
  const shapeOf = (property: string, name: string): Shape | undefined =>
    readable(name, `${pointer}/${property}`, scope, issues);
  const bindTo = (name: string, known: Known): void => bind(scope, name, known, `${pointer}/name`, issues);
  const known = (shape: Shape | undefined): Known =>
    shape === undefined ? { kind: "unknown" } : { kind: "value", shape };
  switch (statement.do) {
    case "let":
      bindTo(statement.name, known(checkLet(statement, pointer, scope, surroundings)));
      return;
    case "rebind":
      checkRebind(statement, pointer, scope, issues);
      return;
    case "buffer": {
      const shape = shapeOf("from", statement.from);
      bindTo(statement.name, shape === undefined ? { kind: "unknown" } : referenceTo(shape));
      return;
    }
    case "view": {
      const found = referenced(statement.of, `${pointer}/of`, scope, issues);
      const seen = found && checkTransform(found, statement.how, `${pointer}/how`, scope, issues);
      bindTo(statement.name, seen ?? { kind: "unknown" });
      return;
    }
    case "write":
    case "update": {
      const [shape, target] = [
        shapeOf("from", statement.from),
        writable(statement.to, pointer, scope, issues),
      ];
      if (shape !== undefined && target !== undefined && !isSameShape(shape, target.shape))
        issues.push(otherShape(statement.from, shape, target.shape, `${pointer}/from`));
      return;
    }
    case "detach": {
      const found = lookUp(statement.of, `${pointer}/of`, scope, issues);
      bindTo(statement.name, found.kind === "counter" ? known(found.shape) : found);
      return;
    }
    case "if":
    case "while": {
      const shape = shapeOf("condition", statement.condition);
      if (shape !== undefined && !isSameShape(shape, []))
        issues.push(otherShape(statement.condition, shape, [], `${pointer}/condition`));
      checkBlocks(statement, pointer, scope, depth, surroundings);
      return;
    }
    case "for": {
      const inner = new Scope(scope);
      const counter: Known = { kind: "counter", shape: [], times: statement.times };
      bind(inner, statement.counter, counter, `${pointer}/counter`, issues);
      checkBlock(statement.body, `${pointer}/body`, inner, depth + 1, surroundings);
      return;
    }
    case "no_grad":
    case "checkpoint":
      checkBlocks(statement, pointer, scope, depth, surroundings);
      return;
    case "call":
      checkCall(statement, pointer, scope, surroundings);
      return;
    case "draw": {
      for (const [i, index] of (statement.key ?? []).entries())
        checkIndex(index, `${pointer}/key/${i}`, scope, issues);
      const isRight = checkShape(statement.shape, `${pointer}/shape`, issues);
      bindTo(statement.name, known(isRight ? statement.shape : undefined));
      return;
    }
    case "receive": {
      const isRight = checkShape(statement.shape, `${pointer}/shape`, issues);
      bindTo(statement.name, known(isRight ? statement.shape : undefined));
      return;
    }
    case "send":
      shapeOf("from", statement.from);
      return;
    case "retain":
      checkRetained(statement.of, `${pointer}/of`, scope, issues);
      return;
    case "release":
      referenced(statement.of, `${pointer}/of`, scope, issues);
      return;
    case "differentiate":
      bindTo(statement.name, known(checkDifferentiate(statement, pointer, scope, surroundings)));
      return;
  }
}

function checkBlocks(
  statement: Statement,
  pointer: string,
  scope: Scope<Known>,
  depth: number,
  surroundings: Surroundings,
): void {
  for (const [property, block] of blocksOf(statement))
    checkBlock(block, `${pointer}/${property}`, new Scope(scope), depth + 1, surroundings);
}

/** The shape of what a `let` computes; `undefined` where it cannot be known because of an issue. */
function checkLet(
  { op, attributes, operands }: Let,
  pointer: string,
  scope: Scope<Known>,
  { environment, isEnvironmentPartial, issues }: Surroundings,
): Shape | undefined {
  const shapes = operands.map((name, i) => readable(name, `${pointer}/operands/${i}`, scope, issues));
  if (shapes.includes(undefined)) return undefined;
  const known = shapes.filter((shape) => shape !== undefined);
  const checked = checkApplication({ op, attributes }, known, { environment, isEnvironmentPartial });
  if (checked.ok) return checked.value;
  for (const issue of checked.error) {
    const place = issue.pointer.replace(/^\/parents/, "/operands");
    issues.push({ ...issue, pointer: `${pointer}${place}` });
  }
  return undefined;
}

function checkRebind(
  { name, to }: StatementOf<"rebind">,
  pointer: string,
  scope: Scope<Known>,
  issues: Issue[],
): void {
  const [old, next] = [
    lookUp(name, `${pointer}/name`, scope, issues),
    lookUp(to, `${pointer}/to`, scope, issues),
  ];
  if (old.kind === "unknown" || next.kind === "unknown") return;
  const isValue = next.kind !== "reference";
  if (old.kind === "counter" || (old.kind === "value") !== isValue) {
    issues.push({
      code: "program/kind",
      pointer: `${pointer}/name`,
      message: `${quote(name)} is a ${old.kind}, and ${quote(to)} a ${next.kind}.`,
      hint: "a name keeps its kind, and the counter of a loop is the loop's alone",
    });
  } else if (!isSameShape(old.shape, next.shape)) {
    issues.push(otherShape(to, next.shape, old.shape, `${pointer}/to`));
  } else if (old.kind === "reference") {
    // From here on it may see another location.
    scope.rebind(name, { ...old, view: undefined });
  }
}

/** A value has one cotangent; a location another one after each write. */
function checkRetained(name: string, pointer: string, scope: Scope<Known>, issues: Issue[]): void {
  const { kind } = lookUp(name, pointer, scope, issues);
  if (kind === "value" || kind === "unknown") return;
  issues.push({
    code: "program/kind",
    pointer,
    message: `${quote(name)} is a ${kind}, and a value is wanted.`,
    hint: "retain what an operator made of it",
  });
}

function checkTransform(
  { shape, view }: Known & { readonly kind: "reference" },
  how: Transform,
  pointer: string,
  scope: Scope<Known>,
  issues: Issue[],
): Known | undefined {
  const starts = how.kind === "slice" ? how.starts : [];
  const counted = starts.map((index, i) => checkIndex(index, `${pointer}/starts/${i}`, scope, issues));
  if (counted.includes(undefined)) return undefined;
  if ("shape" in how && !checkShape(how.shape, `${pointer}/shape`, issues)) return undefined;
  // A counter is tried where it begins and where it ends: what is between is then within the axis too.
  const ends = [0, 1].map((end) =>
    transformed(view ?? wholeView(shape), how, (index) =>
      typeof index === "number" ? index : end * Math.max(0, (counted[starts.indexOf(index)] ?? 1) - 1),
    ),
  );
  const fault = ends.find((end) => !end.ok);
  if (fault !== undefined && !fault.ok) {
    issues.push({ ...fault.error, pointer });
    return undefined;
  }
  const seen = ends[0]?.ok ? ends[0].value : undefined;
  if (seen === undefined && "shape" in how) return referenceTo(how.shape);
  return seen && { kind: "reference", shape: seen.shape, view: view && seen };
}

/** How many values an index takes: one, or as many as the loop has turns. */
function checkIndex(index: Index, pointer: string, scope: Scope<Known>, issues: Issue[]): number | undefined {
  if (typeof index === "number") return 1;
  const found = lookUp(index, pointer, scope, issues);
  if (found.kind === "counter") return found.times;
  if (found.kind === "unknown") return undefined;
  issues.push({
    code: "program/kind",
    pointer,
    message: `${quote(index)} is a ${found.kind}, and an index is a number or a counter.`,
    hint: "name the counter of a loop around",
  });
  return undefined;
}

function checkCall(
  { names, procedure, operands }: StatementOf<"call">,
  pointer: string,
  scope: Scope<Known>,
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

function checkDifferentiate(
  { procedure, mode, of, wrt, operands }: StatementOf<"differentiate">,
  pointer: string,
  scope: Scope<Known>,
  surroundings: Surroundings,
): Shape | undefined {
  const { issues } = surroundings;
  const called = calledProcedure(procedure, `${pointer}/procedure`, surroundings);
  if (called === undefined) return undefined;
  const reference = called.parameters.find(({ kind }) => kind === "reference");
  if (reference !== undefined) {
    issues.push({
      code: "program/kind",
      pointer: `${pointer}/procedure`,
      message: `its parameter ${quote(reference.name)} is a reference.`,
      hint: "a procedure is differentiated with respect to values: give it a value, and let it make a buffer",
    });
    return undefined;
  }
  const [result, parameter] = [called.results[of]?.shape, called.parameters[wrt]?.shape];
  if (result === undefined || parameter === undefined) {
    issues.push({
      code: "program/place",
      pointer: `${pointer}/${result === undefined ? "of" : "wrt"}`,
      message: `the procedure has ${called.results.length} results and ${called.parameters.length} parameters.`,
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

function checkCount(what: string, given: number, wanted: number, pointer: string, issues: Issue[]): void {
  if (given === wanted) return;
  issues.push({
    code: "program/arity",
    pointer,
    message: `${given} ${what}s stand here, and the procedure has ${wanted}.`,
    hint: "give one for each, in order",
  });
}

/** What the name stands for; an issue where it stands for nothing. */
function lookUp(name: string, pointer: string, scope: Scope<Known>, issues: Issue[]): Known {
  const found = scope.find(name);
  if (found !== undefined) return found;
  const near = nearestName(name, scope.names());
  issues.push({
    code: "program/name",
    pointer,
    message: `nothing is called ${quote(name)} here.`,
    hint:
      near === undefined
        ? "a name is bound before it is read, and ends with its block"
        : `did you mean ${quote(near)}?`,
  });
  return { kind: "unknown" };
}

/** The shape of what is read under a name; of a counter, that of a scalar. */
function readable(name: string, pointer: string, scope: Scope<Known>, issues: Issue[]): Shape | undefined {
  const found = lookUp(name, pointer, scope, issues);
  return found.kind === "unknown" ? undefined : found.shape;
}

/** What a name refers to, which must be a location. */
function referenced(
  name: string,
  pointer: string,
  scope: Scope<Known>,
  issues: Issue[],
): (Known & { readonly kind: "reference" }) | undefined {
  const found = lookUp(name, pointer, scope, issues);
  if (found.kind === "reference" || found.kind === "unknown")
    return found.kind === "reference" ? found : undefined;
  issues.push({
    code: "program/kind",
    pointer,
    message: `${quote(name)} is a ${found.kind}, and a reference is wanted.`,
    hint: "make a location of a value with buffer",
  });
  return undefined;
}

/** The same, for one that is written through. */
function writable(
  name: string,
  pointer: string,
  scope: Scope<Known>,
  issues: Issue[],
): (Known & { readonly kind: "reference" }) | undefined {
  const found = referenced(name, `${pointer}/to`, scope, issues);
  if (found?.view === undefined || !seesTwice(found.view)) return found;
  issues.push({
    code: "program/write",
    pointer: `${pointer}/to`,
    message: `${quote(name)} sees some element more than once.`,
    hint: "write through a view that sees each element once: one that was not broadcast",
  });
  return undefined;
}

function bind<T>(scope: Scope<T>, name: string, known: T, pointer: string, issues: Issue[]): void {
  if (visible(name) !== name) issues.push(unseenName(name, pointer));
  if (scope.find(name) !== undefined) issues.push(nameTwice(name, pointer));
  scope.bind(name, known);
}

function referenceTo(shape: Shape): Known {
  return { kind: "reference", shape, view: wholeView(shape) };
}

function checkShape(shape: Shape, pointer: string, issues: Issue[]): boolean {
  const wellFormed = wellFormedShape(shape);
  if (!wellFormed.ok) issues.push({ ...wellFormed.error, pointer });
  return wellFormed.ok;
}

function unseenName(name: string, pointer: string): Issue {
  return {
    code: "program/name",
    pointer,
    message: `the name ${quote(name)} has characters that are not seen, or half a one.`,
    hint: "leave out control characters, line breaks and marks of format; use whole Unicode characters",
  };
}

function nameTwice(name: string, pointer: string): Issue {
  return {
    code: "program/name-twice",
    pointer,
    message: `the name ${quote(name)} is taken.`,
    hint: "a name is bound once in its block and those around it; rebind changes what it stands for",
  };
}

function otherShape(name: string, given: Shape, wanted: Shape, pointer: string): Issue {
  return {
    code: "program/shape",
    pointer,
    message: `${quote(name)} has shape ${formatShape(given)}, and ${formatShape(wanted)} is wanted.`,
    hint: "shapes are the same; broadcasts are written out",
  };
}

function referenceAtEntry(pointer: string): Issue {
  return {
    code: "program/entry",
    pointer: pointerTo(pointer, "kind"),
    message: "the entry has a reference for a parameter, and nobody calls it with one.",
    hint: "declare a persistent location under state",
  };
}

function calledEntry(pointer: string): Issue {
  return {
    code: "program/entry",
    pointer,
    message: "the entry knows the persistent locations, and nobody calls it from within.",
    hint: "call a procedure of its own, with references to the locations",
  };
}
