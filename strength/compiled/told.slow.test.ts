import { expect, test } from "vitest";
import { mutantOf, reports, tellings } from "./reports.ts";

test("sixty of the seventy reports and more are told by random search or the suites", async () => {
  const found = [...(await tellings(reports, { cases: 8000, programs: 1000 })).values()];
  const isFound = ({ search, vector }: (typeof found)[number]): boolean =>
    search !== undefined || vector !== undefined;
  expect(found.map(({ name }) => name).toSorted()).toEqual(
    reports.flatMap((report) => (report.unsayable === undefined ? [mutantOf(report)] : [])).toSorted(),
  );
  expect(found.filter(isFound).length).toBeGreaterThanOrEqual(60);
}, 1_800_000);
