import type { DataType, Engine } from "../../engines/index.ts";
import type { Case } from "../case.ts";
import type { Law } from "../judge/ask.ts";
import { answerOf, type Hearing } from "../judge/hearing.ts";
import { standardOf, truthOf } from "../truth/index.ts";

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
