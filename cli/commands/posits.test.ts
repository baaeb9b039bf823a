import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const square = "docs/examples/square.adj";
const run = (...rest: readonly string[]): ReturnType<typeof adjudge> => adjudge("run", square, ...rest);

describe("a graph is run over posits", () => {
  test("whose values are printed as codes and as decimals", async () => {
    const { code, out } = await run("-a", "posit16", "--input", "x=0.1", "--cotangent", "1=1");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("over posit16, dense form");
    expect(out).toContain("value      0x24cd=0.1");
    expect(out).toContain("cotangent  0x2ccd=0.2");
    expect(out).toContain("value      0x151f=0.01");
    const page = readFileSync(fileURLToPath(new URL("../../docs/posits.md", import.meta.url)), "utf8");
    expect(page).toContain(`\n${out}\n`);
  });

  test("of every width, given as codes, as numbers and as NaR", async () => {
    const value = async (algebra: string, x: string): Promise<string | undefined> =>
      /x \* x\n\s+value\s+(\S+)/.exec((await run("-a", algebra, "--input", `x=${x}`)).out)?.[1];
    expect(await value("posit8", "0x4c")).toBe("0x59=9");
    expect(await value("posit64", "-1/3")).toBe("0x2638e38e38e38e3a=0.1111111111111111112");
    expect(await value("posit3", "1")).toBe("0x2=1");
    expect(await value("posit32(quire)", "0x1.8p+0")).toBe("0x49000000=2.25");
    expect(await value("posit16", "NaR")).toBe("0x8000=NaR");
    expect(await value("dual(posit16)", "(3;1)")).toBe("(0x5900=9;0x5400=6)");
  });

  test("with bounded regimes, by either name, in a quire or not, and in a quire of 800 bits alone", async () => {
    for (const name of ["bposit16", "posit16r6e5", "bposit16(quire)", "posit16r6e5(quire)"]) {
      const { out } = await run("-a", name, "--input", "x=1e-20", "--cotangent", "1=1");
      expect(out).toContain(`over ${name.replace("posit16r6e5", "bposit16")}, dense form`);
      expect(out).toContain("value      0x03b1=1e-40");
    }
    const page = readFileSync(fileURLToPath(new URL("../../docs/posits.md", import.meta.url)), "utf8");
    const { out } = await run("-a", "bposit16", "--input", "x=1e-20", "--cotangent", "1=1");
    expect(page).toContain(`\n${out}\n`);
    const half = (await run("-a", "bquire16", "--input", "x=0.5")).notes;
    expect(half).toContain("multiply needs a semiring algebra, which bquire16 is not");
  });

  test("and the trace has the codes alone", async () => {
    const { out } = await run("-a", "posit16(quire)", "--input", "x=3", "--json");
    expect(JSON.parse(out)).toMatchObject({
      algebra: "posit16(quire)",
      values: [
        { shape: [], data: ["0x4c00"] },
        { shape: [], data: ["0x5900"] },
      ],
    });
  });
});

describe("it is said what is wrong, and what may be written", () => {
  const refused = async (...rest: readonly string[]): Promise<string> => {
    const { code, notes } = await run(...rest);
    expect(code).toBe(exitCodes.badInput);
    return notes;
  };

  test.each(["2", "65", "0", "999"])("of a width of %s", async (width) => {
    for (const name of [`posit${width}`, `posit${width}(quire)`, `quire${width}`, `dual(posit${width})`]) {
      const told = await refused("-a", name, "--input", "x=1");
      expect(told).toContain(`posit/width: there are no posits of ${Number(width)} bits`);
      expect(told).toContain("from 3 to 64");
    }
  });

  test("of a format whose regimes do not fit, or whose numbers are too large", async () => {
    for (const name of ["posit16r16e2", "posit16r0e2", "posit64r40e5", "dual(posit16r20e2)"])
      expect(await refused("-a", name, "--input", "x=1")).toContain("posit/format: there are no posits");
  });

  test.each(["0x10000", "0x400", "0x", "one", "1.2.3"])("of %s for a posit16", async (text) => {
    const told = await refused("-a", "posit16", "--input", `x=${text}`);
    expect(told).toContain(`run/number at /inputs/0: "${text}"`);
    expect(told).toContain("a code from 0x0000 to 0xffff");
  });

  test("of a misspelt name, and of a quire that should multiply", async () => {
    expect(await refused("-a", "psit16", "--input", "x=1")).toContain("did you mean posit16");
    expect(await refused("-a", "posit16(fast)", "--input", "x=1")).toContain("algebra/unknown");
    expect(await refused("-a", "quire16", "--input", "x=1")).toContain("algebra/missing at /nodes/0/op");
  });
});
