import { join } from "node:path";
import { API } from "typescript/unstable/sync";

/** Asks the compiler about one mutant after another, without writing a file. */
export interface TypeChecker extends Disposable {
  /** Returns the first error in a file if its text were this, or `undefined`. */
  readonly errorIn: (file: string, text: string) => string | undefined;
}

/**
 * Starts the compiler on the project of each file that it is asked about. What a file exports has its type
 * written down (`isolatedDeclarations`), so a mutant's error is in the mutated file.
 */
export function typeChecker(root: string): TypeChecker {
  const texts = new Map<string, string>();
  const api = new API({ cwd: root, fs: { readFile: (path) => texts.get(path) } });
  const errorIn = (file: string, text: string): string | undefined => {
    const path = join(root, file);
    const project = join(root, file.split("/")[0] ?? "", "tsconfig.json");
    texts.set(path, text);
    using snapshot = api.updateSnapshot({ openProjects: [project], fileChanges: { changed: [path] } });
    const program = snapshot.getProject(project)?.program;
    if (program?.getSourceFile(path) === undefined) throw new Error(`${project} does not have ${file}`);
    const [error] = [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)];
    texts.delete(path);
    return error?.text;
  };
  return { errorIn, [Symbol.dispose]: () => api.close() };
}
