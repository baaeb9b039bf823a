import type { Engine } from "../../spec/contract/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { answerOf, type Hearing, type Law } from "../hearing/index.ts";
import { truthOf } from "../truth/index.ts";
import { standardOf } from "../truth/standard/index.ts";

/**
 * Applies one law to an engine's answers. No answer is compared with the truth, which only gives the bounds.
 * Every answer is asked for when the law wants it, as often as it does.
 */
export async function askLaw(
  engine: Engine,
  question: Case,
  dtype: DataType,
  law: Law,
): Promise<"agrees" | "differs" | "undecided"> {
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind !== "result") return "undecided";
  const program = loaded.value;
  try {
    const description = engine.describe();
    const { modes } = description;
    const standard = standardOf(description, dtype);
    const truth = truthOf(question, standard);
    const answer: Hearing["answer"] = (mode) => answerOf(program, mode, question);
    const handed = question;
    const { kind } = await law.check({ question, engine, program, standard, truth, handed, modes, answer });
    return kind === "agrees" || kind === "differs" ? kind : "undecided";
  } finally {
    await program.unload();
  }
}
