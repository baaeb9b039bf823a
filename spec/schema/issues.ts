import type { ErrorObject } from "ajv/dist/2020.js";
import { type Issue, nearestName, pointerTo, quote } from "../shapes/index.ts";

type Detail = Readonly<Record<string, unknown>>;

/**
 * Says what a schema refuses, as an issue: code `schema/<keyword>`, and the schema's own description as the
 * hint where it has one. `pointer` is where the validated value stands. The offending value itself is never
 * printed: it may be a gigabyte.
 */
export function issueOf(error: ErrorObject, pointer: string): Issue {
  const { keyword } = error;
  const params: Detail = error.params;
  const schema: Detail = error.parentSchema ?? {};
  const place = `${pointer}${error.instancePath}`;
  const code = `schema/${keyword}`;
  switch (keyword) {
    case "type":
      return { code, pointer: place, message: typeMessage(error), hint: typeHint(error, schema) };
    case "required": {
      const name = String(params.missingProperty);
      return { code, pointer: place, message: `the property "${name}" is missing.`, hint: `add "${name}"` };
    }
    case "additionalProperties":
      return { code, ...unknownProperty(String(params.additionalProperty), place, schema) };
    case "discriminator": {
      const tag = String(params.tag);
      const message = `the property "${tag}" does not name a form known here.`;
      return { code, pointer: pointerTo(place, tag), message, hint: expectation(schema) };
    }
    case "enum":
      return {
        code,
        pointer: place,
        message: "this is not one of the values allowed.",
        hint: enumHint(error),
      };
    case "const":
      return {
        code,
        pointer: place,
        message: "this is not the one value allowed.",
        hint: `write ${JSON.stringify(params.allowedValue)}`,
      };
    default:
      return {
        code,
        pointer: place,
        message: limitMessage(keyword, params),
        hint: limitHint(keyword, params, schema),
      };
  }
}

function typeMessage(error: ErrorObject): string {
  if (isBeyondRange(error.data)) return "the number is beyond the range of a float64.";
  return `${kindOf(error.data)} stands here, not ${namesOfTypes(error.params.type).join(" or ")}.`;
}

function typeHint(error: ErrorObject, schema: Detail): string {
  if (isBeyondRange(error.data)) return "write a smaller number, or, where a text may stand, an exact text";
  const isTextWanted = [error.params.type].flat().includes("string");
  if (isTextWanted && typeof error.data === "number") return `write "${error.data}" as a string`;
  return schema.description === undefined
    ? `write ${namesOfTypes(error.params.type).join(" or ")}`
    : expectation(schema);
}

/** JSON has numbers of any size, and reads one that is too large as infinite, which is none of JSON's. */
function isBeyondRange(data: unknown): boolean {
  return typeof data === "number" && !Number.isFinite(data);
}

function namesOfTypes(types: unknown): string[] {
  return [types].flat().map((type) => (/^[aeiou]/.test(String(type)) ? `an ${type}` : `a ${type}`));
}

/** Names the JSON type of a value, with its article. */
function kindOf(data: unknown): string {
  if (data === null) return "null";
  if (Array.isArray(data)) return "an array";
  return typeof data === "object" ? "an object" : `a ${typeof data}`;
}

function unknownProperty(name: string, place: string, schema: Detail): Omit<Issue, "code"> {
  const known = Object.keys(schema.properties ?? {});
  const near = nearestName(name, known);
  return {
    // The pointer names the property unless that would make it as long as the sender likes.
    pointer: name.length <= 256 ? pointerTo(place, name) : place,
    message: `there is no property ${quote(name)} here.`,
    hint:
      near === undefined ? `remove it; known are: ${known.join(", ") || "none"}` : `did you mean "${near}"?`,
  };
}

function enumHint(error: ErrorObject): string {
  const allowed: readonly unknown[] = [error.params.allowedValues].flat();
  const names = allowed.filter((value) => typeof value === "string");
  const near = typeof error.data === "string" ? nearestName(error.data, names) : undefined;
  if (near !== undefined) return `did you mean "${near}"?`;
  return `write one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}`;
}

function expectation(schema: Detail): string {
  return typeof schema.description === "string" ? `expected: ${schema.description}` : "see the schema";
}

function limitHint(keyword: string, { limit }: Detail, schema: Detail): string {
  if (schema.description !== undefined) return expectation(schema);
  if (keyword.startsWith("min")) return `at least ${limit} is allowed`;
  return keyword.startsWith("max") ? `at most ${limit} is allowed` : expectation(schema);
}

function limitMessage(keyword: string, { limit, propertyName }: Detail): string {
  switch (keyword) {
    case "minimum":
      return `the number is less than ${limit}.`;
    case "maximum":
      return `the number is greater than ${limit}.`;
    case "minLength":
      return `the text has fewer than ${limit} characters.`;
    case "maxLength":
      return `the text has more than ${limit} characters.`;
    case "pattern":
      return "the text is not of the form that it has to be.";
    case "minItems":
      return `the array has fewer than ${limit} entries.`;
    case "maxItems":
      return `the array has more than ${limit} entries.`;
    case "propertyNames":
      return `the property name ${quote(String(propertyName))} is not allowed here.`;
    default:
      return "this is not of any form, or of more than one.";
  }
}
