import { type CCompiler, cEngines, type Fault, findCompiler } from "../engines/compile/c_engine.ts";
import type { Engine, Regime } from "../engines/index.ts";
import type { DataType } from "../spec/index.ts";
import type { Case } from "./case/case.ts";

/** The machine's C compiler, or that in `CC`; `undefined` where there is none. */
export const compiler: CCompiler | undefined = findCompiler();

/** The engine in C is made with these. */
interface InC {
  readonly regime?: Regime;
  readonly fault?: Fault;
  readonly by?: CCompiler;
}

/** Makes the engine in C, with what the questions of these cases need compiled by few calls of a compiler. */
export async function engineInC(
  questions: readonly Case[],
  dtype: DataType,
  { regime = "fast", fault = {}, by = present() }: InC = {},
): Promise<Engine> {
  const { noting, answering } = cEngines(by, regime, fault);
  for (const { graph, point, tangents, seeds } of questions) {
    const loaded = await noting.load(graph, dtype);
    if (loaded.kind !== "result") continue;
    await loaded.value.evaluate(point);
    await loaded.value.jvp(point, tangents);
    await loaded.value.vjp(point, seeds);
    await loaded.value.backwardDense(point, seeds);
  }
  return answering;
}

function present(): CCompiler {
  if (compiler === undefined) throw new Error("there is no C compiler");
  return compiler;
}
