import type { TapeSystem } from "../system.ts";

/** A system with one fault. */
export interface TapeMutant {
  /** The name is unique. */
  readonly name: string;
  /** The system that has it. */
  readonly of: string;
  /** It says what is wrong, in a few words that follow "it". */
  readonly says: string;
  readonly system: TapeSystem;
}

/** Plants a fault of a system. */
export function planted(system: TapeSystem, name: string, says: string): TapeMutant {
  return { name: `${system.name}-${name}`, of: system.name, says, system };
}
