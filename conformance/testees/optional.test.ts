import { spawnSync } from "node:child_process";
import process from "node:process";
import { describe, expect, it } from "vitest";

/** Runs a testee whose engine is made by importing `specifier`, for the package `@no/such-package`. */
function testeeThatImports(specifier: string): { readonly code: number | null; readonly stderr: string } {
  const program = `
    import { serveOptional } from ${JSON.stringify(new URL("optional.ts", import.meta.url).href)};
    await serveOptional(() => import(${JSON.stringify(specifier)}), "@no/such-package");`;
  const options = { input: "", encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], options);
  return { code: status, stderr };
}

describe("serveOptional", () => {
  it("says in one line what to install and exits with 1 where the package is missing", () => {
    const { code, stderr } = testeeThatImports("@no/such-package");
    expect(code).toBe(1);
    expect(stderr).toBe("@no/such-package is not installed. Install it with: npm install @no/such-package\n");
  });

  it("lets any other import failure through", () => {
    const { code, stderr } = testeeThatImports("@no/other-package");
    expect(code).toBe(1);
    expect(stderr).toContain("ERR_MODULE_NOT_FOUND");
    expect(stderr).not.toContain("Install it with");
  });
});
