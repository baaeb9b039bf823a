import { claimsNamespace } from "../run/admissible.ts";

/** What a file about an exact run imports, and one about an engine's. */
export function librariesOf(hasEngine: boolean): readonly string[] {
  return hasEngine ? ["Adjudge.Replay", "Adjudge.Rounding"] : ["Adjudge.Replay"];
}

/** A module of declarations in the namespace that the checker expects. */
export function leanModule(libraries: readonly string[], declarations: readonly string[]): string {
  return `module

${libraries.map((library) => `public import ${library}`).join("\n")}

@[expose] public noncomputable section

namespace ${claimsNamespace}

open Adjudge

${declarations.join("\n")}
end ${claimsNamespace}
`;
}
