import { shapesOf } from "../expansion/index.ts";
import type { Graph, Seed } from "../graph/index.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import {
  checkAll,
  counted,
  fail,
  type Issue,
  issuesWithin,
  MAXIMUM_ISSUES,
  nodeId,
  ok,
  pointerTo,
  type Result,
} from "../shapes/index.ts";
import {
  mannersIssues,
  type TapeCase,
  type TapeCaseJson,
  type TapeStep,
  type TapeStepJson,
} from "../tapes/index.ts";
import { decodeTensor, plainTensor, type SeedJson } from "../wire/index.ts";
import { checkGraph } from "./check.ts";
import { decodePoint } from "./point.ts";

const readCase: Validator<TapeCaseJson> = outlineOf("tape-case.schema.json");

/**
 * Returns the tape case that `json` denotes: graphs by `checkGraph`, points that fit, tapes recorded once
 * before they are swept, and for each sweep whether it may be refused by its tape's life. Law:
 * `checkTapeCase(encodeTapeCase(c))` is `c`. Fails: `schema/…`, as `checkGraph` and `decodePoint` do,
 * `tensor/…`, `tape/…`, `seed/twice`.
 */
export function checkTapeCase(json: unknown): Result<TapeCase, Issue[]> {
  const valid = readCase(json);
  if (!valid.ok) return valid;
  const { graphs, steps, note } = valid.value;
  const checked = checkAll(graphs, (graph, i) => {
    const result = checkGraph(graph);
    return result.ok ? result : fail(issuesWithin(pointerTo("/graphs", i), result.error));
  });
  if (!checked.ok) return checked;
  const decoded = checkAll(steps, (step, i) => decodeStep(checked.value, step, pointerTo("/steps", i)));
  if (!decoded.ok) return decoded;
  const question = { graphs: checked.value, steps: decoded.value, ...(note === undefined ? {} : { note }) };
  const issues = mannersIssues(question);
  return issues.length === 0 ? ok(question) : fail(issues.slice(0, MAXIMUM_ISSUES));
}

/** Returns the case as JSON, its numbers in decimal. */
export function encodeTapeCase({ graphs, steps, note }: TapeCase): TapeCaseJson {
  return {
    format: "adjudge.tape-case.v1",
    graphs,
    steps: steps.map(encodeStep),
    ...(note === undefined ? {} : { note }),
  };
}

function encodeStep(step: TapeStep): TapeStepJson {
  switch (step.do) {
    case "record": {
      const { inputs, environment } = step.point;
      const entries = [...environment].map(([name, tensor]) => [name, plainTensor(tensor)] as const);
      const point = { inputs: inputs.map(plainTensor), environment: Object.fromEntries(entries) };
      const { tape, graph, life, of, hooks } = step;
      return { do: "record", tape, graph, point, life, of, ...(hooks === undefined ? {} : { hooks }) };
    }
    case "sweep": {
      const seeds = step.seeds.map(({ id, cotangent }) => ({ id, cotangent: plainTensor(cotangent) }));
      const { tape, refuse, together } = step;
      return { do: "sweep", tape, seeds, refuse, ...(together === undefined ? {} : { together }) };
    }
    case "release":
      return step;
  }
}

function decodeStep(
  graphs: readonly Graph[],
  step: TapeStepJson,
  pointer: string,
): Result<TapeStep, Issue[]> {
  switch (step.do) {
    case "record": {
      const graph = graphs[step.graph];
      if (graph === undefined) return fail([foreignGraph(graphs.length, `${pointer}/graph`)]);
      const point = decodePoint(graph, step.point, `${pointer}/point`);
      if (!point.ok) return point;
      const count = shapesOf(graph).length;
      const { of, hooks, ...rest } = step;
      const foreign = of.findIndex((id) => id >= count);
      if (foreign >= 0) return fail([foreignId("tape/of", count, pointerTo(`${pointer}/of`, foreign))]);
      const loose = hooks?.findIndex((id) => id >= count) ?? -1;
      if (loose >= 0) return fail([foreignId("tape/hooks", count, pointerTo(`${pointer}/hooks`, loose))]);
      return ok({
        ...rest,
        point: point.value,
        of: of.map((id) => nodeId(id + 0)),
        ...(hooks === undefined ? {} : { hooks: hooks.map((id) => nodeId(id + 0)) }),
      });
    }
    case "sweep": {
      const seeds = decodeGivenSeeds(step.seeds, `${pointer}/seeds`);
      return seeds.ok ? ok({ ...step, seeds: seeds.value }) : seeds;
    }
    case "release":
      return ok(step);
  }
}

/** Reads seeds that need not fit any graph: at most one for each id. Fails: `seed/twice`, `tensor/…`. */
export function decodeGivenSeeds(json: readonly SeedJson[], pointer: string): Result<Seed[], Issue[]> {
  const seen = new Set<number>();
  return checkAll(json, ({ id, cotangent }, i) => {
    const place = pointerTo(pointer, i);
    if (seen.has(id)) return fail([secondSeed(id, `${place}/id`)]);
    seen.add(id);
    const tensor = decodeTensor(cotangent, `${place}/cotangent`);
    return tensor.ok ? ok({ id: nodeId(id + 0), cotangent: tensor.value }) : tensor;
  });
}

function secondSeed(id: number, pointer: string): Issue {
  return {
    code: "seed/twice",
    pointer,
    message: `the id ${id} has a seed already.`,
    hint: "add the two cotangents into one seed",
  };
}

function foreignGraph(count: number, pointer: string): Issue {
  const message = `there are ${count} graphs, and this is none of them.`;
  return { code: "tape/graph", pointer, message, hint: "graphs are counted from 0" };
}

function foreignId(code: "tape/of" | "tape/hooks", count: number, pointer: string): Issue {
  const message = `the graph has ${counted(count, "id")}, and this is none of them.`;
  return { code, pointer, message, hint: "ids count the inputs first, then the nodes, from 0" };
}
