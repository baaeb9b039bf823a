import { expect, it } from "vitest";
import { operatorNames } from "../../spec/index.ts";
import type { HelloReply, Limits } from "../../spec/wire/index.ts";
import { limitIssues } from "./limit_issues.ts";

const hello: HelloReply = {
  ...{ id: 1, kind: "hello", protocol: 1, name: "e", version: "1", language: "C", links: [] },
  ...{ dtypes: ["float64"], operators: operatorNames, modes: ["evaluate"] },
};

const told = (limits: Limits): string[] =>
  limitIssues({ ...hello, limits }).map(({ pointer, message, hint }) => `${pointer}: ${message} (${hint})`);

it("takes limits that mean something", () => {
  const limits: Limits = {
    every: { ranks: { greatest: 4 }, extents: { least: 1 } },
    conv: { padding: { form: "symmetric", greatest: 3 }, groups: { among: [1] }, ranks: { greatest: 4 } },
    layer_norm: { axes: { form: "last" }, epsilon: { least: 1e-12, greatest: 1 } },
    sum: { axes: { form: "trailing" }, keepdims: { among: [true] } },
    var: { correction: { form: "integer", among: [0, 1] } },
    gelu: { approximate: { among: ["none"] } },
    pad: { interior: { among: [0] } },
    einsum: { equation: { among: ["ij,jk->ik"] } },
  };
  expect(told(limits)).toEqual([]);
});

it.each<readonly [limits: Limits, issue: RegExp]>([
  [{ sofmax: {} }, /^\/limits: .*none of the operators.*did you mean "softmax"/],
  [{ softmax: {} }, /^\/limits\/softmax: .*are empty/],
  [{ every: { axis: { least: 0 } } }, /^\/limits\/every: .*can be limited: ranks, extents/],
  [{ softmax: { axes: { form: "last" } } }, /^\/limits\/softmax: .*did you mean "axis"/],
  [{ take: { indices: { among: ["i"] } } }, /^\/limits\/take: .*none of the attributes/],
  [{ differentiate: { graph: { among: [1] } } }, /^\/limits\/differentiate: .*none of the attributes/],
  [
    { gelu: { approximate: { among: ["none", "erf"] } } },
    /approximate\/among\/1: .*never this.*none or tanh/,
  ],
  [{ conv: { groups: { among: ["one"] } } }, /groups\/among\/0: .*never this/],
  [{ conv: { groups: { among: [1.5] } } }, /groups\/among\/0: .*never this/],
  [{ conv: { strides: { least: 0.5 } } }, /strides\/least: .*is an integer/],
  [{ gelu: { approximate: { least: 1 } } }, /approximate\/least: .*no number.*among/],
  [{ sum: { keepdims: { greatest: 0 } } }, /keepdims\/greatest: .*no number/],
  [{ exp: { ranks: { least: 2, greatest: 1 } } }, /ranks: .*nothing is promised/],
  [{ exp: { extents: { least: 0.5 } } }, /extents\/least: .*is an integer/],
  [{ conv: { groups: { among: [1, 2], least: 3 } } }, /groups: no value of groups of conv is within/],
  [{ softmax: { axis: { form: "trailing" } } }, /axis\/form: .*has no form trailing.*for axes/],
  [{ conv: { strides: { form: "symmetric" } } }, /strides\/form: .*for padding/],
  [{ conv: { groups: { form: "integer" } } }, /groups\/form: .*for real numbers/],
  [{ exp: { ranks: { form: "last" } } }, /ranks\/form: .*for axis and axes/],
])("says what is wrong with %j", (limits, issue) => {
  expect(told(limits)).toEqual([expect.stringMatching(issue)]);
});
