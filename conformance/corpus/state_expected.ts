import { runReference } from "../../oracle/case/index.ts";
import { questionOf } from "../../oracle/programs/index.ts";
import { float64 } from "../../reference/index.ts";
import type { ExpectedCall, ProgramCase } from "../../spec/documents/index.ts";
import { at, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";

/** Returns what the reference's float64 call leaves behind; an issue of its run becomes a refusal. */
export function expectedCall(question: ProgramCase): ExpectedCall {
  const run = questionOf(question);
  if (!run.ok) return { kind: "refused", code: at(run.error, 0).code };
  const { recording, case: asked } = run.value;
  const { results, state, sent, generator } = recording.outcome;
  const { values, cotangents } = runReference(asked, float64);
  const valueAt = (id: NodeId): FlatTensor => at(values, id);
  const cotangentAt = (id: NodeId): FlatTensor => cotangents.get(id) ?? zerosLike(valueAt(id));
  const isAsked = question.seeds.length > 0;
  const inputs = question.point.inputs.map((_, id) => nodeId(id));
  return {
    kind: "left",
    results: results.map(valueAt),
    state: state.map(valueAt),
    sent: sent.map(({ channel, value }) => ({ channel, value: valueAt(value) })),
    drawn: generator.drawn,
    cotangents: isAsked ? inputs.map(cotangentAt) : [],
    retained: isAsked ? recording.retained.map(({ id }) => cotangentAt(id)) : [],
  };
}

function zerosLike({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.map(() => 0) };
}
