import type { Engine } from "../../../spec/contract/index.ts";
import { interpreterEngine } from "../../interpreter/index.ts";
import type { MemoryParts } from "../../memory/index.ts";

/** The interpreter with one fault in how it runs programs: what a judge of programs must be able to tell from a right engine. */
export interface ProgramMutant {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  /** The entry in the catalogue of published defects it is modelled on; `""` for a fault anybody might make. */
  readonly source: string;
  /** A fresh engine with the fault. It says in its description that it is a mutant. */
  engine(): Engine;
}

/** A fault, and the parts in which it is planted. */
interface Row {
  readonly fault: string;
  readonly source?: string;
  readonly change: Partial<MemoryParts>;
}

/** The mutants of a family: a row for each, under its name. */
export function programMutantTable(rows: Readonly<Record<string, Row>>): readonly ProgramMutant[] {
  return Object.entries(rows).map(([name, { fault, source = "", change }]) => ({
    name,
    fault,
    source,
    engine: () => interpreterEngine(`mutant: ${name}`, {}, change),
  }));
}
