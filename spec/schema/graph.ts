import { type OperatorName, operatorNames, operators } from "../composites/index.ts";
import {
  type Arity,
  type AttributeSchema,
  arityRange,
  formatArity,
  nameSchema,
  shapeSchema,
} from "../operators/index.ts";

/** A schema as data, in JSON Schema 2020-12 with the `discriminator` of ajv and OpenAPI. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * Returns the JSON Schema of a graph, one branch for each row of the operator table; `graph.schema.json` is
 * this, printed. What a schema cannot say (that parents come first, that shapes fit) is {@link checkGraph}'s.
 */
export function graphSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "graph.schema.json",
    title: "A graph: inputs, environment, and nodes in evaluation order",
    ...closedObject({
      format: { const: "adjudge.graph.v1" },
      inputs: list("the inputs, in order", "input"),
      environment: list("the data that is never differentiated", "environment_entry"),
      nodes: list("the nodes, in evaluation order", "node"),
    }),
    $defs: definitions(),
  };
}

/**
 * Says what `checkGraph` asks of a graph before it looks at the entries one by one, and (in `$defs`) of a
 * node before it knows the operator.
 */
export function graphEnvelopeSchema(): JsonSchema {
  const entries = { description: "a list", type: "array" };
  return {
    $id: "graph-envelope.schema.json",
    ...closedObject({
      format: { const: "adjudge.graph.v1" },
      inputs: entries,
      environment: entries,
      nodes: entries,
    }),
    $defs: {
      node: {
        description: "a node: op, attributes and parents",
        type: "object",
        properties: {
          op: { description: "an operator's name", type: "string" },
          parents: { description: "a list of ids", type: "array" },
        },
        required: ["op", "parents"],
      },
    },
  };
}

/** {@link graphSchema} with its definitions, but for which any object is a graph. */
export function graphOutlineSchema(): JsonSchema {
  return { $id: "graph.schema.json", type: "object", $defs: definitions() };
}

/** Returns the reference to the branch of `op` in {@link graphSchema}. */
export function nodeReference(op: OperatorName): string {
  return `#/$defs/node_${op}`;
}

function definitions(): JsonSchema {
  return { ...commonDefinitions(), ...nodeDefinitions() };
}

function commonDefinitions(): JsonSchema {
  const kind = { description: "what the elements are", enum: ["real", "index"] };
  const name = { $ref: "#/$defs/name" };
  const shape = { $ref: "#/$defs/shape" };
  return {
    name: { description: "a name of 1 to 256 characters", ...nameSchema },
    shape: { description: "a shape: up to 32 extents, outermost first, [] for a scalar", ...shapeSchema },
    node_id: {
      description: "an id: a position among the inputs and then the nodes, counted from 0",
      type: "integer",
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    operator_name: { description: "an operator's name", enum: operatorNames },
    input: { description: "an input's name and shape", ...closedObject({ name, shape }) },
    environment_entry: {
      description: "an environment entry's name, shape and kind",
      ...closedObject({ name, shape, kind }),
    },
    node: {
      description: "a node: op, attributes and parents",
      type: "object",
      required: ["op"],
      discriminator: { propertyName: "op" },
      oneOf: operatorNames.map((op) => ({ $ref: nodeReference(op) })),
    },
  };
}

function nodeDefinitions(): JsonSchema {
  return Object.fromEntries(operatorNames.map((op) => [`node_${op}`, nodeDefinition(op)]));
}

function nodeDefinition(op: OperatorName): JsonSchema {
  const { arity, attributes, summary } = operators[op];
  const { description, minimum, maximum } = arityOf(arity);
  return {
    title: `${op}: ${summary}`,
    ...closedObject({
      op: { const: op },
      attributes: { description: "the operator's attributes", ...closedObject(attributes) },
      parents: {
        description,
        type: "array",
        items: { $ref: "#/$defs/node_id" },
        minItems: minimum,
        ...(maximum === undefined ? {} : { maxItems: maximum }),
      },
    }),
  };
}

function arityOf(arity: Arity): {
  description: string;
  minimum: number;
  maximum: number | undefined;
} {
  const [minimum, most] = arityRange(arity);
  const words = formatArity(arity);
  const description = typeof arity === "number" ? `exactly ${words}` : words;
  return { description, minimum, maximum: Number.isFinite(most) ? most : undefined };
}

function list(description: string, definition: string): JsonSchema {
  return { description, type: "array", items: { $ref: `#/$defs/${definition}` } };
}

/** Returns an object with exactly these properties. */
function closedObject(properties: { readonly [name: string]: AttributeSchema }): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
