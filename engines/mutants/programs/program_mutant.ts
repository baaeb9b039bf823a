import type { Engine } from "../../../spec/contract/index.ts";
import { interpreterEngine } from "../../interpreter/index.ts";
import type { MemoryParts } from "../../memory/index.ts";

/** The interpreter with one fault in how it runs programs, which a judge must tell from a right engine. */
export interface ProgramMutant {
  readonly name: string;
  /** One sentence says what is wrong. */
  readonly fault: string;
  /** The published defect in the catalogue that it is modelled on; `""` for a fault anybody might make. */
  readonly source: string;
  /** Makes a fresh engine with the fault, whose description says that it is a mutant. */
  engine(): Engine;
}

/** A fault, and the parts in which it is planted. */
interface Row {
  readonly fault: string;
  readonly source?: string;
  readonly change: Partial<MemoryParts>;
}

/** Makes the mutants of a family, a row for each, under its name. */
export function programMutantTable(rows: Readonly<Record<string, Row>>): readonly ProgramMutant[] {
  return Object.entries(rows).map(([name, { fault, source = "", change }]) => ({
    name,
    fault,
    source,
    engine: () => interpreterEngine(`mutant: ${name}`, {}, change),
  }));
}
