import { type Command, Option } from "commander";
import { formatterOf, type ReportFormat, reportFormats } from "../../conformance/index.ts";
import type { ExitCode } from "../exit.ts";
import { exitCodes } from "../exit.ts";
import { report } from "../options.ts";
import { readReport } from "../report_files.ts";
import type { Terminal } from "../terminal.ts";

const description = `Prints a report that judge has written (--report FILE.json) in another form: junit and sarif for CI systems, github for
annotations of a job, markdown for its page, html for a page of its own, badge as SVG, shields for shields.io to read.

Exit codes: 0 it was printed, 2 bad input.`;

/** `adjudge report FILE --as FORM`. */
export function reportCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("report")
    .summary("print a report in another form: JUnit, SARIF, Markdown, a page, a badge")
    .description(description)
    .argument("<file>", "a report (adjudge.report.v1); - for standard input")
    .addOption(new Option("--as <form>", "the form").choices(reportFormats).default("markdown"))
    .action(async (file: string, { as }: { readonly as: ReportFormat }) => {
      const read = await readReport(file);
      if (!read.ok) {
        report(terminal, read.error);
        return end(exitCodes.badInput);
      }
      const format = await formatterOf(as);
      terminal.out(format(read.value).trimEnd());
      end(exitCodes.agrees);
    });
}
