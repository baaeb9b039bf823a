import { claimsNamespace } from "../run/admissible.ts";

/** Returns a module of declarations in the namespace that the checker expects. */
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
