import { countsSchema, nameSchema, shapeSchema } from "../operators/index.ts";
import { parameterKinds, type Statement, statementKinds, updates } from "../programs/index.ts";
import type { JsonSchema } from "./graph.ts";

/**
 * Returns the JSON Schema of a program; `program.schema.json` is this, printed. What a schema cannot say
 * (that names are bound before they are read, that shapes fit, what attributes an operator has) is
 * `checkProgram`'s.
 */
export function programSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "program.schema.json",
    title: "A program: persistent locations, environment, and procedures, of which the first is the entry",
    ...closedObject(
      {
        format: { const: "adjudge.program.v1" },
        state: list("the persistent locations", { $ref: "#/$defs/location" }),
        aliases: list("views that are other names of these", { $ref: "#/$defs/statement_view" }),
        environment: list("the data that is never differentiated", { $ref: "#/$defs/environment_entry" }),
        procedures: {
          ...list("the procedures; the first is the entry", { $ref: "#/$defs/procedure" }),
          minItems: 1,
        },
      },
      ["aliases"],
    ),
    $defs: definitions({ $ref: "#/$defs/statement" }),
  };
}

/** Is {@link programSchema} with lists of anything: `checkProgram` asks it before looking at entries. */
export function programOutlineSchema(): JsonSchema {
  return {
    $id: "program-outline.schema.json",
    ...closedObject(
      {
        format: { const: "adjudge.program.v1" },
        state: list("a list of locations", {}),
        aliases: list("a list of views", {}),
        environment: list("a list of entries", {}),
        procedures: { ...list("a list of procedures, one at least", {}), minItems: 1 },
      },
      ["aliases"],
    ),
    $defs: definitions({}),
  };
}

const name: JsonSchema = { description: "a name of 1 to 256 characters", ...nameSchema };
const names: JsonSchema = { description: "a list of names", type: "array", items: name, maxItems: 64 };
const shape: JsonSchema = {
  description: "a shape: up to 32 extents, outermost first, [] for a scalar",
  ...shapeSchema,
};
const count: JsonSchema = {
  description: "how many times, 2²⁰ at most",
  type: "integer",
  minimum: 0,
  maximum: 2 ** 20,
};
const place: JsonSchema = {
  description: "a place counted from 0",
  type: "integer",
  minimum: 0,
  maximum: 1024,
};
const index: JsonSchema = {
  description: "a number, or the counter of a loop around",
  type: ["integer", "string"],
  minimum: 0,
  maximum: 2 ** 32 - 1,
  minLength: 1,
  maxLength: 256,
};
const indices: JsonSchema = {
  description: "a start for each axis",
  type: "array",
  items: index,
  maxItems: 32,
};
const length: JsonSchema = { description: "a number from 1", type: "integer", minimum: 1, maximum: 2 ** 27 };
const stride: JsonSchema = {
  description: "how far apart, backwards if negative",
  type: "integer",
  minimum: -(2 ** 27),
  maximum: 2 ** 27,
};
const steps: JsonSchema = {
  description: "a step for each axis, not 0",
  type: "array",
  items: stride,
  maxItems: 32,
};
const strides: JsonSchema = {
  description: "a stride for each axis",
  type: "array",
  items: stride,
  maxItems: 32,
};
const twoAxes: JsonSchema = {
  description: "two axes",
  type: "array",
  items: place,
  minItems: 2,
  maxItems: 2,
};

function definitions(statement: JsonSchema): JsonSchema {
  const block = { description: "a list of statements", type: "array", items: statement };
  const kinds = statementProperties(block);
  return {
    location: closedObject({ name, shape }),
    environment_entry: closedObject({
      name,
      shape,
      kind: { description: "what the elements are", enum: ["real", "index"] },
    }),
    procedure: closedObject({
      name,
      parameters: list("the parameters", { $ref: "#/$defs/parameter" }, 64),
      body: block,
      results: list("names of the body, with their shapes", { $ref: "#/$defs/location" }, 64),
    }),
    parameter: closedObject({
      name,
      kind: { description: "what it stands for", enum: parameterKinds },
      shape,
    }),
    transform: {
      description: "how the reference is seen",
      type: "object",
      required: ["kind"],
      discriminator: { propertyName: "kind" },
      oneOf: [
        closedObject({ kind: { const: "slice" }, starts: indices, sizes: countsSchema, steps }),
        closedObject({ kind: { const: "permute" }, axes: countsSchema }),
        {
          ...closedObject({ kind: { const: "diagonal" }, offset: stride, axes: twoAxes }, ["offset", "axes"]),
          dependentRequired: { offset: ["axes"], axes: ["offset"] },
        },
        closedObject({ kind: { const: "unfold" }, axis: place, size: length, step: length }),
        closedObject({ kind: { const: "strided" }, start: index, shape, strides }),
        closedObject({ kind: { const: "broadcast" }, shape }),
        closedObject({ kind: { const: "reshape" }, shape }),
      ],
    },
    distribution: {
      description: "what is drawn",
      type: "object",
      required: ["kind"],
      discriminator: { propertyName: "kind" },
      oneOf: [
        closedObject({
          kind: { const: "bernoulli" },
          rate: { description: "the probability of 0", type: "number", minimum: 0, maximum: 1 },
        }),
        closedObject({ kind: { const: "uniform" } }),
      ],
    },
    statement: {
      description: "a statement",
      type: "object",
      required: ["do"],
      // Who misspells a kind is told the nearest.
      properties: { do: { enum: statementKinds } },
      discriminator: { propertyName: "do" },
      oneOf: statementKinds.map((kind) => ({ $ref: `#/$defs/statement_${kind}` })),
    },
    ...Object.fromEntries(
      statementKinds.map((kind) => [
        `statement_${kind}`,
        // The key of a draw, and the operator of rows and masks, are what may be left out.
        closedObject({ do: { const: kind }, ...kinds[kind] }, kind.startsWith("write_") ? ["op"] : ["key"]),
      ]),
    ),
  };
}

function statementProperties(block: JsonSchema): {
  readonly [D in Statement["do"]]: { readonly [property: string]: JsonSchema };
} {
  return {
    let: {
      name,
      op: { description: "an operator's name", type: "string" },
      attributes: { description: "the operator's attributes", type: "object" },
      operands: names,
    },
    rebind: { name, to: name },
    buffer: { name, from: name },
    view: { name, of: name, how: { $ref: "#/$defs/transform" } },
    write: { to: name, from: name },
    update: { to: name, op: { description: "an operator of two operands", enum: updates }, from: name },
    write_rows: {
      to: name,
      rows: { description: "places along the first axis", type: "array", items: index, maxItems: 1024 },
      op: { description: "an operator of two operands", enum: updates },
      from: name,
    },
    write_where: {
      to: name,
      mask: name,
      op: { description: "an operator of two operands", enum: updates },
      from: name,
    },
    write_scatter: {
      to: name,
      mask: name,
      op: { description: "an operator of two operands", enum: updates },
      from: name,
    },
    index: { name, of: name },
    detach: { name, of: name },
    if: { condition: name, body: block, otherwise: block },
    for: { counter: name, times: count, body: block },
    while: { condition: name, fuel: count, body: block },
    break: {},
    call: { names, procedure: name, operands: names },
    custom: { names, procedure: name, derivative: name, operands: names },
    hook: { name, of: name, derivative: name },
    return: { operands: names },
    draw: {
      name,
      from: { $ref: "#/$defs/distribution" },
      shape,
      key: { description: "two words", type: "array", items: index, minItems: 2, maxItems: 2 },
    },
    receive: { name, channel: name, shape },
    send: { channel: name, from: name },
    no_grad: { body: block },
    checkpoint: { body: block },
    retain: { of: name },
    release: { of: name },
    differentiate: {
      name,
      procedure: name,
      mode: { description: "which derivative", enum: ["vjp", "jvp"] },
      of: place,
      wrt: place,
      operands: names,
    },
    differentiate_call: {
      names,
      derivatives: names,
      procedure: name,
      mode: { description: "which derivative", enum: ["vjp", "jvp"] },
      of: list("results, and behind them parameters", place),
      wrt: list("parameters", place),
      operands: names,
      along: names,
    },
  };
}

function list(description: string, items: JsonSchema, maxItems = 1024): JsonSchema {
  return { description, type: "array", items, maxItems };
}

/** Returns an object with exactly these properties, of which some may be left out. */
function closedObject(
  properties: { readonly [name: string]: JsonSchema },
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((property) => !optional.includes(property));
  return { type: "object", properties, required, additionalProperties: false };
}
