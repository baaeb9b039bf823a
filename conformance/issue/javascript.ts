import { answerIn } from "../../spec/contract/index.ts";
import { fail, ok, type Result } from "../../spec/shapes/index.ts";
import { type EagerLibrary, eagerEngine, jaxjsLibrary, tfjsLibrary } from "../testees/index.ts";
import type { IssueQuestion, RightNumbers, WrongAnswer } from "./question.ts";
import { Recorder } from "./recorder.ts";

/** Makes the script that asks TensorFlow.js. Fails: with a reason. */
export async function tfjsScript(question: IssueQuestion): Promise<Result<string, string>> {
  const tf = await import("@tensorflow/tfjs");
  await tf.setBackend("cpu");
  const recorder = new Recorder();
  const library = tfjsLibrary(recorder.named("tf", tf));
  const setting = 'await tf.setBackend("cpu");\n';
  return scriptOf(question, recorder, library, imported("tf", "@tensorflow/tfjs") + setting);
}

/** Makes the script that asks jax-js. Fails: with a reason. */
export async function jaxjsScript(question: IssueQuestion): Promise<Result<string, string>> {
  const jax = await import("@jax-js/jax");
  const recorder = new Recorder();
  const library = jaxjsLibrary(recorder.named("jax", jax), "");
  return scriptOf(question, recorder, library, imported("jax", "@jax-js/jax"));
}

function imported(name: string, packageName: string): string {
  const missing = "({ message }) => {\n  console.log(message);\n  process.exit(2);\n}";
  return `const ${name} = await import("${packageName}").catch(${missing});
process.on("uncaughtException", (error) => {
  console.log("the script fails:", String(error));
  process.exit(2);
});
`;
}

/** Puts the question to the library, and records the calls it makes as a script. */
async function scriptOf<T>(
  question: IssueQuestion,
  recorder: Recorder,
  { scope: _, ...library }: EagerLibrary<T>,
  beginning: string,
): Promise<Result<string, string>> {
  const { dtype, mode, wrong } = question;
  // Answers are kept as text because a tensor may be consumed by reading it.
  const answers: string[] = [];
  const { vjp, read, ownership } = library;
  const engine = eagerEngine<T>({
    ...library,
    // A script need not free any tensor.
    ...(ownership === undefined ? {} : { ownership: { ...ownership, release: () => {} } }),
    read: (tensor) => {
      if (mode === "evaluate" || mode === "jvp") answers.push(recorder.textOf(tensor));
      return recorder.aside(() => read(tensor));
    },
    ...(vjp === undefined
      ? {}
      : {
          vjp: (f, inputs, cotangents) => {
            const pulled = vjp(f, inputs, cotangents);
            // The outermost function answers last, so its answer replaces those before.
            if (!(pulled instanceof Promise))
              answers.splice(0, answers.length, ...pulled.map((one) => recorder.textOf(one)));
            return pulled;
          },
        }),
  });
  const loaded = await engine.load(question.case.graph, dtype);
  if (loaded.kind !== "result") return fail(loaded.kind === "unsupported" ? loaded.reason : loaded.message);
  const reply = await answerIn(loaded.value, mode, question.case);
  if (reply.kind === "unsupported") return fail(reply.reason);
  if (reply.kind !== "result" && wrong !== undefined) return fail(reply.message);
  const ending =
    wrong === undefined
      ? caught(recorder.text())
      : `${recorder.text()}\n\n${compared(answers[wrong.place] ?? "undefined", wrong)}`;
  return ok(`${heading(question)}${beginning}\n${ending}`);
}

/** Wraps a call, where the library should answer and throws instead. */
function caught(asked: string): string {
  return `try {
${asked.replace(/^(?=.)/gm, "  ")}
  console.log("the library answers");
} catch (error) {
  console.log("the library throws", String(error?.message ?? error));
  console.log("it should answer");
  process.exitCode = 1;
}
`;
}

/** Compares the answer with the number or the shape that is due. */
function compared(tensor: string, { truth, due }: WrongAnswer): string {
  const { answer, test, why } =
    due.kind === "number"
      ? {
          answer: `${tensor}.dataSync()[${due.element}]`,
          test: isRight(due.right),
          why: "// No other number is within the bound that a faithful computation keeps.\n",
        }
      : {
          answer: `JSON.stringify(${tensor}.shape)`,
          test: `answer === "${JSON.stringify(due.shape)}"`,
          why: "",
        };
  return `const answer = ${answer};
console.log("the library answers", answer);
console.log("the true value is  ", ${JSON.stringify(truth)});
${why}process.exitCode = ${test} ? 0 : 1;
`;
}

function isRight(right: RightNumbers): string {
  return right === "nan" ? "Number.isNaN(answer)" : `${right.low} <= answer && answer <= ${right.high}`;
}

function heading({ title, note }: IssueQuestion): string {
  const said = `${title}\n\n${note}\nExit code: 1 while that is so, 0 once it is mended, 2 where it cannot be asked.`;
  return `${said.replace(/^/gm, "// ").replace(/ +$/gm, "")}\nimport process from "node:process";\n\n`;
}
