import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operatorNames } from "../composites/operators.ts";
import { damage, edits } from "../mutate.test.data.ts";
import { sampled } from "../sampled.test.kit.ts";
import type { Json } from "../specimens.test.data.ts";
import caseSchema from "./case.schema.json" with { type: "json" };
import configSchema from "./config.schema.json" with { type: "json" };
import explanationSchema from "./explanation.schema.json" with { type: "json" };
import graphGolden from "./graph.schema.json" with { type: "json" };
import { graphSchema } from "./graph.ts";
import knownSchema from "./known.schema.json" with { type: "json" };
import leanVerdictSchema from "./lean-verdict.schema.json" with { type: "json" };
import lifetimesSchema from "./lifetimes.schema.json" with { type: "json" };
import programGolden from "./program.schema.json" with { type: "json" };
import { programSchema } from "./program.ts";
import programCaseSchema from "./program-case.schema.json" with { type: "json" };
import programReportSchema from "./program-report.schema.json" with { type: "json" };
import programVectorSchema from "./program-vector.schema.json" with { type: "json" };
import protocolSchema from "./protocol.schema.json" with { type: "json" };
import questionSchema from "./question.schema.json" with { type: "json" };
import rangesSchema from "./ranges.schema.json" with { type: "json" };
import { validatorOf } from "./registry.ts";
import reportSchema from "./report.schema.json" with { type: "json" };
import { documents } from "./specimens.test.data.ts";
import tapeCaseSchema from "./tape-case.schema.json" with { type: "json" };
import tapeVectorSchema from "./tape-vector.schema.json" with { type: "json" };
import targetSchema from "./target.schema.json" with { type: "json" };
import tensorSchema from "./tensor.schema.json" with { type: "json" };
import traceSchema from "./trace.schema.json" with { type: "json" };
import unitsSchema from "./units.schema.json" with { type: "json" };
import vectorSchema from "./vector.schema.json" with { type: "json" };
import verdictSchema from "./verdict.schema.json" with { type: "json" };

const schemas = [
  graphGolden,
  tensorSchema,
  caseSchema,
  vectorSchema,
  traceSchema,
  programGolden,
  programCaseSchema,
  programVectorSchema,
  programReportSchema,
  tapeCaseSchema,
  tapeVectorSchema,
  protocolSchema,
  questionSchema,
  verdictSchema,
  reportSchema,
  lifetimesSchema,
  leanVerdictSchema,
  knownSchema,
  configSchema,
  unitsSchema,
  rangesSchema,
  targetSchema,
  explanationSchema,
];

/** Returns every subschema that lists properties, with its place. */
function objectSchemas(schema: unknown, place: string): [string, Record<string, unknown>][] {
  if (typeof schema !== "object" || schema === null) return [];
  const inside = Object.entries(schema).flatMap(([key, part]) => objectSchemas(part, `${place}/${key}`));
  return "properties" in schema && "type" in schema ? [[place, { ...schema }], ...inside] : inside;
}

/** Returns the schemas as a validator reads them that does not know the keyword `discriminator`. */
function plainSchemas(): AnySchemaObject[] {
  const text = JSON.stringify(schemas, (key, part) => (key === "discriminator" ? undefined : part));
  return JSON.parse(text);
}

const plain = new Ajv2020({ schemas: plainSchemas(), strict: false, ownProperties: true });

/** Keys under which users choose names, and properties that may be left out. */
const maps = [
  "environment",
  "accuracy",
  "accumulation",
  "operators",
  "promises",
  "declined",
  "together",
  "received",
  "digits",
  "right",
  "asked",
  "laws",
  "imprecise",
  "limits",
  "every",
  "conv",
];
const optional = [
  "note",
  "policy",
  "conventions",
  "accuracy",
  "accumulation",
  "limits",
  "among",
  "least",
  "greatest",
  "form",
  "width",
  "order",
  "maximumAtTie",
  "reluAtZero",
  "compositeKinks",
  "subnormals",
  "zeros",
  "maximumAtNaN",
  "reluAtNaN",
  "zeroCotangents",
  "singularPoints",
  "operator",
  "node",
  "key",
  "session",
  "draws",
  "aliases",
  "saved",
  "slopes",
  "strict",
  "invocation",
  "imprecise",
  "repeatable",
  "varied",
  "excused",
  "hooks",
  "tapes",
  "together",
  "script",
  "statements",
  "calls",
  "why",
  "shard",
  "digits",
  "laws",
  "evaluate",
  "jvp",
  "vjp",
  "backward_dense",
];

/** These are documents that have other properties of these names, or leave others out. */
const namesAlone: ReadonlyMap<string, Names> = new Map([
  [
    "units.schema.json",
    {
      maps: ["units", "inputs", "environment", "nodes"],
      optional: ["note", "bases", "units", "inputs", "environment", "nodes", "unit", "graph"],
    },
  ],
  [
    "explanation.schema.json",
    {
      maps: [],
      optional: [
        ...["scale", "scales", "id", "pointer", "sheaf", "memory", "layers", "axis", "grows"],
        ...["representations", "range", "terms", "error", "digits", "nanoseconds", "step", "integer"],
        ...[
          "fromLength",
          "fromLayers",
          "toLayers",
          "gradients",
          "signatures",
          "measuredIn",
          "axisLength",
          "place",
        ],
        ...["cacheLines", "multiplyAdd", "resultFormat", "seen", "outside"],
      ],
    },
  ],
  ["ranges.schema.json#/$defs/statistics", { maps: ["exponents", "environment"], optional: ["range"] }],
  ["ranges.schema.json", { maps: ["inputs", "environment"], optional: ["note", "inputs", "environment"] }],
  [
    "config.schema.json",
    {
      maps: ["engines"],
      optional: [
        ...["$schema", "engines", "dtypes", "profile", "seed", "cases", "budgets", "exclude", "known"],
        ...["reports", "seconds", "elements", "work", "mine", "tfjs"],
      ],
    },
  ],
  ["target.schema.json", { maps: [], optional: ["note", "nanoseconds", "cycles", "of", "cacheLine"] }],
  ["lifetimes.schema.json", { maps: ["peaks"], optional: [] }],
  ["lean-verdict.schema.json", { maps: [], optional: ["claim"] }],
]);

interface Names {
  readonly maps: readonly string[];
  readonly optional: readonly string[];
}

/** `json` with one property put into, or one required property left out of, each object in turn. */
function* misfits(json: Json, names: Names = { maps, optional }, key = "", isMap = false): Generator<Json> {
  if (Array.isArray(json)) {
    for (const [i, entry] of json.entries()) {
      for (const bad of misfits(entry, names, key)) yield json.with(i, bad);
    }
  } else if (typeof json === "object" && json !== null) {
    yield { ...json, surplus: 1 };
    for (const [name, value] of Object.entries(json)) {
      const { [name]: _, ...rest } = json;
      const isOperator =
        name === "op" && (key === "blame" || (typeof json.do === "string" && json.do.startsWith("write_")));
      const mayBeLeftOut = names.optional.includes(name) || isOperator;
      // A known failure leaves out what does not matter.
      const isAny = "versions" in json && ["dtype", "attributes", "question", "link"].includes(name);
      if (!isMap && !mayBeLeftOut && !isAny) yield rest;
      // What an operator's attributes are in a program is for `checkProgram` to say.
      if (name === "attributes" && json.do === "let") continue;
      for (const bad of misfits(value, names, name, names.maps.includes(name) && !Array.isArray(value))) {
        yield { ...json, [name]: bad };
      }
    }
  }
}

describe("the schemas", () => {
  it("are valid JSON Schemas of draft 2020-12", () => {
    const ajv = new Ajv2020({ strict: false });
    for (const schema of schemas) expect(ajv.validateSchema(schema), schema.$id).toBe(true);
    expect(ajv.validateSchema({ ...tensorSchema, type: "tensor" })).toBe(false);
  });

  it("have the operator table's graph schema, printed, as graph.schema.json", () => {
    expect(JSON.stringify(graphGolden)).toBe(JSON.stringify(graphSchema()));
    expect(Object.keys(graphGolden.$defs)).toEqual(
      expect.arrayContaining(operatorNames.map((op) => `node_${op}`)),
    );
    expect(JSON.stringify(programGolden)).toBe(JSON.stringify(programSchema()));
  });

  it("allow no property that they do not name, but in the head common to all messages, and to all statements", () => {
    const all = schemas.flatMap((schema) => objectSchemas(schema, schema.$id));
    expect(all.length).toBeGreaterThan(60);
    const open = all.filter(([, schema]) => schema.additionalProperties !== false).map(([place]) => place);
    expect(open).toEqual(["program.schema.json/$defs/statement", "protocol.schema.json/$defs/message"]);
  });

  it.each(documents)("accept a whole document of %s", (reference, document) => {
    expect(validatorOf(reference)(document)).toEqual({ ok: true, value: document });
  });

  it.each(documents)("refuse one of %s with a property too many or too few", (reference, document) => {
    const validate = validatorOf(reference);
    const names = namesAlone.get(reference);
    const accepted = [...misfits(document, names)].filter((bad) => validate(bad).ok);
    expect(accepted.map((bad) => JSON.stringify(bad))).toEqual([]);
  });

  it.each(
    sampled("schemas", documents, 5),
  )("mean the same to a validator that ignores `discriminator`: %s", (reference, document) => {
    const ours = validatorOf(reference);
    const theirs = plain.getSchema(reference);
    let refused = 0;
    fc.assert(
      fc.property(edits, (list) => {
        const damaged = damage(document, list);
        const { ok } = ours(damaged);
        refused += ok ? 0 : 1;
        expect(theirs?.(damaged)).toBe(ok);
      }),
      { seed: 5, numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(150);
  });
});
