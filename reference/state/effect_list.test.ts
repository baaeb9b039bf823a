import { describe, expect, test } from "vitest";
import { program } from "../../spec/index.ts";
import { sharingOf } from "./aliases.ts";
import { effectsIn } from "./effect_list.ts";

const busy = program(({ input, state, procedure, buffer, draw, receive, send, call, if_ }) => {
  const square = procedure("square", [{ name: "v", kind: "value", shape: [2] }], (v) => [v.multiply(v)]);
  const noisy = procedure("noisy", [{ name: "v", kind: "value", shape: [2] }], (v) => [
    v.add(draw({ kind: "uniform" }, [2])),
  ]);
  const outer = procedure("outer", [{ name: "v", kind: "value", shape: [2] }], (v) => call(noisy, v));
  const held = state("held", [2]);
  const x = input("x", [2]);
  const local = buffer(x);
  local.update("add", 1);
  held.at(0).update("add", 1);
  send("out", receive("in", [2]));
  const keyed = draw({ kind: "bernoulli", rate: 0.5 }, [2], [1, 2]);
  const total = x.sum({ axes: [0], keepdims: false });
  if_(total, () => {
    held.write(x);
  });
  return [...call(square, x), ...call(outer, x), keyed];
});

describe("the effects of a program", () => {
  test("are what draws, receives, sends, decides, and overwrites state, in its order", () => {
    const { effects } = effectsIn(busy);
    expect(effects.map(({ procedure, kind }) => `${procedure} ${kind}`)).toEqual([
      "main state",
      "main receive",
      "main send",
      "main key",
      "main decide",
      "main state",
      "noisy generator",
    ]);
  });

  test("make procedures open that call others with effects, and leave the rest isolated", () => {
    expect(effectsIn(busy).isolated).toEqual(["square"]);
  });

  test("are none of what overwrites a location of its own", () => {
    const quiet = program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      a.update("add", 1);
      return [a];
    });
    expect(effectsIn(quiet)).toEqual({ effects: [], isolated: ["main"] });
    expect(sharingOf(quiet).overwritings.map(({ statement }) => statement.do)).toEqual(["update"]);
  });

  test("are the places that numbers are, which have no derivative and isolate nobody less", () => {
    const placed = program(({ input, buffer, index }) => {
      const [a, k] = [buffer(input("x", [2])), input("k")];
      a.at(index(k)).update("add", 1);
      a.writeScatter(input("m", [2]), a);
      return [a];
    });
    const { effects, isolated } = effectsIn(placed);
    expect(effects.map(({ kind, statement }) => [kind, statement.do])).toEqual([
      ["place", "index"],
      ["place", "write_scatter"],
    ]);
    expect(isolated).toEqual(["main"]);
  });

  test("are what overwrites rows of state, or state under a mask, too", () => {
    const written = program(({ input, state }) => {
      const [held, x] = [state("held", [2]), input("x", [2])];
      held.writeRows([1, 1], x, "add");
      held.writeWhere(held, x);
      held.writeScatter(x, held, "multiply");
      return [held];
    });
    expect(effectsIn(written).effects.map(({ kind }) => kind)).toEqual(["state", "state", "state"]);
    const [rows, where, scatter] = sharingOf(written).overwritings;
    expect([rows, where, scatter].map((one) => one?.statement.do)).toEqual([
      "write_rows",
      "write_where",
      "write_scatter",
    ]);
    expect([rows, where, scatter].map((one) => one?.sources.length)).toEqual([0, 1, 1]);
  });
});
