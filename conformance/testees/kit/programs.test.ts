import { describe, expect, it } from "vitest";
import type { Engine, LoadedProgram, ProgramCall, ProgramReply } from "../../../engines/index.ts";
import { judgeProgram, type ProgramVerdict } from "../../../oracle/index.ts";
import { type FlatTensor, type Program, program, statementKinds } from "../../../spec/index.ts";
import { everyStatement } from "../../../spec/programs/specimens.test.data.ts";
import { tensor } from "../asking.test.kit.ts";
import { taskOf, without } from "../programs.test.kit.ts";
import { eagerEngine } from "./eager.ts";
import type { EagerLibrary, Place } from "./library.ts";
import { type Tiny, tinyLibrary } from "./tiny.test.kit.ts";

const asIs = { dtype: "float64", shrinkBudget: 0 } as const;

/** Judges a program in a session of further calls. */
function judged(library: EagerLibrary<Tiny>, asked: Program, calls = 2): Promise<ProgramVerdict> {
  const task = taskOf(asked);
  const { seeds } = task.case;
  const again = { parameters: [tensor([3, 4])], received: new Map([["in", [tensor([1, 2])]]]), seeds };
  return judgeProgram(
    eagerEngine(library),
    { ...task, calls: Array.from({ length: calls }, () => again) },
    asIs,
  );
}

/** Everything but what the library lacks. */
const everything = without(everyStatement, ["checkpoint"]);

/** This is `total[0] += x[1]²; total *= u; total`, where u is drawn, and x[1]² stands in a location. */
const counting = program(({ input, state, buffer, draw }) => {
  const total = state("total", [2]);
  const x = buffer(input("x", [2]));
  x.at(1).update("multiply", x.at(1));
  total.at(0).update("add", x.at(1));
  total.update("multiply", draw({ kind: "uniform" }, [2]));
  return [total, x];
});

/** This is `b = x²; b[0] += 5 without gradients; b + stop(b) · x`. */
const stopped = program(({ input, state, buffer, noGrad }) => {
  const x = input("x", [2]);
  state("unread", [2]);
  const b = buffer(x.multiply(x));
  noGrad(() => b.at(0).update("add", 5));
  return [b.add(b.detached().multiply(x))];
});

/** These programs have no run; each is listed with what is said of it. */
const senseless: readonly (readonly [why: string, message: string, asked: Program])[] = [
  [
    "a loop that has had its turns",
    "the loop has had its 2 turns, and its condition still holds",
    program(({ input, state, while_ }) => {
      const [x, total] = [input("x", [2]), state("total", [2])];
      while_(x.multiply(x).sum({ axes: [0], keepdims: false }), 2, () => total.update("add", x));
      return [total];
    }),
  ],
  [
    "a location that was released",
    "sees a location that was released",
    program(({ input, state, buffer }) => {
      const [b, total] = [buffer(input("x", [2])), state("total", [2])];
      b.release();
      total.write(b);
      return [total];
    }),
  ],
  [
    "a write through what sees an element twice",
    "sees an element more than once",
    program(({ input, state, buffer, procedure, call }) => {
      const raised = procedure("raised", [{ name: "v", kind: "reference", shape: [2] }], (v) => {
        if ("isReference" in v) v.update("add", 1);
        return [];
      });
      const b = buffer(input("x", [2]).sum({ axes: [0], keepdims: false }));
      state("unread", [2]);
      call(raised, b.view({ kind: "broadcast", shape: [2] }));
      return [b];
    }),
  ],
  [
    "calls without end",
    "the call stands within 256 others, and that is the most",
    program(({ input, state, procedure, call }) => {
      const x = input("x", [2]);
      state("unread", [2]);
      const itself = { name: "endless", results: [[2]] } as const;
      const v = { name: "v", kind: "value", shape: [2] } as const;
      const endless = procedure("endless", [v], (given) => call(itself, given ?? x), [[2]]);
      return call(endless, x);
    }),
  ],
];

describe("an eager library asked programs", () => {
  it("has the statements for which its operators and derivatives suffice", () => {
    const { library } = tinyLibrary();
    const said = (some: EagerLibrary<Tiny>) => eagerEngine(some).programs?.describePrograms();
    expect(said(library)).toEqual({
      statements: statementKinds.filter((kind) => kind !== "checkpoint"),
      aliases: true,
      draws: "state",
    });
    const { concat: _, stop_gradient: _stop, ...operators } = library.operators;
    expect(said({ ...library, operators, nests: false })?.statements).toEqual([
      "let",
      "rebind",
      "if",
      "for",
      "while",
      "break",
      "call",
      "return",
      "draw",
      "receive",
      "send",
      "retain",
    ]);
    expect(said({ ...library, programs: false })).toBeUndefined();
  });

  it("agrees on all of them, in sessions, and gives up every claim", async () => {
    const tiny = tinyLibrary();
    for (const asked of [everything, counting, stopped]) {
      expect(await judged(tiny.library, asked)).toEqual({ kind: "agrees" });
      expect(tiny.claims()).toBe(0);
    }
  });

  it("is told apart from a faulty one", async () => {
    const { library } = tinyLibrary();
    const planted = (operators: EagerLibrary<Tiny>["operators"]): EagerLibrary<Tiny> => ({
      ...library,
      operators: { ...library.operators, ...operators },
    });
    const passing = planted({ stop_gradient: (_, [x]) => x });
    const first = planted({
      // This treats the second part of a row as a constant.
      concat: (attributes, [x, ...rest], indices, dtype) => {
        const constants = rest.map((part) => ({ ...part, parents: [] }));
        return library.operators.concat?.(attributes, [x, ...constants], indices, dtype) ?? x;
      },
    });
    const forgetful: EagerLibrary<Tiny> = { ...library, place: (held) => forgetting(library, held) };
    expect(await judged(passing, stopped)).toMatchObject({ kind: "disagrees", witness: { mode: "vjp" } });
    expect(await judged(first, counting)).toMatchObject({ kind: "disagrees", witness: { mode: "vjp" } });
    expect(await judged(forgetful, counting)).toMatchObject({
      kind: "disagrees",
      witness: { mode: "evaluate", isLater: true },
    });
  });

  it("keeps persistent locations in the library's own variables, and disposes of them", async () => {
    const { library } = tinyLibrary();
    let held = 0;
    const place = (given: Tiny): Place<Tiny> => {
      held += 1;
      let flat = library.read(given);
      return {
        tensor: () => library.tensor(flat instanceof Promise ? tensor([]) : flat, "float64"),
        assign: (_, numbers) => {
          flat = numbers;
        },
        dispose: () => {
          held -= 1;
        },
      };
    };
    expect(await judged({ ...library, place }, counting)).toEqual({ kind: "agrees" });
    expect(held).toBe(0);
  });

  it("declines missing statements on loading, and a condition known only later on running", async () => {
    const { library } = tinyLibrary();
    const load = (engine: Engine, asked: Program) => engine.programs?.loadProgram(asked, "float64");
    expect(await load(eagerEngine(library), everyStatement)).toEqual({
      kind: "unsupported",
      reason: "no statement checkpoint",
    });
    const divided = program(({ input }) => [input("x", [2]).divide(input("y", [2]))]);
    expect(await load(eagerEngine(library), divided)).toEqual({
      kind: "unsupported",
      reason: "no operator divide",
    });
    const later = { ...library, read: async (held: Tiny): Promise<FlatTensor> => library.read(held) };
    expect(await judged(later, counting)).toEqual({ kind: "agrees" });
    expect(await judged(later, everything)).toEqual({
      kind: "unsupported",
      reason: "no condition on a value which the library does not tell at once",
    });
  });

  it("leaves the session as it was where a call fails, and has none before it begins", async () => {
    const asked = program(({ input, state, receive }) => {
      const total = state("total", [2]);
      total.update("add", input("x", [2]));
      total.update("add", receive("in", [2]));
      return [total];
    });
    const tiny = tinyLibrary();
    const reply = await eagerEngine(tiny.library).programs?.loadProgram(asked, "float64");
    const loaded = reply?.kind === "result" ? reply.value : expect.unreachable("it was not loaded");
    const call: ProgramCall = {
      mode: "evaluate",
      parameters: [tensor([1, 2])],
      environment: new Map(),
      received: new Map([["in", [tensor([10, 10])]]]),
      tangents: [],
      seeds: [],
    };
    const session = { state: [tensor([0, 0])], generator: { key: [1, 2], drawn: 0 } } as const;
    expect(await loaded.call(call)).toEqual({ kind: "error", message: "no call has begun a session" });
    expect(await resultOf(loaded, { ...call, session })).toEqual(tensor([11, 12]));
    expect(await loaded.call({ ...call, received: new Map() })).toEqual({
      kind: "error",
      message: 'nothing more comes on the channel "in"',
    });
    expect(await resultOf(loaded, call)).toEqual(tensor([22, 24]));
    expect(tiny.claims()).toBe(0);
  });

  it.each(senseless)("answers error to %s", async (_, message, asked) => {
    const { library, claims } = tinyLibrary();
    const { point, generator, received, seeds } = taskOf(asked).case;
    const reply = await eagerEngine(library).programs?.loadProgram(asked, "float64");
    const loaded = reply?.kind === "result" ? reply.value : expect.unreachable("it was not loaded");
    const [parameters, state] = [point.inputs.slice(0, 1), point.inputs.slice(1)];
    const session = { state, generator };
    expect(
      await loaded.call({ mode: "evaluate", ...point, parameters, received, tangents: [], seeds, session }),
    ).toEqual({ kind: "error", message: expect.stringContaining(message) });
    expect(claims()).toBe(0);
  });
});

/** Returns the first result of a call. */
async function resultOf(loaded: LoadedProgram, call: ProgramCall): Promise<FlatTensor | undefined> {
  const reply: ProgramReply<{ readonly results: readonly FlatTensor[] }> = await loaded.call(call);
  return reply.kind === "result" ? reply.value.results[0] : expect.unreachable(JSON.stringify(reply));
}

/** Makes a place that goes on holding what it held first. */
function forgetting(library: EagerLibrary<Tiny>, held: Tiny): Place<Tiny> {
  const flat = library.read(held);
  return {
    tensor: () => library.tensor(flat instanceof Promise ? tensor([]) : flat, "float64"),
    assign() {},
    dispose() {},
  };
}
