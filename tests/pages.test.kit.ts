const root = new URL("..", import.meta.url);

/** These doors of the package open a file that is no folder's index. */
const doors = new Map([
  ["compile", "engines/compile/browser.ts"],
  ["testing", "conformance/testing/index.ts"],
  ["text", "spec/text/index.ts"],
  ["reference", "reference/package.ts"],
]);

/** Returns the code of a page, as it runs in this checkout. */
export function resolved(code: string): string {
  return code.replace(/"adjudge\/([\w-]+)"/g, (_, room: string) =>
    JSON.stringify(new URL(doors.get(room) ?? `${room}/index.ts`, root)),
  );
}

/** Tells whether something is printed as a page shows it, which leaves lines out where `…` stands. */
export function isPrinted(out: string, shown: string): boolean {
  const parts = shown.split(/^…\n?/m).map((part) => part.replaceAll(/[^\w\s]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`).test(out);
}
