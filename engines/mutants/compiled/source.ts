/** Returns the address of the report that a mutant is named after. */
export function sourceOf(name: string): string {
  return `https://github.com/pytorch/pytorch/issues/${name.replace("issue_", "")}`;
}
