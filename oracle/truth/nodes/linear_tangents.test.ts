import { expect, test } from "vitest";
import {
  type Graph,
  interpret,
  jvpCtx,
  type Rational,
  rational,
  rationalFromNumber,
  type Tensor,
} from "../../../reference/index.ts";
import type { PrimitiveNode } from "../../../spec/graph/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { expandCase, type PrimitiveCase } from "../../case/index.ts";
import { arrangingProfile, campaign, exactProfile } from "../../generate/index.ts";
import { liftEnvironment } from "./bounds.ts";
import { withLinearTangents } from "./linear_tangents.ts";

type Rationals = Graph<Rational>;

function meaningOf({ graph }: PrimitiveCase): Rationals {
  const meaning = interpret(graph, rational);
  if (!meaning.ok) throw new InvariantError("rational numbers offer what these graphs need");
  return meaning.value;
}

/** Writes the tangents of a case. */
function tangentsOf(question: PrimitiveCase, meaning: Rationals): string {
  const lift = ({ shape, data }: FlatTensor): Tensor<Rational> => ({
    shape,
    data: Array.from(data, rationalFromNumber),
  });
  const [x, along] = [question.point.inputs.map(lift), question.tangents.map(lift)];
  const tangents = jvpCtx(meaning, x, along, liftEnvironment(question, lift));
  return tangents.map(({ data }) => data.map(rational.format).join(" ")).join("; ");
}

const cases = [...campaign(arrangingProfile, 5, 150), ...campaign(exactProfile, 5, 150)].map(
  (question) => expandCase(question).question,
);

test("tangents of what moves and adds numbers are those over dual numbers", () => {
  for (const question of cases) {
    const meaning = meaningOf(question);
    expect(tangentsOf(question, withLinearTangents(question.graph, meaning))).toBe(
      tangentsOf(question, meaning),
    );
  }
});

test("this tells a node that is not linear, and one that detaches", () => {
  for (const op of ["multiply", "stop_gradient"] as const) {
    const wrong = cases.filter((question) => {
      const meaning = meaningOf(question);
      // Each such node is taken for one that moves numbers.
      const nodes = question.graph.nodes.map(
        (node): PrimitiveNode =>
          node.op === op ? { op: "reshape", attributes: { shape: [] }, parents: node.parents } : node,
      );
      const linear = withLinearTangents({ ...question.graph, nodes }, meaning);
      return tangentsOf(question, linear) !== tangentsOf(question, meaning);
    });
    expect(wrong.length).toBeGreaterThan(5);
  }
});
