import type { DataType, Engine } from "../../engines/index.ts";
import { type FlatTensor, graph } from "../../spec/index.ts";

/** A small program of other shapes than most: what is asked between two questions to a case. */
const program = graph(({ input }) => {
  const [x, y] = [input("x", [3]), input("y", [3])];
  x.multiply(y).add(x);
});

const vector = (...data: number[]): FlatTensor => ({ shape: [3], data: Float64Array.from(data) });

/**
 * Loads a small fixed program beside what an engine has loaded, evaluates it and unloads it again, whatever it answers.
 * An engine whose programs share a buffer, or that keeps the program last loaded, is another one after that.
 */
export async function askBeside(engine: Engine, dtype: DataType): Promise<void> {
  const { operators } = engine.describe();
  if (!program.nodes.every(({ op }) => operators.includes(op))) return;
  const loaded = await engine.load(program, dtype);
  if (loaded.kind !== "result") return;
  await loaded.value.evaluate({ inputs: [vector(1, -2, 5), vector(7, 3, -4)], environment: new Map() });
  await loaded.value.unload();
}
