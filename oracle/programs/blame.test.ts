import { describe, expect, test } from "vitest";
import {
  type Engine,
  interpreterEngine,
  type LoadedProgram,
  type ProgramAnswer,
  type ProgramCall,
  programMutants,
} from "../../engines/index.ts";
import {
  type Block,
  entryOf,
  type FlatTensor,
  nodeId,
  type Program,
  type ProgramBuilder,
  type ProgramOperand,
  pointerOfStatement,
  present,
  program,
  type StatementKind,
  statementKinds,
  statementsOf,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { different } from "./different.ts";
import { judgeProgram, type ProgramWitness } from "./judge.ts";
import type { ProgramTask } from "./task.ts";

type Written = (builder: ProgramBuilder) => readonly ProgramOperand[];

function taskOf(write: Written, inputs: readonly (readonly number[])[]): ProgramTask {
  const written = program(write);
  const point = inputs.map((data) => ({ shape: [data.length], data: Float64Array.from(data) }));
  const seeds = entryOf(written).results.map(({ shape }, place) => ({
    id: nodeId(place),
    cotangent: { shape, data: new Float64Array(shape.reduce((x, y) => x * y, 1)).fill(1) },
  }));
  const generator = { key: [1, 2], drawn: 0 } as const;
  const received = new Map([["in", [{ shape: [2], data: Float64Array.of(3, 5) }]]]);
  const question = {
    program: written,
    point: { inputs: point, environment: new Map() },
    generator,
    received,
    seeds,
  };
  return { case: question, calls: [] };
}

/** A program with a statement of each kind, some within others. */
const everyKind = taskOf(
  (builder) => {
    const { input, buffer, draw, receive, send, for_, if_, while_, noGrad, checkpoint, procedure, call } =
      builder;
    const { index, full, break_, return_ } = builder;
    const square = procedure("square", [{ name: "v", kind: "value", shape: [2] }], (v) => [v.multiply(v)]);
    const doubling = procedure("doubling", [{ name: "w", kind: "reference", shape: [2] }], (w) => {
      if ("isReference" in w) w.update("add", w);
      return [];
    });
    const x = input("x", [2]);
    const b = buffer(x);
    const [squared] = call(square, x);
    const y = present(squared, "a result");
    y.retain();
    for_(2, (turn) => b.at(turn).update("multiply", 3));
    for_(2, () => break_());
    const third = buffer(x);
    third.writeRows([index(full({ shape: [], value: 1 })), 0], x, "add");
    third.writeWhere(x, b);
    third.writeScatter(x, b);
    if_(x.sum({ axes: [0], keepdims: false }), () => b.write(b.add(y)));
    b.writeRows([1], x.slice({ starts: [0], stops: [1], steps: [1] }));
    b.writeWhere(x, 0.5);
    b.at(builder.index(1)).update("add", x.sum({ axes: [0], keepdims: false }));
    const held = buffer(1);
    while_(held, 3, () => held.update("subtract", 1));
    noGrad(() => b.update("add", b.detached()));
    checkpoint(() => b.update("multiply", draw({ kind: "uniform" }, [2])));
    y.becomes(y.add(receive("in", [2])));
    const [own] = builder.custom(square, square, x);
    y.becomes(y.add(builder.hook(present(own, "a result"), square)));
    send("out", y);
    builder.custom(doubling, square, third);
    y.becomes(builder.hook(y, square));
    const slope = builder.derivative(square, { mode: "vjp", of: 0, wrt: 0 }, x, y);
    const step = procedure("step", [{ name: "w", kind: "reference", shape: [2] }], (w) => {
      if ("isReference" in w) w.update("multiply", w);
      return [w.add(1)];
    });
    const how = { mode: "vjp", of: [0, 1], wrt: [0], along: [x, y] } as const;
    const [moved = x, gradient = x] = builder.derivedCall(step, how, third);
    b.update("add", moved.multiply(gradient));
    held.release();
    if_(1, () => return_(b, slope, third));
    return [b, slope, third];
  },
  [[1.5, -2]],
);

/** One fault, which shows in this. */
const faults = ["evaluate", "vjp", "jvp", "argument", "again"] as const;
type Fault = (typeof faults)[number];

const twice = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.map((x) => 2 * x) });

/** Makes the interpreter wrong about every program that has such a statement, and about no other. */
function wrongWherever(kind: StatementKind, fault: Fault): Engine {
  const sound = interpreterEngine();
  const programs = present(sound.programs, "an engine that runs programs");
  return {
    ...sound,
    describe: () => sound.describe(),
    load: (graph, dtype) => sound.load(graph, dtype),
    programs: {
      describePrograms: () => programs.describePrograms(),
      async loadProgram(source: Program, dtype) {
        const loaded = await programs.loadProgram(source, dtype);
        const isWrong = statementsOf(withoutIdleLoops(source)).some((statement) => statement.do === kind);
        if (loaded.kind !== "result" || !isWrong) return loaded;
        return { kind: "result", value: faulty(loaded.value, fault) };
      },
    },
    [Symbol.asyncDispose]: () => sound[Symbol.asyncDispose](),
  };
}

/** Returns the program without what no turn of a loop executes. */
function withoutIdleLoops(source: Program): Program {
  const within = (block: Block): Block =>
    block.map((one) => (one.do === "for" && one.times === 0 ? { ...one, body: [] } : one));
  const procedures = source.procedures.map((procedure) => ({ ...procedure, body: within(procedure.body) }));
  return { ...source, procedures };
}

function faulty(right: LoadedProgram, fault: Fault): LoadedProgram {
  let isSwept = false;
  const changed = (answer: ProgramAnswer, { mode, parameters }: ProgramCall): ProgramAnswer => {
    const { results, derivative } = answer;
    if (fault === "argument" && mode === "vjp") parameters[0]?.data.fill(7);
    const isWrong = fault === mode || (fault === "again" && isSwept && mode === "evaluate");
    isSwept ||= mode === "vjp";
    if (!isWrong) return answer;
    return {
      ...answer,
      results: mode === "evaluate" ? results.map(twice) : results,
      derivative: derivative.map(twice),
    };
  };
  return {
    async call(call) {
      const reply = await right.call(call);
      return reply.kind === "result" ? { ...reply, value: changed(reply.value, call) } : reply;
    },
    unload: () => right.unload(),
  };
}

async function witnessOf(engine: Engine, task: ProgramTask, shrinkBudget = 0): Promise<ProgramWitness> {
  const verdict = await judgeProgram(engine, task, { dtype: "float64", shrinkBudget });
  if (verdict.kind !== "disagrees") throw new Error(`it ${verdict.kind}: ${JSON.stringify(verdict)}`);
  return verdict.witness;
}

function mutantNamed(name: string): Engine {
  return present(
    programMutants.find((one) => one.name === name),
    "a mutant",
  ).engine();
}

/** Returns the kind of statement that is named. */
function named({ case: question, blame }: ProgramWitness): StatementKind | undefined {
  const { program: source } = question;
  return statementsOf(source).find((one) => pointerOfStatement(source, one) === blame.pointer)?.do;
}

const plantings = statementKinds.flatMap((kind) => faults.map((fault) => [kind, fault] as const));

describe("the statement to blame", () => {
  test("is looked for in a program that has all of them, which the interpreter runs rightly", async () => {
    expect(new Set(statementsOf(everyKind.case.program).map((one) => one.do))).toEqual(
      new Set(statementKinds),
    );
    expect(await judgeProgram(interpreterEngine(), everyKind, { dtype: "float64" })).toEqual({
      kind: "agrees",
    });
  });

  test.each(
    sampled("plantings", plantings, 14),
  )("is the first %s, where an engine is wrong about the %s of every program that has one", async (kind, fault) => {
    expect(named(await witnessOf(wrongWherever(kind, fault), everyKind))).toBe(kind);
  });

  test("is none of them if a program without statements is answered wrongly", async () => {
    const kept = taskOf(({ state }) => [state("kept", [2]).read()], [[1, 2]]);
    const { blame } = await witnessOf(mutantNamed("state_without_last_element"), kept);
    expect(blame).toEqual({
      pointer: "",
      sentence: "the program is answered wrongly without any of its statements too.",
    });
  });

  test("is none of them if the engine is wrong but once", async () => {
    let calls = 0;
    const sound = wrongWherever("let", "evaluate");
    const right = interpreterEngine();
    const once: Engine = {
      ...sound,
      load: (graph, dtype) => right.load(graph, dtype),
      programs: {
        ...present(sound.programs, "an engine that runs programs"),
        loadProgram: (source, dtype) => {
          calls += 1;
          return present((calls === 1 ? sound : right).programs, "one that runs programs").loadProgram(
            source,
            dtype,
          );
        },
      },
    };
    const { blame } = await witnessOf(once, everyKind);
    expect(blame.pointer).toBe("");
    expect(blame.sentence).toMatch(/^no beginning of the program is answered wrongly/);
  });

  test.each([
    ["no_grad_ignored", "no_grad"],
    ["checkpoint_is_constant", "checkpoint"],
    ["loop_one_turn_less", "for"],
    ["while_once_more", "while"],
    ["update_operands_swapped", "update"],
    ["differentiate_mode_swapped", "differentiate"],
  ] as const)("is around others where those are right without it: %s", async (name, kind) => {
    const task = taskOf(
      ({ input, buffer, procedure, call, checkpoint, noGrad, for_, while_, derivative }) => {
        const x = input("x", [2]);
        const cubed = procedure("cubed", [{ name: "v", kind: "value", shape: [2] }], (v) => {
          const w = buffer(v);
          for_(2, () => w.update("multiply", v));
          return [w];
        });
        const [y] = call(cubed, x);
        const b = buffer(present(y, "a result"));
        noGrad(() => b.write(b.multiply(x)));
        checkpoint(() => b.write(b.multiply(x)));
        const left = buffer(2);
        while_(left, 3, () => {
          b.write(b.multiply(x));
          left.write(left.subtract(1));
        });
        b.update("subtract", x);
        const square = procedure("swapped", [{ name: "v", kind: "value", shape: [2] }], (v) => [
          v.multiply(v.flip({ axes: [0] })),
        ]);
        return [b, derivative(square, { mode: "vjp", of: 0, wrt: 0 }, x, x)];
      },
      [[1.5, -2]],
    );
    expect(named(await witnessOf(mutantNamed(name), task))).toBe(kind);
  });

  test.each<[mutant: string, named: StatementKind, write: Written, inputs?: number[][]]>([
    // A procedure's references see one location, so that it is right where each has its own.
    [
      "same_view_watched",
      "update",
      ({ input, buffer, procedure, call, noGrad, checkpoint }) => {
        const x = input("x", [2]);
        const [b, other] = [buffer(x), buffer(x)];
        const raised = procedure("raised", [{ name: "w", kind: "reference", shape: [2] }], (w) => {
          if ("isReference" in w) w.update("add", 3);
          return [];
        });
        noGrad(() => other.update("add", 1));
        checkpoint(() => b.update("multiply", other));
        const y = b.at(0);
        const squared = y.multiply(y);
        call(raised, b);
        return [squared];
      },
    ],
    // A call whose derivative is said stands for others.
    [
      "last_element_not_written",
      "update",
      ({ input, buffer, procedure, custom }) => {
        const x = input("x", [2]);
        const parameter = { name: "v", kind: "value", shape: [2] } as const;
        const tripled = procedure("tripled", [parameter], (v) => {
          const b = buffer(v);
          b.update("multiply", 3);
          return [b];
        });
        const square = procedure("square", [parameter], (v) => [v.multiply(v)]);
        return custom(tripled, square, x);
      },
    ],
    // What was left behind shows in what comes after.
    [
      "no_grad_sticks",
      "no_grad",
      ({ input, buffer, noGrad }) => {
        const x = input("x", [2]);
        const b = buffer(x);
        noGrad(() => b.update("add", 1));
        return [b, buffer(x)];
      },
    ],
    // Under no_grad a masked update is written out too, so that what is kept from it is its detachment.
    [
      "detach_leaks_in_reverse",
      "no_grad",
      ({ input, buffer, noGrad }) => {
        const x = input("x", [2]);
        const [b, other] = [buffer(x), buffer(x)];
        noGrad(() => b.writeWhere(x, other, "multiply"));
        return [b];
      },
    ],
    [
      "branch_decided_again",
      "if",
      ({ input, buffer, if_ }) => {
        const x = input("x", [2]);
        const b = buffer(x);
        const first = b.at(0);
        const condition = buffer(x.sum({ axes: [0], keepdims: false }));
        if_(
          condition,
          () => first.update("multiply", first),
          () => first.update("multiply", 5),
        );
        condition.write(0);
        return [b];
      },
    ],
    [
      "break_ends_procedure",
      "break",
      ({ input, buffer, for_, break_ }) => {
        const b = buffer(input("x", [2]));
        for_(1, () => break_());
        b.update("multiply", 2);
        return [b];
      },
    ],
    [
      "break_ends_procedure",
      "break",
      ({ input, buffer, while_, break_ }) => {
        const b = buffer(input("x", [2]));
        while_(1, 4, () => break_());
        b.update("multiply", 2);
        return [b];
      },
    ],
    // The engine fails where it should read a name that it has not bound.
    [
      "break_ends_procedure",
      "break",
      ({ input, buffer, for_, break_ }) => {
        const x = input("x", [2]);
        const b = buffer(x);
        for_(1, () => break_());
        b.update("multiply", x.add(1));
        return [b];
      },
    ],
    // The loop is left, and is wrong by its count alone.
    [
      "loop_backwards",
      "for",
      ({ input, buffer, for_, break_ }) => {
        const b = buffer(input("x", [2]));
        for_(2, (turn) => {
          b.at(turn).update("multiply", 3);
          break_();
        });
        return [b];
      },
    ],
    [
      "break_ends_branch_alone",
      "break",
      ({ input, buffer, for_, if_, break_ }) => {
        const b = buffer(input("x", [2]));
        for_(2, (turn) => {
          b.at(turn).update("multiply", 3);
          if_(1, () => break_());
        });
        return [b];
      },
    ],
    // What a view sees shows where it sees one number only, as soon as the numbers differ.
    [
      "window_step_ignored",
      "view",
      ({ input, full, buffer }) => {
        const b = buffer(full({ shape: [6], value: 0.75 }));
        const windows = b.view({ kind: "unfold", axis: 0, size: 1, step: 2 });
        windows.update("multiply", input("x", [3]).reshape({ shape: [3, 1] }));
        return [b];
      },
      [[1.5, -2, 3]],
    ],
    // Other numbers would be another run: the index is 1 where the first element is small.
    [
      "counter_index_ignored",
      "view",
      ({ input, buffer, index, for_ }) => {
        const x = input("x", [3]);
        const isSmall = input("small", [1]).reshape({ shape: [] }).less(0.25);
        const b = buffer(x);
        for_(1, (turn) => b.at(index(isSmall.add(turn))).update("multiply", b.at(2)));
        return [b];
      },
      [[1, 1, 1], [0]],
    ],
  ])("is found where it is not the first to show: of %s it is the %s", async (name, kind, write, inputs = [
    [1.5, -2],
  ]) => {
    const witness = await witnessOf(mutantNamed(name), taskOf(write, inputs));
    expect(named(witness)).toBe(kind);
  });

  test("is none of them if its results are wrong together alone, and one if they have a source that is", async () => {
    const twoResults: Written = ({ input, buffer }) => {
      const x = input("x", [2]);
      return [buffer(x), x.multiply(3)];
    };
    const { case: question, ...rest } = taskOf(twoResults, [[1.5, -2]]);
    const seeds = question.seeds.map((seed, place) => ({
      ...seed,
      cotangent: different(seed.cotangent, place),
    }));
    const task = { ...rest, case: { ...question, seeds } };
    const { blame } = await witnessOf(mutantNamed("aliasing_results_share_seeds"), task);
    expect(blame.pointer).toBe("");
    expect(blame.sentence).toMatch(/^each result alone has right cotangents, and so has their sum/);
    expect(named(await witnessOf(mutantNamed("cotangent_replaced"), task))).toBe("buffer");
  });
});
