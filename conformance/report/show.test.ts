import { describe, expect, test } from "vitest";
import { caseOf, graph, nodeId, present, program } from "../../spec/index.ts";
import { programCaseText } from "../../spec/text/index.ts";
import { showId } from "./show.ts";
import { showProgramWitness } from "./show_program_witness.ts";

describe("an engine that answers about what is not there", () => {
  test("is told which id the graph lacks", () => {
    const question = caseOf(
      graph(({ input }) => input("x", []).exp()),
      { point: { x: [1] } },
    );
    const asked = question.ok ? question.value : expect.unreachable();
    expect(showId(asked, nodeId(1))).toBe("1 (exp)");
    expect(showId(asked, nodeId(9999))).toBe("9999 (no id of the graph)");
  });

  test.each([
    ["state", "how many contents of persistent locations came: 1 where 0 is right"],
    ["result", "how many results came: 1 where 0 is right"],
  ] as const)("is told how many of a list came, not the name of none: %s", (part, said) => {
    const witness = {
      mode: "evaluate",
      isLater: false,
      part,
      place: 0,
      element: 0,
      answer: "1",
      expected: "0",
      bound: "0x0p+0",
      blame: { pointer: "", sentence: "" },
      case: {
        program: program(({ input }) => [input("x", [])]),
        point: { inputs: [{ shape: [], data: Float64Array.of(1) }], environment: new Map() },
        generator: { key: [1, 2], drawn: 0 },
        received: new Map(),
        seeds: [],
      },
    } as const;
    const lines = showProgramWitness(witness, programCaseText);
    expect(present(lines[0], "a line")).toContain(said);
    expect(lines.join("\n")).not.toContain("undefined");
  });
});
