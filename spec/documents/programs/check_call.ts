import type { NameScope, Procedure, StatementOf } from "../../programs/index.ts";
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
  { names, procedure, operands }: StatementOf<"call">,
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
