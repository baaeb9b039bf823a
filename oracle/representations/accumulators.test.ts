import { expect, test } from "vitest";
import { present } from "../../spec/index.ts";
import { accumulatorOf } from "./accumulators.ts";
import { storageFormats } from "./storage_formats.ts";

/** Names what adds so many products of elements that are kept in these two formats. */
function adding(terms: number, left: string, right: string): string {
  const formats = [left, right].map((name) => present(storageFormats.get(name), name));
  return accumulatorOf(terms, formats);
}

test("products of posits are added in the wider of their quires, which are as wide as the format says", () => {
  expect(adding(9, "posit16", "posit16")).toBe("quire of 256 bits");
  expect(adding(9, "posit16", "posit32")).toBe("quire of 512 bits");
  expect(adding(9, "posit64", "posit8")).toBe("quire of 1024 bits");
  expect(adding(2 ** 31, "posit32", "posit32")).toBe("more than a quire of 512 bits");
});

test("those of b-posits are added in 800 bits, to the last of them", () => {
  for (const other of ["bposit16", "bposit32", "posit32"])
    expect(adding(9, "bposit16", other)).toBe("quire of 800 bits, to 2^-384");
  expect(adding(9, "bposit32", "posit64")).toBe("quire of 1024 bits");
});

test("what is no pair of posits has no quire", () => {
  expect(adding(9, "posit16", "float32")).toBe("float64");
  expect(adding(9, "sym8", "posit16")).toBe("float64");
  expect(adding(9, "sym8", "sym8")).toBe("int32");
});
