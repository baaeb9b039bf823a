import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatText, readText, treeOf } from "./index.ts";

const suites = join(import.meta.dirname, "../../conformance/suites");

/** Returns a text's tree without places, and without brackets that change nothing. */
function treeIn(text: string): unknown {
  const { lines, faults } = treeOf(text);
  expect(faults.all, text).toEqual([]);
  return JSON.parse(
    JSON.stringify(lines, (key, value: unknown) =>
      key === "place" || key === "isGrouped" ? undefined : value,
    ),
  );
}

function formatted(text: string): string {
  const result = formatText(text);
  if (result.ok) return result.value;
  throw new Error(`${JSON.stringify(result.error[0])} in\n${text}`);
}

function commentsIn(text: string): readonly string[] {
  return treeOf(text).comments.map(({ start, end }) => text.slice(start, end).trimEnd());
}

/** Expects the laws of a formatted text. */
function expectUniform(text: string): void {
  const once = formatted(text);
  expect(formatted(once), text).toBe(once);
  expect(treeIn(once), once).toEqual(treeIn(text));
  expect(commentsIn(once)).toEqual(commentsIn(text));
}

describe("a formatted text", () => {
  test("has one layout, whatever it had before", () => {
    const text = `# head
graph   g(x:[3] in 0..1   m,y in -1/2..1/2) given(i:index[2])   # trailing


  y=x*(3+ -x)**2 in m^(1/2)
    # below the line
  z = -(a**b)-(a-(b-c))
  f(vjp (x)=>{a=x ;x} at 1 along 2,
     # inside
     axis=[0 ,1])
  # the body's end

at x=full([0,3],1) y =[1 , # one
  2]
expect value y=[1|2,hull(0, 1), ?, 1..2 ,one_of(1), nan]
# about tapes
tapes a
   graph g(x)
        a=x*x
   record t of g once from %3,%4 hooks a,b at x=3,y=[1,2]
   sweep t from a=1 beside may refuse
          expect cotangent x=3
          # below
   release t`;
    expect(formatted(text)).toBe(`# head
graph g(x: [3] in 0..1 m, y in -1/2..1/2) given (i: index [2])  # trailing
  y = x * (3 + -x) ** 2 in m^(1/2)
  # below the line
  z = -a ** b - (a - (b - c))
  # inside
  f(vjp (x) => { a = x; x } at 1 along 2, axis=[0, 1])
  # the body's end

# one
at x = full([0, 3], 1), y = [1, 2]
expect value y = [1 | 2, hull(0, 1), ?, 1..2, one_of(1), nan]

# about tapes
tapes a
  graph g(x)
    a = x * x
  record t of g once from %3, %4 hooks a, b at x = 3, y = [1, 2]
  sweep t from a = 1 beside may refuse
    expect cotangent x = 3
    # below
  release t
`);
  });

  test.each([
    ["((a)) + (b * c)", "a + b * c"],
    ["(a + b) * c", "(a + b) * c"],
    ["(a + b) + c", "a + b + c"],
    ["a + (b + c)", "a + (b + c)"],
    ["a / (b * c)", "a / (b * c)"],
    ["(a < b) < c", "a < b < c"],
    ["(a ** b) ** c", "(a ** b) ** c"],
    ["a ** (b ** c)", "a ** b ** c"],
    ["a ** (-b)", "a ** -b"],
    ["-(a ** b)", "-a ** b"],
    ["(-a) ** b", "(-a) ** b"],
    ["-(-a)", "-(-a)"],
    ["-(a * b)", "-(a * b)"],
    ["(-a) * b", "-a * b"],
    ["a - (-3)", "a - -3"],
    ["f((a + b), (c))", "f(a + b, c)"],
    ["(vjp (u) => u at a) + b", "(vjp (u) => u at a) + b"],
    ["f((vjp (u) => u at a))", "f(vjp (u) => u at a)"],
    ["f((vjp (u) => u at a), b)", "f((vjp (u) => u at a), b)"],
    ["f((vjp (u) => u at a along c), b)", "f(vjp (u) => u at a along c, b)"],
    ["f((vjp (u) => u at a), axis=0)", "f((vjp (u) => u at a), axis=0)"],
    ["(vjp call g(a, (b)) of 0 by 1 along (c))", "vjp call g(a, b) of 0 by 1 along c"],
    ["(vjp call g(a)) * b", "(vjp call g(a)) * b"],
    ["y,d = call g((a)) vjp of 0 , b by v along (c),(d)", "y, d = call g(a) vjp of 0, b by v along c, d"],
    ["f((call g(a) jvp of 0 by v along c), b)", "f((call g(a) jvp of 0 by v along c), b)"],
    ["f((vjp call g(a) along (vjp (u) => u at a)), b)", "f((vjp call g(a) along vjp (u) => u at a), b)"],
    ["a[ : , (b) :, 1 : c : 2, ::2, (0)]", "a[:, b:, 1:c:2, ::2, 0]"],
    ["(a + b)[0]", "(a + b)[0]"],
    ["return (a):[2], (vjp (u) => u at a), b", "return a: [2], (vjp (u) => u at a), b"],
    ["state w:[3],v", "state w: [3], v"],
    ["(note) + a", "(note + a)"],
    ["f(a, max = 1)", "f(a, max = 1)"],
  ])("has the fewest brackets: %s is %s", (long, short) => {
    expect(formatted(`graph g\n  ${long}\n`)).toBe(`graph g()\n  ${short}\n`);
    expectUniform(`graph g\n  ${long}\n`);
  });

  test("has lines that are folded where a bracket allows it", () => {
    const name = "a_rather_long_name";
    const call = `f(${Array.from({ length: 12 }, (_, i) => `${name}_${i}`).join(", ")})`;
    const text = `graph g()\n  ${call} + ${call}\nlinks "${"a, ".repeat(50)}"\n`;
    const lines = formatted(text).split("\n");
    expect(lines.filter((line) => line.length > 100)).toEqual([`links "${"a, ".repeat(50)}"`]);
    expectUniform(text);
  });

  test("is the text itself for all vectors of the suites as they are written", () => {
    const texts = globSync("**/*.adj", { cwd: suites }).map((path) =>
      readFileSync(join(suites, path), "utf8"),
    );
    expect(texts.length).toBeGreaterThanOrEqual(20);
    for (const text of texts) expect(formatted(text)).toBe(text);
  });

  test("is what the page of texts shows, which is read", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/text.md"), "utf8");
    const shown = Array.from(page.matchAll(/^```\n(.*?)^```/gms), ([, text = ""]) => text);
    expect(shown.length).toBeGreaterThanOrEqual(5);
    for (const text of shown) {
      expect(readText(text).ok, text).toBe(true);
      expect(formatted(text)).toBe(text);
    }
  });

  test("denotes the documents that it denoted before", () => {
    for (const path of globSync("*.adj", { cwd: suites }).slice(0, 8)) {
      const text = readFileSync(join(suites, path), "utf8");
      const documents = (written: string): unknown => {
        const read = readText(written);
        return read.ok ? read.value.map(({ json }) => json) : read.error;
      };
      expect(documents(formatted(text.replaceAll(" = ", "=")))).toEqual(documents(text));
    }
  });
});

test("a text with mistakes keeps them, and is told where they are", () => {
  const result = formatText("graph g(x)\n  y = x *\n  z = ) x\n");
  const faults = result.ok ? [] : result.error;
  expect(faults.map(({ code, place }) => [code, place.start])).toEqual([
    ["text/syntax", 20],
    ["text/syntax", 27],
  ]);
});

describe("random texts", () => {
  /** Blanks, or a line break where a bracket is open, perhaps with a comment. */
  const gap = fc.constantFrom("", "", " ", "  ", "\n      ", " # within\n      ");
  const name = fc.constantFrom("a", "b", "λ", "%3", '"in"', '"a b"', "axis");
  const numeral = fc.constantFrom("0", "3", "2.5", "1e-7", "0x1.8p+1");
  const signs = ["+", "-", "*", "/", "@", "**", "<", "<=", "==", "!="];
  const datum = fc.letrec<{ datum: string; member: string }>((tie) => ({
    datum: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(
        "1",
        "-1/3",
        "+2.5",
        "inf",
        "-inf",
        "nan",
        "any",
        "?",
        "true",
        '"x y"',
        "0..1",
        "-2..-1",
      ),
      fc.array(tie("member"), { maxLength: 3 }).map((all) => `[${all.join(" ,")}]`),
      fc.array(tie("member"), { minLength: 2, maxLength: 3 }).map((all) => all.join("|")),
      fc.array(tie("datum"), { maxLength: 2 }).map((all) => `one_of(${all.join(",")})`),
      fc.constantFrom("hull(0, 1)", "full([0, 3], 1)"),
    ),
    member: tie("datum").filter((text) => !text.includes("|")),
  })).datum;

  const expression = fc.letrec<{ any: string; within: string; operand: string; derivative: string }>(
    (tie) => ({
      any: fc.oneof({ maxDepth: 4 }, tie("operand"), tie("within"), tie("derivative")),
      within: fc.oneof(
        { maxDepth: 4 },
        tie("operand"),
        fc
          .tuple(tie("operand"), fc.constantFrom(...signs), fc.boolean(), tie("operand"))
          .map(([left, sign, isNegative, right]) => `${left} ${sign} ${isNegative ? "-" : ""}${right}`),
        fc
          .tuple(
            tie("operand"),
            fc.constantFrom(...signs),
            tie("operand"),
            fc.constantFrom(...signs),
            tie("operand"),
          )
          .map((all) => `-${all.join(" ")}`),
      ),
      operand: fc.oneof(
        { maxDepth: 4 },
        name,
        numeral,
        fc.tuple(gap, tie("any"), gap).map(([before, inner, behind]) => `(${before}${inner}${behind})`),
        fc
          .tuple(fc.array(tie("within"), { maxLength: 2 }), fc.array(datum, { maxLength: 2 }), gap)
          .map(
            ([operands, data, between]) =>
              `f(${between}${[...operands, ...data.map((one, i) => `k${i} =${one}`)].join(`,${between}`)})`,
          ),
        fc.tuple(name, tie("within"), tie("within")).map(([of, start, end]) => `${of}[${start}:${end}, 0]`),
        fc.tuple(name, tie("within")).map(([of, end]) => `${of}[:, ${end}:, ::2]`),
        fc.tuple(name, datum).map(([of, given]) => `${of}.permute(${given})`),
      ),
      derivative: fc
        .tuple(fc.constantFrom("vjp", "jvp", "derivative"), tie("within"), tie("operand"), fc.boolean(), gap)
        .map(([mode, inner, at, isLong, between]) =>
          isLong
            ? `${mode} (u: [2], v)=>{${between}w=${inner};${between}w * u } of w by u at ${at}, a along b`
            : `${mode} (u) given(c) => ${inner} at ${at}`,
        ),
    }),
  ).any;

  const unit = fc.constantFrom(
    "",
    " in m",
    " in kg·m / s^2",
    ' in "%"',
    " in m along 0 [m, 1/s]",
    " in m^(1/2)",
  );
  const statement = fc.oneof(
    fc
      .tuple(fc.constantFrom("y", '"at"', "a, b", "y: [2,3]"), expression, unit)
      .map(([y, x, m]) => `${y}=${x}${m}`),
    expression,
    expression.map((value) => `return (${value}): [2,2], b`),
    fc.tuple(name, fc.constantFrom("+=", ":=", "<-", "max="), expression).map((all) => all.join(" ")),
  );
  const clause = fc.oneof(
    fc
      .array(datum, { minLength: 1, maxLength: 3 })
      .map((all) => `at ${all.map((one, i) => `x${i}=${one}`).join(" , ")}`),
    fc.constantFrom('note  "a # b"', "clause 3.2", "defects  A01,  B02", "unit knot=0.514 m/s", "seed none"),
  );
  const comment = fc.constantFrom(
    "",
    "",
    "  # behind",
    "\n# at the margin",
    "\n      # far in",
    "\n\n  # after a blank",
  );

  /** A text's lines, in blocks that are indented by one or more blanks. */
  const text = fc
    .array(
      fc.tuple(
        fc.array(fc.tuple(statement, comment, fc.integer({ min: 0, max: 2 })), { maxLength: 4 }),
        fc.array(fc.tuple(clause, comment), { maxLength: 2 }),
        fc.integer({ min: 1, max: 5 }),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((documents) =>
      documents
        .map(([lines, clauses, width]) => {
          const indent = " ".repeat(width);
          const body = lines.map(([line, behind, blank]) =>
            blank === 0
              ? `${indent}if a<b:\n${indent}${indent}${line}${behind}\n`
              : `${"\n".repeat(blank - 1)}${indent}${line}${behind}\n`,
          );
          return `program p(&x)\n${body.join("")}${clauses.map((all) => `${all.join("")}\n`).join("")}`;
        })
        .join(""),
    );

  test("have the same tree and comments when they are formatted, and stay as they are then", () => {
    let count = 0;
    fc.assert(
      fc.property(text, (drawn) => {
        // A continued line must be indented further than it began, which a random one may not be.
        fc.pre(treeOf(drawn).faults.all.length === 0);
        count += 1;
        expectUniform(drawn);
      }),
      { numRuns: 400, seed: 33 },
    );
    expect(count).toBeGreaterThan(300);
  });
});
