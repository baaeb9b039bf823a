import type { Engine } from "../../engines/index.ts";
import { type Block, blocksOf, type Mode, type Program, type StatementKind } from "../../spec/index.ts";

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
