import type { StatementKind } from "../../../spec/programs/index.ts";

/** What random programs are made of. */
export interface ProgramProfile {
  readonly name: string;
  /** How many things are done, those within blocks too; a loop does them several times. */
  readonly actions: number;
  /** Whether rational numbers suffice. */
  readonly isExact: boolean;
  /** Statements that are left out: those of a known fault, behind which one searches on. */
  readonly without?: readonly StatementKind[];
}

/** Programs over any field. */
export const exactPrograms: ProgramProfile = { name: "exact", actions: 14, isExact: true };

/** Programs with elementary functions. */
export const floatPrograms: ProgramProfile = { name: "float", actions: 14, isExact: false };
