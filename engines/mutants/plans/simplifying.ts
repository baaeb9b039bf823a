import type { Expression } from "../../plan/expression.ts";
import type { LoopProgram } from "../../plan/program.ts";
import { withBodies } from "../../plan/rewrites/bodies.ts";
import { type Application, simplified } from "../../plan/rewrites/expressions.ts";
import { type Pass, rewritten } from "../../plan/rewrites/rewritten.ts";

/** A pass that applies `rule` to every application as well, before all that `sound` does. */
export function withRule(sound: Pass, rule: (application: Application) => Expression | undefined): Pass {
  return (program: LoopProgram) => {
    let fired = 0;
    const instructions = program.instructions.map((instruction) =>
      withBodies(instruction, (body) => {
        const expression = simplified(body.expression, (application) => {
          const simpler = rule(application);
          if (simpler !== undefined) fired += 1;
          return simpler;
        });
        return { ...body, expression };
      }),
    );
    const after = sound(rewritten(program, instructions, fired).program);
    return { program: after.program, fired: fired + after.fired };
  };
}
