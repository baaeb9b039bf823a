import {
  addTensors,
  type Context,
  type Environment,
  entry,
  type GraphData,
  interpret,
  map,
  mapEnvironment,
  pullBack,
  type Rational,
  rational,
  type Tensor,
  zeros,
  zip,
} from "../../reference/index.ts";
import { type FloatFormat, type Issue, ok, type PrimitiveGraph, type Result } from "../../spec/index.ts";
import { allowance, known, type RunningError, roundedUp, runningErrors } from "./running_error.ts";

/** What an engine computed, exactly: floats are fractions. */
export interface EngineNumbers {
  readonly environment: Environment<Rational>;
  readonly seeds: ReadonlyMap<number, Tensor<Rational>>;
  readonly values: Context<Rational>;
  readonly cotangents: Context<Rational>;
}

/** By id how far value and cotangent may be from the true ones. */
export interface Bounds {
  readonly values: Context<Rational>;
  readonly cotangents: Context<Rational>;
}

/**
 * The bounds that an engine keeps which rounds each operation correctly, in whatever order it adds: what the operands bring along,
 * and what is rounded here, from the numbers that the engine says it computed. Fails: as `interpret` does.
 */
export function boundsOf(
  program: PrimitiveGraph,
  format: FloatFormat,
  engine: EngineNumbers,
): Result<Bounds, Issue[]> {
  const interpreted = interpret(program, runningErrors(format));
  if (!interpreted.ok) return interpreted;
  const analysis: Analysis = {
    graph: interpreted.value,
    environment: mapEnvironment(engine.environment, exactly),
    engine,
    errors: runningErrors(format),
    bound: (x) => roundedUp(rational.additive.add(allowance(format, x), x.propagated)),
  };
  const values = valueBounds(analysis);
  return ok({ values, cotangents: cotangentBounds(analysis, values) });
}

interface Analysis {
  readonly graph: GraphData<RunningError>;
  readonly environment: Environment<RunningError>;
  readonly engine: EngineNumbers;
  readonly errors: ReturnType<typeof runningErrors>;
  readonly bound: (x: RunningError) => Rational;
}

/** A number that was given: there is no error in it. */
function exactly(x: Rational): RunningError {
  return known(x, rational.additive.zero);
}

function valueBounds({ graph, environment, engine, bound }: Analysis): Context<Rational> {
  const bounds = graph.inputs.map((shape) => zeros(rational.additive, shape));
  const context = bounds.map((own, id) => zip(entry(engine.values, id), own, known));
  for (const node of graph.nodes) {
    const own = map(node.forward(context, environment), bound);
    context.push(zip(entry(engine.values, context.length), own, known));
    bounds.push(own);
  }
  return bounds;
}

function cotangentBounds(
  { graph, environment, engine, errors, bound }: Analysis,
  values: Context<Rational>,
): Context<Rational> {
  const context = values.map((own, id) => zip(entry(engine.values, id), own, known));
  const sums: Tensor<RunningError>[] = values.map(({ shape }, id) => {
    const seed = engine.seeds.get(id);
    return seed === undefined ? zeros(errors.additive, shape) : map(seed, exactly);
  });
  const bounds = values.map(({ shape }) => zeros(rational.additive, shape));
  for (let id = context.length - 1; id >= 0; id--) {
    const own = map(entry(sums, id), bound);
    bounds[id] = own;
    const cotangent = zip(entry(engine.cotangents, id), own, known);
    for (const [parent, xBar] of pullBack(graph, context, environment, id, cotangent))
      sums[parent] = addTensors(errors.additive, entry(sums, parent), xBar);
  }
  return bounds;
}
