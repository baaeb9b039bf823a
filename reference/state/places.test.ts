import { expect, test } from "vitest";
import { program } from "../../spec/index.ts";
import { bfloat16, float64 } from "../algebras/float.ts";
import type { Tensor } from "../tensor.ts";
import { execute, record, type Start } from "./execute.ts";
import { defaultLimits } from "./setting.ts";

test("a recording ends where its values have more elements than it may hold", () => {
  const size = 100;
  const written = program(({ input, buffer, for_ }) => {
    const a = buffer(input("x", [size]));
    for_(size, (i) => a.at(i).write(a.at(i).multiply(2)));
    return [a];
  });
  const x = { shape: [size], data: Array<number>(size).fill(3) };
  const start: Start<number> = {
    ...{ parameters: [x], state: [], environment: new Map(), world: new Map() },
    generator: { key: [1, 2], drawn: 0 },
  };
  // Each turn records the location, and it with the element behind it.
  const whole = size * (2 * size + 10);
  expect(record(float64, written, start, { ...defaultLimits, recorded: whole }).ok).toBe(true);
  const refused = record(float64, written, start, { ...defaultLimits, recorded: whole / 2 });
  expect(refused.ok ? undefined : refused.error[0]).toMatchObject({ code: "program/recording" });
  expect(execute(float64, written, start, { ...defaultLimits, recorded: 0 }).ok).toBe(true);
});

test("finds places in bfloat16 that are the number and no other, and counts none that it would round", () => {
  const placed = program(({ input, buffer, index }) => {
    const a = buffer(input("x", [400]));
    a.at(index(input("place"))).write(7);
    return [a];
  });
  const numbers = (...data: readonly number[]) => ({ shape: data.length === 1 ? [] : [data.length], data });
  const zeros = (size: number) => numbers(...Array<number>(size).fill(0));
  const startOf = (...parameters: readonly Tensor<number>[]): Start<number> => {
    const generator = { key: [1, 2] as const, drawn: 0 };
    return { parameters, state: [], environment: new Map(), generator, world: new Map() };
  };
  // 257 and 301 are no numbers of 8 bits: they are rounded to 256 and 300.
  for (const place of [255, 256, 258, 300]) {
    const ran = execute(bfloat16, placed, startOf(zeros(400), numbers(place)));
    expect(ran.ok && ran.value.results[0]?.data.indexOf(7)).toBe(place);
  }
  const filled = (size: number) => {
    const scattered = program(({ input, buffer }) => {
      const a = buffer(input("x", [size]));
      a.writeScatter(input("mask", [size]), input("row", [size]));
      return [a];
    });
    const row = numbers(...Array.from({ length: size }, (_, i) => i % 256));
    return execute(bfloat16, scattered, startOf(zeros(size), { ...row, data: row.data.map(() => 1) }, row));
  };
  const most = filled(256);
  expect(most.ok && most.value.results[0]?.data).toEqual(Array.from({ length: 256 }, (_, i) => i));
  for (const size of [257, 300]) {
    const refused = filled(size);
    expect(refused.ok ? undefined : refused.error[0]).toMatchObject({ code: "program/index" });
  }
});
