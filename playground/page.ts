import { packed, unpacked } from "./address.ts";
import type { Question } from "./answer.ts";
import { coloured, marked } from "./colours.ts";
import { make, part } from "./elements.ts";
import { Oracle, type Start } from "./oracle.ts";
import { showAnswer } from "./results.ts";
import type { Said } from "./worker.ts";

/** An example has a name and a text. */
interface Example {
  readonly name: string;
  readonly text: string;
}

const text = part("text", HTMLTextAreaElement);
const [example, dtype, mode, documentChoice] = ["example", "dtype", "mode", "document"].map((id) =>
  part(id, HTMLSelectElement),
);
const examples: readonly Example[] = JSON.parse(part("examples", HTMLScriptElement).text);

/** Waits so long for the next key before the address changes. */
const ADDRESS = 250;

const state: { timer?: ReturnType<typeof setTimeout>; address: string } = { address: "" };

function question(): Question {
  const precision = dtype?.value;
  return {
    text: text.value,
    document: Math.max(0, documentChoice?.selectedIndex ?? 0),
    dtype:
      precision === "float32" || precision === "float16" || precision === "bfloat16" ? precision : "float64",
    mode: mode?.value === "jvp" ? "jvp" : "vjp",
  };
}

const code: string = JSON.parse(part("worker", HTMLScriptElement).text);
const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));

/** Starts the code of the answers in a thread of the browser's. */
const start: Start = (hear) => {
  const worker = new Worker(address);
  worker.addEventListener("message", ({ data }: MessageEvent<Said | "ready">) => hear(data));
  worker.addEventListener("error", ({ message }) => hear({ failed: message }));
  return { post: (asked) => worker.postMessage(asked), end: () => worker.terminate() };
};

const oracle = new Oracle(start, (said, milliseconds) => {
  showAnswer(said, milliseconds, addLine, goTo);
  part("results", HTMLElement).setAttribute("aria-busy", `${oracle.isAsked}`);
  if ("failed" in said) return;
  part("marks", HTMLPreElement).replaceChildren(...marked(text.value, said.marks));
  scrolled();
});

/** Appends a line to the text, as somebody would who types it. */
function addLine(line: string): void {
  text.value = `${text.value.trimEnd()}\n${line}\n`;
  changed();
}

function goTo(start: number, end: number): void {
  text.focus();
  text.setSelectionRange(start, end);
}

/** Draws the text, asks about it, and changes the address once there is a pause. */
function changed(): void {
  const lines = text.value.split("\n").length;
  part("numbers", HTMLPreElement).textContent = Array.from({ length: lines }, (_, i) => `${i + 1}`).join(
    "\n",
  );
  part("colours", HTMLPreElement).replaceChildren(...coloured(text.value));
  part("marks", HTMLPreElement).replaceChildren();
  scrolled();
  part("results", HTMLElement).setAttribute("aria-busy", "true");
  oracle.ask(question());
  clearTimeout(state.timer);
  state.timer = setTimeout(() => void addressed(), ADDRESS);
}

/** The drawings behind the text stand where the text is scrolled to. */
function scrolled(): void {
  for (const id of ["colours", "marks", "numbers"]) {
    const layer = part(id, HTMLPreElement);
    layer.scrollTop = text.scrollTop;
    if (id !== "numbers") layer.scrollLeft = text.scrollLeft;
  }
}

async function addressed(): Promise<void> {
  const { text: written, document: place, dtype: precision, mode: way } = question();
  state.address = `#${await packed({ text: written, document: `${place}`, dtype: precision, mode: way })}`;
  history.replaceState(null, "", state.address);
}

async function share(): Promise<void> {
  await addressed();
  const button = part("share", HTMLButtonElement);
  const copied = await navigator.clipboard.writeText(location.href).then(
    () => true,
    () => false,
  );
  button.textContent = copied ? "Copied" : "The address bar has the link";
  setTimeout(() => {
    button.textContent = "Copy link";
  }, 2000);
}

/** Takes what the address says, or the first example. */
async function opened(): Promise<void> {
  if (location.hash !== "" && location.hash === state.address) return;
  const shared = await unpacked(location.hash);
  text.value = shared.text ?? examples[0]?.text ?? "";
  if (example !== undefined) example.selectedIndex = shared.text === undefined ? 1 : 0;
  for (const [select, value] of [
    [dtype, shared.dtype],
    [mode, shared.mode],
  ] as const)
    if (select !== undefined && [...select.options].some((option) => option.value === value))
      select.value = value ?? "";
  if (documentChoice !== undefined) {
    const place = Number(shared.document ?? 0);
    documentChoice.replaceChildren(
      ...Array.from({ length: place < 100 ? place + 1 : 1 }, () => make("option", {})),
    );
    documentChoice.selectedIndex = documentChoice.options.length - 1;
  }
  changed();
}

// On a phone the gradient is enough at first.
part("every", HTMLDetailsElement).open = matchMedia("(min-width: 40rem)").matches;
example?.append(
  make("option", { value: "" }, "your own"),
  ...examples.map(({ name }) => make("option", {}, name)),
);
example?.addEventListener("change", () => {
  const chosen = examples[example.selectedIndex - 1];
  if (chosen === undefined) return;
  text.value = chosen.text;
  text.scrollTop = 0;
  documentChoice?.replaceChildren();
  changed();
});
text.addEventListener("input", () => {
  if (example !== undefined) example.selectedIndex = 0;
  changed();
});
text.addEventListener("scroll", scrolled);
for (const select of [dtype, mode, documentChoice]) select?.addEventListener("change", changed);
part("share", HTMLButtonElement).addEventListener("click", () => void share());
addEventListener("hashchange", () => void opened());
void opened();
