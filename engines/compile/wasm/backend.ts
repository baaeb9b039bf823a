import { at } from "../../../spec/shapes/index.ts";
import type { Backend, Executable, Numbers, Order } from "../plan/index.ts";
import { built, type Fault } from "./build.ts";
import { type Started, started } from "./startable.ts";
import { canHaveTeam } from "./team/team.ts";

/** An executable whose sources may be written in place; `run` copies only what does not lie there. */
export interface WasmExecutable extends Executable {
  /** The sources in memory, by number. */
  readonly inputs: readonly Numbers[];
  /** The index sources in memory, by number. */
  readonly indexInputs: readonly Uint32Array[];
}

/** A backend whose executables say where the sources lie. */
export interface WasmBackend extends Backend {
  build(order: Order): WasmExecutable;
}

/** Makes a WebAssembly module with its own memory for each program. A test may plant a fault. */
export function wasmBackend(fault: Fault = {}): WasmBackend {
  return { name: "wasm", build: (order) => executable(started(built(order, fault, canHaveTeam()))) };
}

function executable({ inputs, indexInputs, results, bytes, run }: Started): WasmExecutable {
  return {
    inputs,
    indexInputs,
    results,
    bytes,
    run(sources, indices) {
      for (const [position, input] of inputs.entries()) fill(input, at(sources, position));
      for (const [position, input] of indexInputs.entries()) fill(input, at(indices, position));
      run();
    },
  };
}

/** Copies numbers unless they lie there already. */
function fill<N extends Numbers | Uint32Array>(place: N, given: N): void {
  if (given !== place && (given.buffer !== place.buffer || given.byteOffset !== place.byteOffset)) {
    place.set(given);
  }
}
