import { type Command, Option } from "commander";
import { checkAll, fail, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import { documentsIn, type GivenDocument, severalDocuments } from "../files/documents.ts";
import { writeText } from "../files/files.ts";
import { textOf } from "../given/given_text.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Form = "json" | "adj";

interface ConvertFlags {
  readonly to?: Form;
}

/** Adds `adjudge convert IN OUT`, which writes JSON as text, or text as JSON. */
export function convertCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("convert")
    .summary("write JSON as text, and text as JSON")
    .description(
      "Reads documents, and writes them in the form that the name of OUT ends in: .adj is text (docs/text.md), .json the\n" +
        "wire form. A file of JSON has one document: of several in a text name one, as in FILE.adj#name.",
    )
    .argument("<in>", "a file of a document, or - for standard input")
    .argument("<out>", "the file to write, or - for standard output")
    .addOption(new Option("--to <form>", "the form, whatever OUT is called").choices(["json", "adj"]))
    .action(async (from: string, to: string, flags: ConvertFlags) => {
      const text = await converted(from, flags.to ?? formOf(to));
      const told = text.ok ? await deliver(text.value, to, terminal) : text;
      if (!told.ok) report(terminal, told.error);
      end(told.ok ? exitCodes.agrees : exitCodes.badInput);
    });
}

function formOf(name: string): Form | undefined {
  return /\.(json|adj)$/.exec(name)?.[1] === "json" ? "json" : name.endsWith(".adj") ? "adj" : undefined;
}

async function deliver(text: string, to: string, terminal: Terminal): Promise<Result<void, Issue[]>> {
  if (to !== "-") return writeText(to, text);
  return ok(terminal.out(text.trimEnd()));
}

/** Reads a file's documents, and writes them in a form. Fails: as reading and checking do; `convert/…`. */
async function converted(from: string, form: Form | undefined): Promise<Result<string, Issue[]>> {
  if (form === undefined) return fail([noForm]);
  const documents = await documentsIn(from);
  if (!documents.ok) return documents;
  if (form === "json") {
    const [first, ...others] = documents.value;
    if (first === undefined || others.length > 0) return fail([severalDocuments(from, documents.value)]);
    return jsonOf(first);
  }
  const written = await Promise.all(documents.value.map((document) => textOf(document, "written")));
  const texts = checkAll(written, (text) => text);
  return texts.ok ? ok(texts.value.join("\n")) : texts;
}

/** Writes the JSON of a document; of a graph whose values have units, that of the units with the graph. */
function jsonOf({ json, beside: { units, ranges } = {}, place }: GivenDocument): Result<string, Issue[]> {
  const isGraph = typeof json === "object" && json !== null && "nodes" in json;
  if (ranges !== undefined || (units !== undefined && !isGraph)) return fail([lost(place)]);
  return ok(`${visibleJson(units === undefined ? json : { ...units, graph: json })}\n`);
}

const noForm: Issue = {
  code: "convert/form",
  pointer: "",
  message: "nothing says in which form to write.",
  hint: "end the name of OUT in .adj or .json, or add --to adj or --to json",
};

function lost(place: string): Issue {
  return {
    code: "convert/beside",
    pointer: "",
    message: `${place} has units or ranges, which are no part of its JSON.`,
    hint: "leave them out; explain reads them from the text",
  };
}
