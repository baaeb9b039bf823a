import { findings, suiteFiles } from "../../conformance/index.ts";
import type { SuiteCase } from "../../oracle/index.ts";
import { checkCaseText, InvariantError } from "../../spec/index.ts";

/** Every case of the suite by its path without the ending, in the precision it is meant for. */
export function suiteCases(): SuiteCase[] {
  const dtypes = new Map(findings.map(({ name, dtype }) => [`findings/${name}.json`, dtype]));
  return suiteFiles().map(({ path, text }) => {
    const checked = checkCaseText(text);
    if (!checked.ok) throw new InvariantError(`${path} is not a case`);
    return { name: path.replace(/\.json$/, ""), dtype: dtypes.get(path) ?? "float64", case: checked.value };
  });
}
