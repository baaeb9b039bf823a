import {
  bitExactConventions,
  type Engine,
  type LoadedProgram,
  type ProgramAnswer,
  type ProgramCall,
  type ProgramReply,
  type SessionStart,
} from "../../engines/index.ts";
import { execute, float64, type MachineOf, type PolicyOrNone, type Start } from "../../reference/package.ts";
import {
  compositeNames,
  type FlatTensor,
  type Program,
  type ProgramCase,
  present,
  primitiveNames,
  statementKinds,
} from "../../spec/index.ts";
import { flatten, runReference, unflatten } from "../case/reference_run.ts";
import { questionOf, sweptCase } from "./question.ts";

/** These faults are planted in an engine that runs programs. */
export interface Planted {
  /** The engine's tape does this about overwritten operands. */
  readonly policy?: PolicyOrNone;
  readonly machine?: MachineOf<number, boolean>;
  /** It makes another answer of the right one. */
  readonly answer?: (answer: ProgramAnswer, call: ProgramCall) => ProgramAnswer;
}

/** Makes the reference an engine that runs programs in float64: right, except for planted faults. */
export function executingEngine({
  policy = "copy",
  machine,
  answer = (right) => right,
}: Planted = {}): Engine {
  return {
    describe: () => ({
      name: "the reference, executing",
      version: "1",
      language: "TypeScript",
      links: [],
      dtypes: ["float64"],
      operators: [...primitiveNames, ...compositeNames],
      modes: ["evaluate", "jvp", "vjp"],
      conventions: bitExactConventions,
      accuracy: {},
    }),
    load: async () => ({ kind: "unsupported", reason: "it is asked programs" }),
    programs: {
      describePrograms: () => ({ statements: statementKinds }),
      loadProgram: async (program) => ({
        kind: "result",
        value: loaded(program, { policy, answer, ...(machine && { machine }) }),
      }),
    },
    async [Symbol.asyncDispose]() {},
  };
}

function loaded(
  program: Program,
  planted: Planted & Required<Pick<Planted, "policy" | "answer">>,
): LoadedProgram {
  let session: SessionStart | undefined;
  return {
    async call(call): Promise<ProgramReply<ProgramAnswer>> {
      const begun = present(call.session ?? session, "a session that has begun");
      const reply = called(program, call, begun, planted);
      if (reply.kind === "result")
        session = { state: reply.value.state, generator: { ...begun.generator, drawn: reply.value.drawn } };
      return reply;
    },
    async unload() {},
  };
}

function called(
  program: Program,
  call: ProgramCall,
  session: SessionStart,
  { policy, machine, answer }: Planted & Required<Pick<Planted, "policy" | "answer">>,
): ProgramReply<ProgramAnswer> {
  const given: ProgramCase = {
    program,
    point: { inputs: [...call.parameters, ...session.state], environment: call.environment },
    generator: session.generator,
    received: call.received,
    seeds: call.seeds,
  };
  const start: Start<number> = {
    parameters: call.parameters.map(unflatten),
    state: session.state.map(unflatten),
    environment: new Map(),
    generator: session.generator,
    world: new Map([...call.received].map(([channel, tensors]) => [channel, tensors.map(unflatten)])),
  };
  const executed = execute(float64, program, start, undefined, machine);
  const question = questionOf(given, { tangents: call.tangents });
  const swept = sweptCase(given, policy);
  if (!executed.ok || !question.ok || !swept.ok) return { kind: "error", message: "the run does not end" };
  if (call.mode === "vjp" && swept.value.kind === "refused")
    return { kind: "refused", reason: swept.value.issue.message };
  const { results, state, sent, generator } = executed.value;
  const { case: asked, recording } = question.value;
  const run = runReference(
    { ...asked, tangents: call.mode === "jvp" ? call.tangents : asked.point.inputs },
    float64,
  );
  const zeros = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.map(() => 0) });
  const cotangents = swept.value.kind === "gradient" ? swept.value.cotangents : [];
  const derivative = {
    evaluate: () => [],
    jvp: () =>
      [...recording.outcome.results, ...recording.outcome.state].map((id) =>
        present(run.tangents[id], "a tangent"),
      ),
    vjp: () =>
      given.point.inputs.map((input, i) => {
        const cotangent = cotangents[i];
        return cotangent === undefined ? zeros(input) : flatten(cotangent);
      }),
  }[call.mode]();
  const right: ProgramAnswer = {
    results: results.map(flatten),
    state: state.map(flatten),
    sent: sent.map(({ channel, value }) => ({ channel, value: flatten(value) })),
    drawn: generator.drawn,
    draws: [],
    derivative,
    retained:
      call.mode === "vjp"
        ? recording.retained.map(
            ({ id }) => run.cotangents.get(id) ?? zeros(present(run.values[id], "a value")),
          )
        : [],
  };
  return { kind: "result", value: answer(right, call) };
}
