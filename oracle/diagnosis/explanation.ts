import { type DimensionSystem, scalesOf } from "../../reference/units/index.ts";
import type {
  BlockJson,
  DimensionsJson,
  ExplanationJson,
  MeasuredJson,
  SheafJson,
} from "../../spec/explained/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, fail, type Issue, type NodeId, nodeId, ok, type Result } from "../../spec/shapes/index.ts";
import type { Declarations } from "../../spec/units/index.ts";
import { coeffectsOf, type MemoryAsked } from "./coeffects/index.ts";
import {
  type BlockForm,
  cotangentForms,
  formsOfValue,
  type Inference,
  inferDimensions,
} from "./inference.ts";
import { type Names, namesIn } from "./names.ts";
import { cohomologyOf, MAXIMUM_SHEAF, sheafOf } from "./sheaf.ts";
import { obstructionOf } from "./words.ts";

/** A user asks for this explanation of a graph. */
export interface Asked {
  /** These are the results whose dimensions and gradients are told. */
  readonly of: readonly NodeId[];
  /** Gradients are told with respect to these. */
  readonly wrt: readonly NodeId[];
  /** If true, the system is told as a sheaf, up to {@link MAXIMUM_SHEAF} unknowns and equations. */
  readonly sheaf?: boolean;
  /** If present, memory is told too. */
  readonly memory?: Omit<MemoryAsked, "of" | "wrt">;
}

type Assigned = Extract<Inference, { readonly kind: "assigned" }>;

/**
 * Explains the dimensions of a graph before it runs: those of what it is given, its results and their
 * gradients, or why there are none. Where dimensions agree, scales are checked. Fails: `units/blocks`. Cost:
 * two inferences; for a sheaf, cubic.
 */
export function explain(
  graph: Graph,
  declarations: Declarations,
  asked: Asked,
): Result<ExplanationJson, Issue[]> {
  const inference = inferDimensions(graph, declarations);
  if (inference.kind === "refused") return fail([inference.issue]);
  const dimensions = dimensionsOf(graph, declarations, inference, asked);
  const { system } = inference;
  const isSmall = system.unknowns <= MAXIMUM_SHEAF && system.equations.length <= MAXIMUM_SHEAF;
  const sheaf = asked.sheaf === true && isSmall ? { sheaf: sheafJson(graph, system) } : {};
  const { of, wrt } = asked;
  const memory =
    asked.memory === undefined
      ? undefined
      : coeffectsOf(graph, { ...asked.memory, of, wrt, sheaf: asked.sheaf === true });
  if (memory?.ok === false) return memory;
  const told = memory === undefined ? {} : { memory: memory.value };
  return ok({ format: "adjudge.explanation.v1", dimensions, ...sheaf, ...told });
}

function dimensionsOf(
  graph: Graph,
  declarations: Declarations,
  inference: Exclude<Inference, { readonly kind: "refused" }>,
  { of, wrt }: Asked,
): DimensionsJson {
  const { system } = inference;
  const { bases } = system.aspect;
  if (inference.kind === "obstructed") {
    const obstruction = obstructionOf(graph, system, inference.certificate);
    return { kind: "obstructed", bases, obstruction };
  }
  const scales = inferDimensions(graph, declarations, scalesOf(declarations));
  const teller = new Teller(graph, inference, scales.kind === "assigned" ? scales : undefined);
  return {
    kind: "assigned",
    bases,
    free: teller.free(),
    inputs: graph.inputs.map((_, id) => teller.value(system.valueOf(nodeId(id)))),
    environment: graph.environment.flatMap(({ name, kind }) => {
      const value = system.valueOfEntry(name);
      return kind === "index" || value === undefined ? [] : [teller.value(value)];
    }),
    results: of.map((id) => teller.value(system.valueOf(id))),
    gradients: of.map((id) => ({
      of: teller.names.value(system.valueOf(id)),
      cotangents: wrt.map((other) => teller.cotangent(id, other)),
    })),
    ...(scales.kind === "obstructed"
      ? { scales: obstructionOf(graph, scales.system, scales.certificate, "scale") }
      : {}),
  };
}

/** Writes down what values are measured in. */
class Teller {
  readonly names: Names;
  readonly #inference: Assigned;
  readonly #scales: { readonly inference: Assigned; readonly names: Names } | undefined;

  constructor(graph: Graph, inference: Assigned, scales: Assigned | undefined) {
    this.names = namesIn(inference.system, graph);
    this.#inference = inference;
    this.#scales = scales && {
      inference: scales,
      names: namesIn(scales.system, graph, "scale"),
    };
  }

  /** Lists the given blocks whose dimension nothing determines. */
  free(): string[] {
    const { system, solution } = this.#inference;
    const given = system.grids.slice(0, system.graph.inputs.length + system.graph.environment.length);
    return given.flatMap(({ first, count }) =>
      Array.from({ length: count }, (_, i) => first + i)
        .filter((unknown) => solution.isFree(unknown))
        .map((unknown) => this.names.block(unknown)),
    );
  }

  value(value: number): MeasuredJson {
    const { system } = this.#inference;
    const name = this.names.value(value);
    if (!system.isMeasured(value)) {
      const ranges = at(system.grids, value).shape.map((extent) => [0, extent] as const);
      return { name, blocks: [{ ranges, dimension: "any, being zero" }] };
    }
    const scales = this.#scales && formsOfValue(this.#scales.inference, value);
    return { name, blocks: this.#told(formsOfValue(this.#inference, value), scales) };
  }

  /** Tells the cotangent of `wrt`: `of` is the loss if it has one dimension, else what a loss is made of. */
  cotangent(of: NodeId, wrt: NodeId): MeasuredJson {
    const { system } = this.#inference;
    const name = this.names.value(system.valueOf(wrt));
    const blocks = at(system.grids, system.valueOf(of)).count;
    if (blocks === 1) {
      const scales = this.#scales && cotangentForms(this.#scales.inference, of, wrt);
      return { name, blocks: this.#told(cotangentForms(this.#inference, of, wrt), scales) };
    }
    const told = cotangentForms(this.#inference, of, wrt, new Map());
    return {
      name,
      blocks: this.#told(told, undefined).map((block) => ({
        ...block,
        dimension: block.dimension === "1" ? "⟨loss⟩" : `⟨loss⟩·${block.dimension}`,
      })),
    };
  }

  #told(forms: readonly BlockForm[], scales: readonly BlockForm[] | undefined): BlockJson[] {
    return forms.map(({ ranges, form }, place) => {
      const scale = scales?.[place]?.form ?? new Map();
      const bases = this.#scales?.inference.system.aspect.bases.length ?? 0;
      const isKnown = scale.size > 0 && [...scale.keys()].every((unknown) => unknown < bases);
      const told = { ranges, dimension: this.names.form(form) };
      return isKnown && this.#scales !== undefined
        ? { ...told, scale: this.#scales.names.form(scale) }
        : told;
    });
  }
}

function sheafJson(graph: Graph, system: DimensionSystem): SheafJson {
  const names = namesIn(system, graph);
  const sheaf = sheafOf(system);
  return {
    values: sheaf.lower.map((rank, value) => ({ name: names.value(value), rank })),
    constraints: sheaf.upper.map(([value, rank]) => ({ name: names.value(value), rank })),
    coboundary: sheaf.coboundary.map((row) => row.join(" ")),
    ...cohomologyOf(sheaf),
  };
}
