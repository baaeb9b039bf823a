import { expect, test } from "vitest";
import { exchangesOf, expectPrinted } from "./sessions.test.kit.ts";

const proofs = exchangesOf("docs/claims.md").filter(({ argv: [command] }) => command === "prove");

test("the page claims proofs", () => {
  expect(proofs.length).toBeGreaterThan(3);
});

test.each(proofs)("the claim is proved by $argv", async (exchange) => {
  await expectPrinted(exchange);
});
