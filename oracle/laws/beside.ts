import { graph } from "../../spec/builder/index.ts";
import { type Asked, answerIn, type Engine } from "../../spec/contract/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor, Mode } from "../../spec/wire/index.ts";
import type { Turns } from "./in_turn.ts";

/** This small program, of unusual shapes, is asked between two questions to a case. */
const program = graph(({ input }) => {
  const [x, y] = [input("x", [3]), input("y", [3])];
  x.multiply(y).add(x);
});

const vector = (...data: number[]): FlatTensor => ({ shape: [3], data: Float64Array.from(data) });

const asked: Asked = {
  point: { inputs: [vector(1, -2, 5), vector(7, 3, -4)], environment: new Map() },
  tangents: [vector(2, 9, -1), vector(-6, 1, 8)],
  seeds: [{ id: nodeId(3), cotangent: vector(-3, 4, 2) }],
};

/** The small program is loaded beside what an engine has loaded already. */
export interface Beside {
  /**
   * Asks it and unloads it, whatever is answered; both requests are sent at once. This changes what an engine
   * answers next if its programs share a buffer or it keeps the program last loaded.
   */
  askAndUnload(mode: Mode, turn: Turns): Promise<void>;
}

/** Loads the small program, if the engine has its operators and accepts it. */
export async function loadBeside(engine: Engine, dtype: DataType): Promise<Beside | undefined> {
  const { operators } = engine.describe();
  if (!program.nodes.every(({ op }) => operators.includes(op))) return undefined;
  const loaded = await engine.load(program, dtype);
  if (loaded.kind !== "result") return undefined;
  const beside = loaded.value;
  return {
    async askAndUnload(mode, turn) {
      await Promise.all([turn(() => answerIn(beside, mode, asked)), turn(() => beside.unload())]);
    },
  };
}
