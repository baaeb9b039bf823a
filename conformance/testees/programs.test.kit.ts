import type { Engine } from "../../engines/index.ts";
import type { ProgramTask } from "../../oracle/index.ts";
import {
  type Block,
  blocksOf,
  entryOf,
  type Mode,
  nodeId,
  type Program,
  program,
  type StatementKind,
} from "../../spec/index.ts";
import { tensor } from "./asking.test.kit.ts";

/** Removes statements of some kinds from a program, inner ones too. */
export function without(whole: Program, kinds: readonly StatementKind[]): Program {
  const within = (block: Block): Block =>
    block
      .filter((statement) => !kinds.includes(statement.do))
      .map((statement) => ({
        ...statement,
        ...Object.fromEntries(blocksOf(statement).map(([property, inner]) => [property, within(inner)])),
      }));
  const procedures = whole.procedures.map((procedure) => ({ ...procedure, body: within(procedure.body) }));
  return { ...whole, procedures };
}

/** Makes the engine offer only some of its modes. */
export function inModes(engine: Engine, modes: readonly Mode[]): Engine {
  const { programs } = engine;
  return {
    describe: () => ({ ...engine.describe(), modes }),
    load: (graph, dtype) => engine.load(graph, dtype),
    [Symbol.asyncDispose]: async () => {},
    ...(programs === undefined ? {} : { programs }),
  };
}

/** Makes a session of a program with a parameter x and a location of two elements, called once. */
export function taskOf(asked: Program): ProgramTask {
  return {
    case: {
      program: asked,
      point: {
        inputs: [tensor([0.5, 2]), tensor([1, 3])],
        environment: new Map(asked.environment.map(({ name }) => [name, tensor([2, 4])])),
      },
      generator: { key: [5, 6], drawn: 0 },
      received: new Map([["in", [tensor([7, 8])]]]),
      seeds: entryOf(asked).results.map((_, n) => ({ id: nodeId(n), cotangent: tensor([1, n]) })),
    },
    calls: [],
  };
}

/** This is `total += x; total *= u`, where u is drawn. */
export const counting: Program = program(({ input, state, draw }) => {
  const total = state("total", [2]);
  total.update("add", input("x", [2]));
  total.update("multiply", draw({ kind: "uniform" }, [2]));
  return [total];
});
