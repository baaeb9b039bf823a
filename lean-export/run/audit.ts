/** The axioms of Lean's own that a theorem here may rest on. */
export const allowedAxioms: ReadonlySet<string> = new Set(["propext", "Quot.sound", "Classical.choice"]);

/**
 * Returns the axioms that nothing here may rest on: `sorryAx` (something is unproved), `Lean.ofReduceBool`
 * and `Lean.trustCompiler` (compiled code was believed), and any that somebody has declared.
 */
export function forbiddenAxioms(axioms: readonly string[]): readonly string[] {
  return axioms.filter((name) => !allowedAxioms.has(name));
}

/** Returns words in a library's source that would bypass the kernel. Strings and comments are blank. */
export function libraryTricks(code: string): readonly string[] {
  const tricks =
    /\b(?:skipKernelTC|native_decide|nativeDecide|ofReduceBool|implemented_by|extern|unsafe|csimp|addDeclWithoutChecking)\b|\baxiom\b/g;
  return [...new Set(code.match(tricks))];
}
