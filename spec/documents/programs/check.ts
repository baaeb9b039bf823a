import type { EnvironmentEntry } from "../../operators/index.ts";
import {
  type Location,
  NameScope,
  type Procedure,
  type Program,
  walkStatements,
} from "../../programs/index.ts";
import { outlineOf, type Validator } from "../../schema/registry.ts";
import {
  fail,
  InvariantError,
  type Issue,
  isSameShape,
  MAXIMUM_ISSUES,
  ok,
  type Result,
  visible,
} from "../../shapes/index.ts";
import { parseJson } from "../../wire/index.ts";
import { checkerOfSaid } from "./check_call.ts";
import { checkBlock } from "./check_statement.ts";
import { checkAlias } from "./check_view.ts";
import {
  bind,
  checkShape,
  type Known,
  knownOf,
  nameTwice,
  otherShape,
  readable,
  referenceAtEntry,
  referenceTo,
  type Surroundings,
  unseenName,
} from "./known.ts";

interface Outline {
  readonly state: readonly unknown[];
  readonly aliases?: readonly unknown[];
  readonly environment: readonly unknown[];
  readonly procedures: readonly unknown[];
}

const reference = (name: string): string => `program-outline.schema.json#/$defs/${name}`;
/** Reads how many there are of everything. */
export const readOutline: Validator<Outline> = outlineOf("program-outline.schema.json");
export const readLocation: Validator<Location> = outlineOf(reference("location"));
export const readEntry: Validator<EnvironmentEntry> = outlineOf(reference("environment_entry"));
export const readProcedure: Validator<Procedure> = outlineOf(reference("procedure"));

/** Returns the program that a JSON text denotes; see {@link checkProgram}. Fails: `json/…` too. */
export function checkProgramText(text: string): Result<Program, Issue[]> {
  const json = parseJson(text);
  return json.ok ? checkProgram(json.value) : json;
}

/**
 * Returns the program that `json`, a value of `JSON.parse`, denotes, as fresh plain data, or what is wrong
 * with it. Every name is bound before it is read, operators and calls fit, slices end within their axes
 * whatever a counter is. Left to the run: conditions, fuel, and what depends on how a parameter's location is
 * seen.
 * Law: the program returned passes again and comes back equal.
 * Fails: `schema/…`, `shape/…`, `graph/…` of an operator, `program/name`, `program/name-twice`,
 * `program/kind`, `program/copy`, `program/shape`, `program/index`, `program/write`, `program/procedure`,
 * `program/entry`, `program/leave`, `program/derivative`, `program/nesting`, `program/too-long`. Cost: linear
 * in the document and in the primitives of its operators.
 */
export function checkProgram(json: unknown): Result<Program, Issue[]> {
  const outline = readOutline(json);
  if (!outline.ok) return outline;
  const issues: Issue[] = [];
  const globals = new NameScope<Known>();
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
    results: [],
    isInLoop: false,
    issues,
    count: { statements: 0 },
  };
  for (const [i, entry] of (outline.value.aliases ?? []).entries())
    checkAlias(entry, `/aliases/${i}`, globals, issues);
  for (const [i, procedure] of procedures.entries()) {
    if (issues.length >= MAXIMUM_ISSUES || procedure === undefined) continue;
    checkProcedure(procedure, `/procedures/${i}`, i === 0 ? globals : undefined, surroundings);
  }
  if (issues.length > 0) return fail(issues.slice(0, MAXIMUM_ISSUES));
  if (state.includes(undefined)) throw new InvariantError("a location that was refused has no issue");
  const program = freshProgram(json);
  const checkSaid = checkerOfSaid(new Map(program.procedures.map((one) => [one.name, one])), issues);
  walkStatements(program, checkSaid);
  return issues.length === 0 ? ok(program) : fail(issues.slice(0, MAXIMUM_ISSUES));
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
  globals: NameScope<Known>,
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
  const names = new NameScope<EnvironmentEntry>();
  return entries.map((json, i) => {
    const entry = readEntry(json, `/environment/${i}`);
    if (!entry.ok) issues.push(...entry.error);
    if (!entry.ok || !checkShape(entry.value.shape, `/environment/${i}/shape`, issues)) return undefined;
    bind(names, entry.value.name, entry.value, `/environment/${i}/name`, issues);
    return entry.value;
  });
}

/** Checks a procedure but for its body. */
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
  globals: NameScope<Known> | undefined,
  surroundings: Surroundings,
): void {
  const { issues } = surroundings;
  const scope = new NameScope<Known>(globals);
  for (const [i, parameter] of parameters.entries()) {
    const place = `${pointer}/parameters/${i}`;
    if (globals !== undefined && parameter.kind !== "value") issues.push(referenceAtEntry(place));
    bind(scope, parameter.name, knownOf(parameter), `${place}/name`, issues);
  }
  checkBlock(body, `${pointer}/body`, scope, 0, { ...surroundings, results });
  for (const [i, { name, shape }] of results.entries()) {
    const place = `${pointer}/results/${i}`;
    const found = readable(name, `${place}/name`, scope, issues);
    if (found !== undefined && !isSameShape(found, shape)) issues.push(otherShape(name, found, shape, place));
  }
}
