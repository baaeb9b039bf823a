import type { Engine, ProgramAnswer, ProgramReply } from "../../engines/index.ts";
import { entryOf } from "../../spec/index.ts";
import type { ProgramTask } from "./task.ts";
import { worldAskedOnce } from "./world.ts";

/**
 * Returns what an engine replies to the calls of a task, backwards and forwards: two engines that reply the
 * same need no judge.
 */
export async function replies(engine: Engine, task: ProgramTask): Promise<ProgramReply<ProgramAnswer>[]> {
  const { program, point, generator, seeds } = task.case;
  const received = worldAskedOnce(task.case) ?? task.case.received;
  const loaded = await engine.programs?.loadProgram(program, "float64");
  if (loaded?.kind !== "result") throw new Error("the engine loads every program");
  const count = entryOf(program).parameters.length;
  const session = { state: point.inputs.slice(count), generator };
  const { environment } = point;
  const first = { parameters: point.inputs.slice(0, count), received, environment, session };
  const later = task.calls.map((call) => ({ ...call, environment }));
  const found: ProgramReply<ProgramAnswer>[] = [];
  for (const call of [{ ...first, seeds }, ...later])
    found.push(await loaded.value.call({ ...call, mode: "vjp", tangents: [] }));
  found.push(await loaded.value.call({ ...first, mode: "jvp", tangents: task.tangents ?? [], seeds: [] }));
  await loaded.value.unload();
  return found;
}
