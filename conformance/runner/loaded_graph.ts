import type { Along, LoadedGraph, Reply } from "../../spec/contract/index.ts";
import { encodePoint, encodeSeeds } from "../../spec/documents/index.ts";
import type { Graph, Point, Seed } from "../../spec/graph/index.ts";
import { type DataType, encodeTensor, type FlatTensor, type RequestMessage } from "../../spec/wire/index.ts";
import { readTensors } from "./answer.ts";
import { ask, type Desk, done, type Loaded, tooLarge, type Unnumbered, unload } from "./asking.ts";
import { recordIn } from "./loaded_tape.ts";
import type { Promised } from "./promises.ts";
import type { Session } from "./session.ts";

/** Loads a graph into the process of `session`; `needed` are the promises it relies on, all of them given. */
export async function loadInto(
  session: Session,
  graph: Graph,
  dtype: DataType,
  needed: readonly Promised[],
  desk: Desk,
): Promise<Reply<LoadedGraph>> {
  const loaded: Loaded = { desk, session, number: desk.number(), dtype, needed };
  const request = { kind: "load", program: loaded.number, dtype, graph } as const;
  const reply = await ask(loaded, request, needed, done);
  return reply.kind === "result" ? { kind: "result", value: graphOf(loaded) } : reply;
}

function graphOf(loaded: Loaded): LoadedGraph {
  const { number: program, desk } = loaded;
  const { form } = desk;
  const about = (point: Point) => ({ program, point: encodePoint(point, form) });
  const pull = (kind: "vjp" | "backward_dense", point: Point, seeds: readonly Seed[]) => {
    const cotangents = seeds.map(({ cotangent }) => cotangent);
    return askTensors(loaded, `mode ${kind}`, [...tensorsOf(point), ...cotangents], () => ({
      kind,
      ...about(point),
      seeds: encodeSeeds(seeds, form),
    }));
  };
  return {
    evaluate: (point) =>
      askTensors(loaded, "mode evaluate", tensorsOf(point), () => ({ kind: "evaluate", ...about(point) })),
    jvp: (point, tangents) =>
      askTensors(loaded, "mode jvp", [...tensorsOf(point), ...tangents], () => ({
        kind: "jvp",
        ...about(point),
        tangents: tangents.map((tangent) => encodeTensor(tangent, form)),
      })),
    vjp: (point, seeds) => pull("vjp", point, seeds),
    backwardDense: (point, seeds) => pull("backward_dense", point, seeds),
    ...(desk.promises.hasEstimates
      ? {
          forwardGradient: (point: Point, seeds: readonly Seed[], along: Along) => {
            const tangents = along.law === "given" ? along.tangents : [];
            const sent = [...tensorsOf(point), ...seeds.map(({ cotangent }) => cotangent), ...tangents];
            return askTensors(loaded, `estimates ${along.law}`, sent, () => ({
              kind: "forward_gradient",
              ...about(point),
              seeds: encodeSeeds(seeds, form),
              along:
                along.law === "given"
                  ? { law: along.law, tangents: tangents.map((tangent) => encodeTensor(tangent, form)) }
                  : along,
            }));
          },
        }
      : {}),
    ...(desk.promises.hasTapes
      ? { record: (point, life, of, hooks = []) => recordIn(loaded, { point, life, of, hooks }) }
      : {}),
    unload: () => unload(loaded),
  };
}

/** Asks for tensors, if the engine promised to answer. The tensors `sent` must fit into one line. */
async function askTensors(
  loaded: Loaded,
  promised: Promised,
  sent: readonly FlatTensor[],
  request: () => Unnumbered<RequestMessage>,
): Promise<Reply<readonly FlatTensor[]>> {
  const { desk, session } = loaded;
  // Operators and precision were looked at before the graph was loaded.
  const lacking = desk.promises.lacking([promised]);
  if (lacking !== undefined) return { kind: "unsupported", reason: `the engine does not promise ${lacking}` };
  const bytes = 8 * sent.reduce((sum, { data }) => sum + data.length, 0);
  if (bytes > session.lineBytes) return tooLarge(bytes);
  const needed: Promised[] = [...loaded.needed, promised];
  return ask(loaded, request(), needed, (reply) => {
    if (reply.kind !== "tensors") return undefined;
    const tensors = readTensors(reply.tensors, loaded.dtype);
    if (tensors.kind === "result") {
      desk.praise();
      desk.promises.keep(needed);
    }
    return tensors;
  });
}

function tensorsOf({ inputs, environment }: Point): FlatTensor[] {
  return [...inputs, ...environment.values()];
}
