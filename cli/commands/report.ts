import { type Command, Option } from "commander";
import { formatterOf, type ReportFormat, reportFormats } from "../../conformance/report/formats/index.ts";
import type { Issue } from "../../spec/shapes/index.ts";
import { readDocument, readReport } from "../campaign/report_files.ts";
import { treeHere } from "../files/working_tree.ts";
import { collect, report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { locationOption } from "./telling_options.ts";

const description = `Prints a report of judge (--report FILE.json) in another form: junit and sarif for CI systems, github for
annotations of a job, markdown for its summary, html for a page, badge as SVG, shields for shields.io. A page has
a section for each file that --with names: what explain, lifetimes or lean check have printed with --json.

Exit codes: 0 printed, 2 bad input.`;

interface ReportFlags {
  readonly as: ReportFormat;
  readonly with: readonly string[];
  readonly sarifLocation?: string;
}

const onlyOnPages: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--with adds a section to a page, and another format is asked for.",
  hint: "add --as html, or leave --with out",
};

/** Adds `adjudge report FILE --as FORM`. */
export function reportCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("report")
    .summary("print a report in another form: JUnit, SARIF, Markdown, a page, a badge")
    .description(description)
    .argument("<file>", "a report (adjudge.report.v1); - for standard input")
    .addOption(new Option("--as <form>", "the form").choices(reportFormats).default("markdown"))
    .option(
      "--with <file>",
      "tell of this on the page too: JSON of explain, lifetimes or lean check; may be repeated",
      collect,
      [],
    )
    .addOption(locationOption())
    .action(async (file: string, { as, with: paths, sarifLocation }: ReportFlags) => {
      const read = await readReport(file);
      const documents = await Promise.all(paths.map(readDocument));
      const issues = [
        ...[read, ...documents].flatMap((part) => (part.ok ? [] : part.error)),
        ...(paths.length > 0 && as !== "html" ? [onlyOnPages] : []),
      ];
      if (!read.ok || issues.length > 0) {
        report(terminal, issues);
        return end(exitCodes.badInput);
      }
      const format = await formatterOf(as, {
        documents: documents.flatMap((document) => (document.ok ? [document.value] : [])),
        tree: treeHere(sarifLocation),
      });
      terminal.out(format(read.value).trimEnd());
      end(exitCodes.agrees);
    });
}
