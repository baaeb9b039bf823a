export { issueQuestion } from "./issue.ts";
export { type Printer, printers } from "./printers.ts";
export type { IssueQuestion } from "./question.ts";
export { issueMarkdown, type ShownScript } from "./report.ts";
