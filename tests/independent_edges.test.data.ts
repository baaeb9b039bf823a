import { type Program, program } from "../spec/index.ts";

const value = { kind: "value", shape: [2] } as const;
const reference = { kind: "reference", shape: [2] } as const;
const donated = { kind: "donated", shape: [2] } as const;

const transposed = { kind: "permute", axes: [1, 0] } as const;
const inARow = { kind: "reshape", shape: [6] } as const;

/** Each of these programs is about one sentence of SEMANTICS §10, in which no random one stands. */
export const edges: Readonly<Record<string, Program>> = {
  "a copy of what was detached is attached": program(({ input, buffer }) => {
    const x = input("x", [2, 3]);
    const copy = buffer(x).detached().view(transposed).view(inARow);
    copy.update("add", buffer(x).view(inARow));
    return [copy];
  }),
  "a view of what was detached is detached": program(({ input, buffer }) => {
    const whole = buffer(input("x", [2, 3]));
    whole.detached().view(inARow).update("multiply", whole.view(inARow));
    return [whole];
  }),
  "a diagonal stands where the axis stood that comes first in the shape": program(({ input, buffer }) => {
    const whole = buffer(input("x", [2, 3, 2]));
    const seen = whole.view({ kind: "diagonal", offset: -1, axes: [2, 0] });
    seen.update("multiply", seen);
    return [whole, seen];
  }),
  "a location is released twice": program(({ input, buffer }) => {
    const x = input("x", [2]);
    const whole = buffer(x);
    const entry = whole.at(0);
    whole.release();
    entry.release();
    return [x];
  }),
  "a view of a released location is read by no one": program(({ input, buffer }) => {
    const x = input("x", [2]);
    const whole = buffer(x);
    whole.release();
    whole.at(0);
    return [x];
  }),
  "a reshape copies a released location": program(({ input, buffer }) => {
    const x = input("x", [2, 3]);
    const whole = buffer(x);
    whole.release();
    whole.view(transposed).view(inARow);
    return [x];
  }),
  "a copy is passed before the location is donated": program(({ input, buffer, procedure, call }) => {
    const parameters = [
      { name: "u", ...value },
      { name: "v", ...donated },
    ];
    const given = procedure("given", parameters, (u, v) => [u.multiply(v)]);
    const whole = buffer(input("x", [2]));
    return call(given, whole, whole);
  }),
  "a persistent location is donated": program(({ input, state, procedure, call }) => {
    const given = procedure("given", [{ name: "v", ...donated }], (v) => [v]);
    return [input("x", [2]), ...call(given, state("s", [2]))];
  }),
  "what no_grad hands on is not computed by it": program(({ input, buffer, procedure, call, noGrad }) => {
    const x = input("x", [2]);
    const [ofValue, ofLocation] = [
      procedure("ofValue", [{ name: "u", ...value }], (u) => [u]),
      procedure("ofLocation", [{ name: "v", ...reference }], (v) => [v]),
    ];
    const [one, other] = [x.multiply(2), x.multiply(3)];
    const whole = buffer(x);
    noGrad(() => {
      for (const result of call(ofValue, whole)) one.becomes(result);
      for (const result of call(ofLocation, whole)) other.becomes(result);
    });
    return [one.multiply(x), other.multiply(x)];
  }),
  "a derivative draws, and a later draw is the next": program(({ input, procedure, derivative, draw }) => {
    const drawing = procedure("drawing", [{ name: "u", ...value }], (u) => [
      u.multiply(u).multiply(draw({ kind: "uniform" }, [2])),
    ]);
    const x = input("x", [2]);
    return [derivative(drawing, { mode: "vjp", of: 0, wrt: 0 }, x, x), draw({ kind: "uniform" }, [2])];
  }),
  "a derivative sends": program(({ input, procedure, derivative, send }) => {
    const sending = procedure("sending", [{ name: "u", ...value }], (u) => {
      send("out", u);
      return [u.multiply(u)];
    });
    const x = input("x", [2]);
    return [derivative(sending, { mode: "vjp", of: 0, wrt: 0 }, x, x)];
  }),
  "a derivative retains": program(({ input, procedure, derivative }) => {
    const retaining = procedure("retaining", [{ name: "u", ...value }], (u) => {
      const square = u.multiply(u);
      square.retain();
      return [square.multiply(u)];
    });
    const x = input("x", [2]);
    return [derivative(retaining, { mode: "jvp", of: 0, wrt: 0 }, x, x)];
  }),
  "no_grad hands on derivatives": program(({ input, buffer, procedure, derivative, derivedCall, noGrad }) => {
    const x = input("x", [2]);
    const square = procedure("square", [{ name: "u", ...value }], (u) => [u.multiply(u)]);
    const doubled = procedure("doubled", [{ name: "v", ...reference }], (v) => {
      if ("isReference" in v) v.update("multiply", v);
      return [];
    });
    const [one, other] = [x.multiply(2), x.multiply(3)];
    const whole = buffer(x);
    noGrad(() => {
      one.becomes(derivative(square, { mode: "vjp", of: 0, wrt: 0 }, x, x));
      for (const slope of derivedCall(doubled, { mode: "vjp", of: [0], wrt: [0], along: [x] }, whole))
        other.becomes(slope);
    });
    return [one.multiply(x), other.multiply(x), whole];
  }),
  "a derived call retains": program(({ input, procedure, derivedCall }) => {
    const retaining = procedure("retaining", [{ name: "u", ...value }], (u) => {
      const square = u.multiply(u);
      square.retain();
      return [square.multiply(u)];
    });
    const x = input("x", [2]);
    return derivedCall(retaining, { mode: "vjp", of: [0], wrt: [0], along: [x] }, x);
  }),
  "a derived call overwrites its own direction": program(({ input, buffer, procedure, derivedCall }) => {
    const squared = procedure("squared", [{ name: "v", ...reference }], (v) => {
      if ("isReference" in v) v.update("multiply", v);
      return [];
    });
    const whole = buffer(input("x", [2]));
    const how = { mode: "jvp", of: [0], wrt: [0], along: [whole] } as const;
    return [...derivedCall(squared, how, whole), whole];
  }),
  "a derived call gets a detached location": program(({ input, buffer, procedure, derivedCall }) => {
    const scaled = procedure(
      "scaled",
      [
        { name: "v", ...reference },
        { name: "u", ...value },
      ],
      (v, u) => [v.multiply(u)],
    );
    const x = input("x", [2]);
    const how = { mode: "vjp", of: [0], wrt: [0, 1], along: [x] } as const;
    return derivedCall(scaled, how, buffer(x).detached(), x);
  }),
  "a derived call is given a location for good": program(({ input, buffer, procedure, derivedCall }) => {
    const squared = procedure("squared", [{ name: "v", ...donated }], (v) => [v.multiply(v)]);
    const x = input("x", [2]);
    const whole = buffer(x);
    const derived = derivedCall(squared, { mode: "vjp", of: [0], wrt: [0], along: [whole] }, whole);
    return [...derived, x];
  }),
  "a location is read after a derived call got it for good": program(
    ({ input, buffer, procedure, derivedCall }) => {
      const squared = procedure("squared", [{ name: "v", ...donated }], (v) => [v.multiply(v)]);
      const x = input("x", [2]);
      const whole = buffer(x);
      return [...derivedCall(squared, { mode: "vjp", of: [0], wrt: [0], along: [x] }, whole), whole];
    },
  ),
  "a derived call is differentiated, and sends once": program(
    ({ input, buffer, procedure, derivedCall, send }) => {
      const telling = procedure("telling", [{ name: "v", ...reference }], (v) => {
        if ("isReference" in v) v.update("multiply", v);
        send("out", v);
        return [];
      });
      const around = procedure("around", [{ name: "v", ...reference }], (v) => {
        const how = { mode: "jvp", of: [0], wrt: [0], along: [v.multiply(v)] } as const;
        return derivedCall(telling, how, v);
      });
      const x = input("x", [2]);
      const whole = buffer(x);
      return [...derivedCall(around, { mode: "vjp", of: [1, 0], wrt: [0], along: [x, x] }, whole), whole];
    },
  ),
  "what two references see behind a derived call": program(({ input, buffer, procedure, derivedCall }) => {
    const parameters = [
      { name: "v", ...reference },
      { name: "w", ...reference },
    ];
    const squared = procedure("squared", parameters, (v, w) => {
      if ("isReference" in v) v.update("multiply", v);
      return [w.add(1)];
    });
    const x = input("x", [2]);
    const whole = buffer(x);
    const how = { mode: "vjp", of: [0, 1, 2], wrt: [1], along: [x, x.multiply(2), x.multiply(3)] } as const;
    return [...derivedCall(squared, how, whole, whole), whole];
  }),
  "a call is differentiated by what one sees twice": program(({ input, buffer, procedure, derivedCall }) => {
    const squared = procedure("squared", [{ name: "v", ...reference }], (v) => [v.multiply(v)]);
    const x = input("x", [2]);
    const twice = buffer(x)
      .at(0)
      .view({ kind: "broadcast", shape: [2] });
    return derivedCall(squared, { mode: "vjp", of: [0], wrt: [0], along: [x] }, twice);
  }),
  "what is drawn and what is detached are retained": program(({ input, draw }) => {
    const x = input("x", [2]);
    const [drawn, still] = [draw({ kind: "uniform" }, [2]), x.detach()];
    for (const one of [drawn, still, x]) one.retain();
    return [drawn.multiply(x), still.multiply(x)];
  }),
  "nothing is received": program(({ input, receive }) => [input("x", [2]), receive("in", [2])]),
  "a loop asks a location whether it goes on": program(({ input, buffer, full, while_ }) => {
    const x = input("x", [2]);
    const [left, product] = [buffer(full({ shape: [], value: 3 })), buffer(x)];
    while_(left, 3, () => {
      product.update("multiply", x);
      left.update("subtract", 1);
    });
    return [product];
  }),
  "an operand at a tie is chosen first": program(({ input }) => {
    const x = input("x", [2]);
    const twice = x.multiply(1);
    return [x.maximum(twice), twice.minimum(x), x.subtract(x).relu()];
  }),
};
