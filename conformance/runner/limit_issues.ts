import { type OperatorName, operatorNames, operators } from "../../spec/composites/index.ts";
import { isInside } from "../../spec/promises/index.ts";
import { type Issue, nearestName, pointerTo } from "../../spec/shapes/index.ts";
import type { HelloReply, Limit } from "../../spec/wire/index.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Ranks and extents are counted; neither is an attribute of any operator. */
const counts: Readonly<Record<string, Schema>> = {
  ranks: { type: "integer", minimum: 0 },
  extents: { type: "integer", minimum: 0 },
};

/** These attributes name an entry of Δ, or are a graph: neither has values that could be promised. */
const unlimited = ["name", "indices", "key", "labels", "graph"];

/** These attributes may have a form, beside real numbers, which may be whole. */
const formed: Readonly<Record<Exclude<NonNullable<Limit["form"]>, "integer">, readonly string[]>> = {
  last: ["axis", "axes"],
  trailing: ["axes"],
  symmetric: ["padding"],
};

/** Returns an issue for each limit in a handshake that means nothing, with its place and what to do. */
export function limitIssues({ limits = {}, operators: offered }: HelloReply): Issue[] {
  return Object.entries(limits).flatMap(([name, own]) => {
    const op = operatorNames.find((known) => known === name);
    if (op === undefined && name !== "every")
      return [unknownIssue("/limits", "operators", name, operatorNames)];
    const pointer = pointerTo("/limits", name);
    if (op !== undefined && !offered.includes(op))
      return [issueAt(pointer, `${op} is limited, and not promised.`, "promise it, or leave its limits out")];
    const schemas = op === undefined ? counts : { ...counts, ...partSchemas(op) };
    const entries = Object.entries(own);
    if (entries.length === 0)
      return [issueAt(pointer, `the limits of ${name} are empty.`, "leave out what is promised whole")];
    const foreign = entries.find(([what]) => !Object.hasOwn(schemas, what));
    if (foreign !== undefined) return [unknownIssue(pointer, "attributes", foreign[0], Object.keys(schemas))];
    return entries.flatMap(([what, limit]) =>
      limitIssue(`${what} of ${name}`, what, pointerTo(pointer, what), limit, schemas[what] ?? {}),
    );
  });
}

/** What is named may be as long as its sender likes, and is not told. */
function unknownIssue(pointer: string, what: string, name: string, known: readonly string[]): Issue {
  const near = nearestName(name, known);
  const hint =
    near === undefined ? `${what} that can be limited: ${known.join(", ")}` : `did you mean "${near}"?`;
  return issueAt(pointer, `limits are declared of something that is none of the ${what}.`, hint);
}

/** Returns the first thing that is wrong with a limit of parts of this schema. */
function limitIssue(told: string, what: string, pointer: string, limit: Limit, schema: Schema): Issue[] {
  const { among, least, greatest, form } = limit;
  if (Object.keys(limit).length === 0)
    return [issueAt(pointer, `the limit of ${told} is empty.`, "write among, least, greatest or form")];
  const isNumber = schema.type === "number" || schema.type === "integer";
  const foreign = (among ?? []).findIndex((value) => !isOfSchema(value, schema));
  if (foreign >= 0)
    return [issueAt(`${pointer}/among/${foreign}`, `${told} is never this.`, valuesOf(schema))];
  for (const end of ["least", "greatest"] as const) {
    const bound = limit[end];
    if (bound === undefined) continue;
    if (!isNumber) return [issueAt(`${pointer}/${end}`, `${told} is no number.`, "write among")];
    if (schema.type === "integer" && !Number.isInteger(bound))
      return [issueAt(`${pointer}/${end}`, `${told} is an integer.`, "write an integer")];
  }
  if (least !== undefined && greatest !== undefined && least > greatest)
    return [issueAt(pointer, "the least is greater than the greatest: nothing is promised.", "swap them")];
  if (among?.some((value) => typeof value !== "number" || isInside(limit, value)) === false)
    return [issueAt(pointer, `no value of ${told} is within the bounds.`, "write among alone")];
  if (form === undefined) return [];
  const isFormed = form === "integer" ? schema.type === "number" : formed[form].includes(what);
  if (isFormed) return [];
  const which = form === "integer" ? "real numbers" : formed[form].join(" and ");
  return [issueAt(`${pointer}/form`, `${told} has no form ${form}.`, `this form is for ${which}`)];
}

/** Returns by attribute the schema of its numbers, texts or truth values, which may stand in lists. */
function partSchemas(op: OperatorName): Readonly<Record<string, Schema>> {
  const rows: Readonly<Record<string, Schema>> = operators[op].attributes;
  const parts = Object.entries(rows).filter(([name]) => !unlimited.includes(name));
  return Object.fromEntries(parts.map(([name, schema]) => [name, partOf(schema)]));
}

function partOf(schema: Schema): Schema {
  return isSchema(schema.items) ? partOf(schema.items) : schema;
}

function isSchema(x: unknown): x is Schema {
  return typeof x === "object" && x !== null;
}

function isOfSchema(value: unknown, { enum: values, type, minimum, maximum }: Schema): boolean {
  if (Array.isArray(values)) return values.includes(value);
  if (typeof value !== "number") return typeof value === type;
  if (type === "integer" ? !Number.isInteger(value) : type !== "number") return false;
  const isLow = typeof minimum === "number" && value < minimum;
  return !isLow && !(typeof maximum === "number" && value > maximum);
}

function valuesOf({ enum: values, type, minimum }: Schema): string {
  if (Array.isArray(values)) return `it is ${values.join(" or ")}`;
  return `it is of type ${String(type)}${minimum === undefined ? "" : `, from ${String(minimum)} up`}`;
}

function issueAt(pointer: string, message: string, hint: string): Issue {
  return { code: "engine/handshake", pointer, message, hint };
}
