import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { fail, type Issue, ok, present, type Result } from "../shapes/index.ts";
import caseSchema from "./case.schema.json" with { type: "json" };
import configSchema from "./config.schema.json" with { type: "json" };
import explanationSchema from "./explanation.schema.json" with { type: "json" };
import { graphEnvelopeSchema, graphOutlineSchema, graphSchema, type JsonSchema } from "./graph.ts";
import { issueOf } from "./issues.ts";
import knownSchema from "./known.schema.json" with { type: "json" };
import leanVerdictSchema from "./lean-verdict.schema.json" with { type: "json" };
import lifetimesSchema from "./lifetimes.schema.json" with { type: "json" };
import { programOutlineSchema, programSchema } from "./program.ts";
import programCaseSchema from "./program-case.schema.json" with { type: "json" };
import programReportSchema from "./program-report.schema.json" with { type: "json" };
import programVectorSchema from "./program-vector.schema.json" with { type: "json" };
import protocolSchema from "./protocol.schema.json" with { type: "json" };
import questionSchema from "./question.schema.json" with { type: "json" };
import rangesSchema from "./ranges.schema.json" with { type: "json" };
import reportSchema from "./report.schema.json" with { type: "json" };
import tapeCaseSchema from "./tape-case.schema.json" with { type: "json" };
import tapeVectorSchema from "./tape-vector.schema.json" with { type: "json" };
import targetSchema from "./target.schema.json" with { type: "json" };
import tensorSchema from "./tensor.schema.json" with { type: "json" };
import torchLeanSchema from "./torchlean.schema.json" with { type: "json" };
import traceSchema from "./trace.schema.json" with { type: "json" };
import unitsSchema from "./units.schema.json" with { type: "json" };
import vectorSchema from "./vector.schema.json" with { type: "json" };
import verdictSchema from "./verdict.schema.json" with { type: "json" };

/** Each schema for graphs has its registry, made when one of its validators is first used. */
const registries = new Map<() => JsonSchema, Ajv2020>();

/**
 * Registers every schema by its `$id`, with this one for graphs. `ownProperties` keeps what
 * `Object.prototype` has from passing for a property; `verbose` hands errors the refusing part of the schema;
 * a test validates the schemas. ajv's optimizer would cost more than it saves.
 */
function registryWith(graph: () => JsonSchema): Ajv2020 {
  const known = registries.get(graph);
  if (known !== undefined) return known;
  const made = new Ajv2020({
    schemas: [
      graph(),
      graphEnvelopeSchema(),
      programSchema(),
      programOutlineSchema(),
      programCaseSchema,
      programVectorSchema,
      programReportSchema,
      tapeCaseSchema,
      tapeVectorSchema,
      tensorSchema,
      caseSchema,
      vectorSchema,
      traceSchema,
      protocolSchema,
      questionSchema,
      verdictSchema,
      reportSchema,
      knownSchema,
      configSchema,
      torchLeanSchema,
      unitsSchema,
      rangesSchema,
      targetSchema,
      explanationSchema,
      lifetimesSchema,
      leanVerdictSchema,
    ],
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    ownProperties: true,
    messages: false,
    verbose: true,
    validateSchema: false,
    code: { optimize: false },
  });
  registries.set(graph, made);
  return made;
}

/** Decides whether JSON is a `T`; `pointer` is where it stands in its document. Finds one issue, not all. */
export type Validator<T> = (json: unknown, pointer?: string) => Result<T, Issue[]>;

/**
 * Returns the validator of the schema at `reference`, such as `graph.schema.json#/$defs/name`; the caller
 * answers for `T` being its type. It is compiled at first use. It returns the given value, not a copy. Fails:
 * `schema/<keyword>`. Cost: linear in what the schema looks at; no deep recursion whatever the input.
 */
export function validatorOf<T>(reference: string): Validator<T> {
  return validatorWith(graphSchema, reference);
}

/**
 * Compiles as {@link validatorOf} does, but any object passes for a graph, for documents whose graph is left
 * to `checkGraph`. ajv compiles all that a schema refers to at first use, and a graph's operators take a
 * third of a second.
 */
export function outlineOf<T>(reference: string): Validator<T> {
  return validatorWith(graphOutlineSchema, reference);
}

function validatorWith<T>(graph: () => JsonSchema, reference: string): Validator<T> {
  let compiled: ValidateFunction<T> | undefined;
  return (json, pointer = "") => {
    compiled ??= present(registryWith(graph).getSchema<T>(reference), `the schema ${reference}`);
    const validate = compiled;
    if (validate(json)) return ok(json);
    // Where one error summarises others (no branch fits), it comes last.
    const error = present(validate.errors?.at(-1), "an error of a failed validation");
    validate.errors = null;
    return fail([issueOf(error, pointer)]);
  };
}
