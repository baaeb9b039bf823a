import type { StatementKind } from "../../../spec/programs/index.ts";

/** Random programs are made of these. */
export interface ProgramProfile {
  readonly name: string;
  /** A program does this many things, those within blocks too; a loop does them several times. */
  readonly actions: number;
  /** If true, rational numbers suffice. */
  readonly isExact: boolean;
  /** These statements are left out: those of a known fault, to search for others behind it. */
  readonly without?: readonly StatementKind[];
}

export const exactPrograms: ProgramProfile = { name: "exact", actions: 14, isExact: true };

export const floatPrograms: ProgramProfile = { name: "float", actions: 14, isExact: false };
