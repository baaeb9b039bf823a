import { validateProgramReport } from "../../../spec/documents/index.ts";
import { InvariantError, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import type { DataType } from "../../../spec/wire/index.ts";
import type { KindCounts } from "../../terminal/exit.ts";

/** What engines that run programs answered; a told verdict is not that all agrees. */
export interface ProgramReportJson {
  readonly format: "adjudge.program-report.v1";
  readonly engines: readonly {
    readonly label: string;
    readonly name: string;
    readonly version: string;
    readonly dtype: DataType;
    readonly counts: KindCounts;
    readonly told: readonly {
      readonly kind: string;
      readonly place: number | string;
      readonly message?: string;
      readonly witness?: {
        readonly mode: string;
        readonly part: string;
        readonly answer: string;
        readonly expected: string;
        readonly bound: string;
        readonly blame: { readonly pointer: string; readonly sentence: string };
        readonly case: object;
      };
    }[];
  }[];
}

/** Checks a document to be a report of programs, by its schema. Fails: `schema/…`. */
export function checkProgramReport(json: unknown): Result<ProgramReportJson, Issue[]> {
  const report = validateProgramReport(json);
  if (!report.ok) return report;
  if (!isReport(report.value)) throw new InvariantError("the schema of reports of programs asks for engines");
  return ok(report.value);
}

/** The schema, which has been asked, demands all the properties of the type. */
function isReport(report: object): report is ProgramReportJson {
  return "engines" in report;
}
