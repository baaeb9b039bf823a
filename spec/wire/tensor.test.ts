import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeTensor, encodeTensor, type FlatTensor, type TensorJson } from "./tensor.ts";

const view = new DataView(new ArrayBuffer(8));

const anyFloat64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((bits) => {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
});

const tensors: fc.Arbitrary<FlatTensor> = fc.array(fc.nat(3), { maxLength: 4 }).chain((shape) => {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return fc.record({
    shape: fc.constant(shape),
    data: fc.array(anyFloat64, { minLength: size, maxLength: size }).map((data) => Float64Array.from(data)),
  });
});

function codesOf(json: TensorJson): string[] {
  const decoded = decodeTensor(json, "/t");
  return decoded.ok ? [] : decoded.error.map(({ code, pointer }) => `${code} ${pointer}`);
}

type Encode = typeof encodeTensor;

function survivesWith(encode: Encode, form: "text" | "base64"): boolean {
  const law = fc.property(tensors, (tensor) => {
    const decoded = decodeTensor(JSON.parse(JSON.stringify(encode(tensor, form))), "");
    return (
      decoded.ok &&
      JSON.stringify(decoded.value.shape) === JSON.stringify(tensor.shape) &&
      tensor.data.every((x, i) => Object.is(x, decoded.value.data[i]))
    );
  });
  return !fc.check(law, { seed: 3, numRuns: 2_000 }).failed;
}

describe("encodeTensor and decodeTensor", () => {
  it.each(["text", "base64"] as const)("are inverse in %s form, through JSON", (form) => {
    expect(survivesWith(encodeTensor, form)).toBe(true);
  });

  it.each(["text", "base64"] as const)("would not be in %s form with the elements in reverse", (form) => {
    const reversed: Encode = ({ shape, data }, chosen) =>
      encodeTensor({ shape, data: data.toReversed() }, chosen);
    expect(survivesWith(reversed, form)).toBe(false);
  });

  it("writes base64 as little-endian float64, and every NaN with one bit pattern", () => {
    view.setBigUint64(0, 0xfff0_0000_0000_0001n);
    const tensor = { shape: [3], data: Float64Array.of(1, -0, view.getFloat64(0)) };
    expect(encodeTensor(tensor, "base64")).toEqual({
      shape: [3],
      base64: "AAAAAAAA8D8AAAAAAAAAgAAAAAAAAPh/",
    });
  });

  it("reads safe integers as JSON numbers and decimals as text", () => {
    const decoded = decodeTensor({ shape: [4], data: [2 ** 53 - 1, -3, "0.1", "1e3"] }, "");
    expect(decoded).toEqual({
      ok: true,
      value: { shape: [4], data: Float64Array.of(9007199254740991, -3, 0.1, 1000) },
    });
  });

  it.each<[string, TensorJson, string[]]>([
    ["a JSON number with a fraction", { shape: [1], data: [0.1] }, ["tensor/element /t/data/0"]],
    ["an unsafe integer", { shape: [1], data: [2 ** 53] }, ["tensor/element /t/data/0"]],
    ["text that is no number", { shape: [2], data: ["1", "1/3"] }, ["tensor/element /t/data/1"]],
    ["too few elements", { shape: [2], data: ["1"] }, ["tensor/length /t/data"]],
    ["too many elements", { shape: [0], data: ["1"] }, ["tensor/length /t/data"]],
    ["an extent below 0", { shape: [-1], data: [] }, ["shape/extent /t/shape"]],
    ["a size of 10¹²", { shape: [1e6, 1e6], data: [] }, ["shape/too-large /t/shape"]],
    ["base64 of too few bytes", { shape: [1], base64: "AAAA" }, ["tensor/length /t/base64"]],
    ["base64 without padding", { shape: [1], base64: "AAAAAAAA8D8" }, ["tensor/length /t/base64"]],
    ["the URL alphabet", { shape: [1], base64: "AAAAAAAA8_8=" }, ["tensor/base64 /t/base64"]],
    ["stray bits before the padding", { shape: [1], base64: "AAAAAAAA8D9=" }, ["tensor/base64 /t/base64"]],
    ["spaces in base64", { shape: [1], base64: "AAAA AAAA8D=" }, ["tensor/base64 /t/base64"]],
  ])("refuses %s", (_, json, codes) => expect(codesOf(json)).toEqual(codes));

  it("tells the writer of a rounded number what to write instead", () => {
    const decoded = decodeTensor({ shape: [], data: [0.1] }, "");
    expect(decoded.ok ? "" : decoded.error[0]?.hint).toBe('write "0.1" as a string');
  });

  it("stops after 100 bad elements of a million", () => {
    expect(codesOf({ shape: [1e6], data: new Array(1e6).fill("x") })).toHaveLength(100);
  });
});
