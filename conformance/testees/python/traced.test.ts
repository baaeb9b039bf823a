import { describe, expect, it } from "vitest";
import { floatPrograms, judgeProgram, taskAt } from "../../../oracle/index.ts";
import { type Program, program, type StatementKind } from "../../../spec/index.ts";
import { ProcessEngine } from "../../runner/engine.ts";
import { pythonTestee } from "../bundled.ts";
import { taskOf } from "../programs.test.kit.ts";

/** Disagreements are reported without shrinking. */
const asIs = { dtype: "float64", shrinkBudget: 0 } as const;

/** Starts an adapter that traces or compiles, which takes long on a busy machine. */
async function started(file: string, module: string, ...options: readonly string[]): Promise<ProcessEngine> {
  const command = pythonTestee(file, module);
  if (command === undefined) return expect.unreachable(`${module} is not installed`);
  const argv = [...command.argv, ...options] as const;
  const engine = await ProcessEngine.start({ ...command, argv }, { requestMilliseconds: 300_000 });
  if (!engine.ok) throw new Error(JSON.stringify(engine.error));
  return engine.value;
}

/** A loop computes places from its counter, and reads and writes there. */
const placed = program(({ input, state, for_, full, index }) => {
  const s = state("s", [2]);
  for_(2, (turn) => {
    const place = index(full({ shape: [], value: 1 }).subtract(turn));
    s.at(place).update("multiply", s.at(turn).read());
  });
  return [input("x", [2]).multiply(s)];
});

/** A loop's condition and an operand are the counter of the loop around. */
const counted = program(({ input, state, for_, if_ }) => {
  const s = state("s", [2]);
  const x = input("x", [2]);
  for_(3, (turn) => if_(turn, () => s.update("add", x.multiply(turn))));
  return [s];
});

/** A procedure calls itself so often as its argument, which only a run knows, says. */
function recursive(depth: number): Program {
  return program(({ input, state, procedure, call, if_, full }) => {
    const counter = { name: "n", kind: "value", shape: [] } as const;
    const fall = procedure(
      "fall",
      [counter, { name: "w", kind: "reference", shape: [2] }],
      (n, w) => {
        if_(n, () => {
          call({ name: "fall", results: [] }, n.subtract(1), w);
          if ("isReference" in w) w.update("multiply", n);
        });
        return [];
      },
      [],
    );
    const s = state("s", [2]);
    s.update("add", input("x", [2]));
    call(fall, full({ shape: [], value: depth }), s);
    return [s];
  });
}

/** A branch within a branch, and a derivative of a procedure with a branch, both pushed forward. */
const branched = program(({ input, state, procedure, derivative, if_, buffer }) => {
  const bent = procedure("bent", [{ name: "u", kind: "value", shape: [2] }], (u) => {
    const b = buffer(u);
    if_(u.sum({ axes: [0], keepdims: false }), () => b.update("multiply", u));
    return [b.read().multiply(u)];
  });
  const x = input("x", [2]);
  const s = state("s", [2]);
  const size = x.sum({ axes: [0], keepdims: false });
  if_(size, () => {
    s.update("multiply", x);
    if_(size.subtract(9), () => s.update("multiply", x));
  });
  return [s, derivative(bent, { mode: "vjp", of: 0, wrt: 0 }, x, x)];
});

const lacksTensorFlow = pythonTestee("tensorflow_adapter.py", "tensorflow") === undefined;

describe.skipIf(lacksTensorFlow)("TensorFlow under tf.function", () => {
  it.each([
    ["places that a loop computes", placed, "agrees"],
    ["conditions that are counters", counted, "agrees"],
    ["a procedure that calls itself", recursive(3), "agrees"],
    ["a procedure that calls itself deeper than it is written out", recursive(7), "unsupported"],
    ["branches within branches, and a derivative of one", branched, "agrees"],
  ] as const)("traces %s", async (_, asked, kind) => {
    await using engine = await started("tensorflow_adapter.py", "tensorflow", "--function");
    expect(await judgeProgram(engine, taskOf(asked), asIs)).toMatchObject({ kind });
  });

  it("answers random programs of what it promises", async () => {
    await using engine = await started("tensorflow_adapter.py", "tensorflow", "--function");
    const without: StatementKind[] = ["checkpoint", "draw", "receive", "send", "break", "return", "retain"];
    for (let index = 0; index < 3; index++) {
      const { kind } = await judgeProgram(engine, taskAt({ ...floatPrograms, without }, 2, index), asIs);
      expect([index, kind]).toEqual([index, expect.stringMatching(/agrees|undecided/)]);
    }
  });
});

/** A checkpoint asks the world, tells it, and draws nothing. */
const worldly = program(({ input, state, checkpoint, receive, send }) => {
  const s = state("s", [2]);
  const x = input("x", [2]);
  checkpoint(() => {
    const given = receive("in", [2]);
    send("out", given.multiply(x));
    s.update("multiply", given);
  });
  return [x.multiply(s)];
});

/** A derivative is taken within a checkpoint, which PyTorch does not do. */
const checkpointed = program(({ input, state, procedure, checkpoint, derivative }) => {
  const square = procedure("square", [{ name: "u", kind: "value", shape: [2] }], (u) => {
    if ("isReference" in u) throw new Error("a value is wanted");
    return [u.multiply(u)];
  });
  const x = input("x", [2]);
  state("unread", [2]);
  checkpoint(() => derivative(square, { mode: "vjp", of: 0, wrt: 0 }, x, x));
  return [x];
});

/** A function of one's own overwrites a location: its value is v², its derivative that of 3v²/2. */
const swelling = program(({ input, state, buffer, procedure, custom }) => {
  const swelled = procedure("swelled", [{ name: "v", kind: "reference", shape: [2] }], (v) => {
    if ("isReference" in v) v.update("multiply", v);
    return [];
  });
  const tripled = procedure("tripled", [{ name: "u", kind: "value", shape: [2] }], (u) => [
    u.multiply(u).multiply(1.5),
  ]);
  const b = buffer(input("x", [2]));
  state("unread", [2]);
  custom(swelled, tripled, b);
  return [b];
});

describe.skipIf(pythonTestee("pytorch_adapter.py", "torch") === undefined)("PyTorch", () => {
  it.each([
    ["locations", []],
    ["copies of them", ["--copies"]],
  ] as const)("whose operators read %s, overwrites locations by a function of one's own", async (_, options) => {
    await using engine = await started("pytorch_adapter.py", "torch", ...options);
    expect(await judgeProgram(engine, taskOf(swelling), asIs)).toEqual({ kind: "agrees" });
  });
});

describe.skipIf(pythonTestee("pytorch_adapter.py", "torch") === undefined)(
  "PyTorch under torch.compile",
  () => {
    it("asks and tells the world once in a checkpoint, though it calls the body again", async () => {
      await using engine = await started("pytorch_adapter.py", "torch", "--compile", "aot_eager", "--copies");
      expect(await judgeProgram(engine, taskOf(worldly), asIs)).toEqual({ kind: "agrees" });
    });

    it("has checkpoints after one that it declines, since it may hang hooks on saved tensors again", async () => {
      await using engine = await started("pytorch_adapter.py", "torch", "--compile", "aot_eager", "--copies");
      expect(await judgeProgram(engine, taskOf(checkpointed), asIs)).toMatchObject({ kind: "unsupported" });
      expect(await judgeProgram(engine, taskOf(worldly), asIs)).toEqual({ kind: "agrees" });
    });
  },
);
