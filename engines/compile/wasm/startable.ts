import { at, type Shape } from "../../../spec/shapes/index.ts";
import type { Numbers, Precision, RoutineInstruction } from "../plan/index.ts";
import { bindRoutine } from "../plan/routines/index.ts";
import { type HostFunction, importsNamed } from "./host.ts";
import { pagesFor, viewOf } from "./memory.ts";
import { alone, stagesOf } from "./team/stages.ts";
import { together } from "./team/team.ts";
import { type CompiledModule, webAssembly } from "./web_assembly.ts";

/** Elements in memory: the address of the first one, and their number. */
export interface Extent {
  readonly place: number;
  readonly size: number;
}

/** A routine that a module calls. */
interface PlacedRoutine {
  readonly instruction: RoutineInstruction;
  readonly operandShapes: readonly Shape[];
  readonly operands: readonly Extent[];
  readonly result: Extent;
}

/** A program ready to start: plain data and a module, which a message can carry to another thread. */
export interface Startable {
  readonly module: CompiledModule;
  readonly precision: Precision;
  /** Bytes of memory. */
  readonly size: number;
  /** Says whether threads may share the memory. */
  readonly isShared: boolean;
  /** The parts of each stage, which threads may compute at the same time; a stage follows the one before. */
  readonly stages: readonly number[];
  /** The bytes that must lie at the start of memory. */
  readonly table: Uint8Array;
  readonly sources: readonly Extent[];
  readonly indexSources: readonly Extent[];
  readonly results: readonly Extent[];
  readonly host: readonly HostFunction[];
  readonly routines: readonly PlacedRoutine[];
}

/** A program in its own memory. */
export interface Started {
  readonly inputs: readonly Numbers[];
  readonly indexInputs: readonly Uint32Array[];
  readonly results: readonly Numbers[];
  readonly bytes: number;
  /** Computes the results from the inputs. */
  run(): void;
}

/** Starts a program. */
export function started(program: Startable): Started {
  const { precision, size, isShared, routines, host } = program;
  const pages = pagesFor(size);
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages, shared: isShared });
  new Uint8Array(memory.buffer).set(program.table);
  const view = (extent: Extent): Numbers => viewOf(memory, extent.place, extent.size, precision);
  const indexInputs = program.indexSources.map(
    (extent) => new Uint32Array(memory.buffer, extent.place, extent.size),
  );
  const bound = routines.map(({ instruction, operandShapes, operands, result }) => {
    const routine = bindRoutine(instruction, operandShapes, precision);
    const views = operands.map(view);
    const out = view(result);
    return { bytes: routine.bytes, run: () => routine.run(views, out, indexInputs) };
  });
  const shared = { module: program.module, memory, host, parts: program.stages };
  const stages = stagesOf(shared, importsNamed(host), (number) => at(bound, number).run());
  return {
    inputs: program.sources.map(view),
    indexInputs,
    results: program.results.map(view),
    bytes: bound.reduce((sum, { bytes }) => sum + bytes, size),
    run: isShared ? together(shared, stages) : () => alone(stages),
  };
}
