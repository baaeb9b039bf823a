import { expect, it } from "vitest";
import { issuesWithin, pointerTo } from "./pointer.ts";

// The examples of RFC 6901, section 5.
it.each([
  ["foo", "/foo"],
  ["", "/"],
  ["a/b", "/a~1b"],
  ["m~n", "/m~0n"],
  ["~1", "/~01"],
  [" ", "/ "],
])("pointerTo escapes %j as RFC 6901 does", (name, pointer) => expect(pointerTo("", name)).toBe(pointer));

it("pointerTo goes on from where a pointer leads", () => {
  expect(pointerTo(pointerTo("/nodes", 3), "op")).toBe("/nodes/3/op");
});

it("issuesWithin moves every pointer, that of the whole part too", () => {
  const issue = { code: "a/b", message: "m", hint: "h" };
  const part = [
    { ...issue, pointer: "" },
    { ...issue, pointer: "/x" },
  ];
  expect(issuesWithin("/graph", part).map(({ pointer }) => pointer)).toEqual(["/graph", "/graph/x"]);
});
