import { expect, test } from "vitest";
import { isIdentity } from "./access.ts";

const lookup = { index: 0, offset: 0, strides: [0, 0, 1], scale: 1 };
const identity = { offset: 0, strides: [2, 9, 1], indirections: [] };

test("an access is an identity that goes through all elements from the first, whatever its strides along one index", () => {
  expect(isIdentity(identity, [3, 1, 2])).toBe(true);
  expect(isIdentity({ ...identity, offset: 1 }, [3, 1, 2])).toBe(false);
  expect(isIdentity({ ...identity, indirections: [lookup] }, [3, 1, 2])).toBe(false);
  expect(isIdentity({ ...identity, offset: 1, indirections: [lookup] }, [3, 1, 2])).toBe(false);
  expect(isIdentity(identity, [3, 2, 2])).toBe(false);
  expect(isIdentity({ ...identity, strides: [1, 9, 3] }, [3, 1, 2])).toBe(false);
});
