import { expect, it } from "vitest";
import { searchTime } from "./search_time.ts";

it("closes once searches have taken what they may, and opens when they may take more", async () => {
  let [now, most] = [0, 10];
  const search = searchTime(
    () => now,
    () => most,
  );
  await search.during(async () => {
    now += 6;
    expect(search.isOpen()).toBe(true);
    now += 4;
    expect(search.isOpen()).toBe(false);
  });
  now += 100;
  expect(search.isOpen()).toBe(false);
  most = 11;
  expect(search.isOpen()).toBe(true);
  await expect(search.during(() => Promise.reject(new Error("out of memory")))).rejects.toThrow("memory");
  now += 100;
  expect(search.isOpen()).toBe(true);
});
