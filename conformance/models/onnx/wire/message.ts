import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** Messages nest no deeper: each body of a condition or a loop takes three levels. */
const MAXIMUM_DEPTH = 40;

/** A file has at most so many messages, texts and numbers outside of raw data: each takes memory. */
const MAXIMUM_PARTS = 2 ** 20;

/** The reader stands within so many messages, and has read so many parts. */
interface Reading {
  readonly reader: BinaryReader;
  readonly depth: number;
  readonly counted: { parts: number };
}

/** Is thrown where bytes are no such message. */
class WireError extends Error {
  override readonly name = "WireError";
}

/** A kind of values on the wire. */
export interface Kind<T> {
  readonly wire: WireType;
  read(reading: Reading): T;
  write(writer: BinaryWriter, value: T): void;
}

/** An integer beyond 2⁵³ is read as the nearest float64; whoever computes with one refuses it. */
export const int64: Kind<number> = {
  wire: WireType.Varint,
  read: ({ reader }) => Number(reader.int64()),
  write: (writer, value) => void writer.int64(BigInt(value)),
};
export const float: Kind<number> = {
  wire: WireType.Bit32,
  read: ({ reader }) => reader.float(),
  write: (writer, value) => void writer.float(value),
};
export const double: Kind<number> = {
  wire: WireType.Bit64,
  read: ({ reader }) => reader.double(),
  write: (writer, value) => void writer.double(value),
};
export const bytes: Kind<Uint8Array> = {
  wire: WireType.LengthDelimited,
  read: ({ reader }) => reader.bytes(),
  write: (writer, value) => void writer.bytes(value),
};
export const string: Kind<string> = {
  wire: WireType.LengthDelimited,
  read: ({ reader }) => reader.string(),
  write: (writer, value) => void writer.string(value),
};

/** A field's value while its message is read. */
interface Slot<V> {
  take(reading: Reading, wire: WireType): void;
  value(): V;
}

/** A field of a message. */
export interface Field<V> {
  readonly number: number;
  slot(): Slot<V>;
  write(writer: BinaryWriter, value: V): void;
}

/** A message's fields by name. */
type Fields<T> = { readonly [K in keyof T]: Field<T[K]> };

function counting<T>(reading: Reading, kind: Kind<T>): T {
  reading.counted.parts++;
  if (reading.counted.parts > MAXIMUM_PARTS) throw new WireError(`it has over ${MAXIMUM_PARTS} parts`);
  return kind.read(reading);
}

function wrongType(number: number): WireError {
  return new WireError(`field ${number} has another type than ONNX gives it`);
}

/** A field of which the last value counts. `kind` is a function, since messages may stand in each other. */
export function one<T>(number: number, kind: () => Kind<T>): Field<T | undefined> {
  return {
    number,
    slot() {
      let last: T | undefined;
      return {
        take(reading, wire) {
          if (wire !== kind().wire) throw wrongType(number);
          last = counting(reading, kind());
        },
        value: () => last,
      };
    },
    write(writer, value) {
      if (value === undefined) return;
      writer.tag(number, kind().wire);
      kind().write(writer, value);
    },
  };
}

/** A field of a list, whose numbers may be packed. */
export function many<T>(number: number, kind: () => Kind<T>): Field<readonly T[]> {
  return {
    number,
    slot() {
      const all: T[] = [];
      return {
        take(reading, wire) {
          const { reader } = reading;
          if (wire === kind().wire) all.push(counting(reading, kind()));
          else if (wire === WireType.LengthDelimited) {
            const length = reader.uint32();
            const end = reader.pos + length;
            if (end > reader.len) throw new WireError("a list ends behind the file");
            while (reader.pos < end) all.push(counting(reading, kind()));
          } else throw wrongType(number);
        },
        value: () => all,
      };
    },
    write(writer, values) {
      for (const value of values) {
        writer.tag(number, kind().wire);
        kind().write(writer, value);
      }
    },
  };
}

/** Returns the kind of a message with these fields; fields that it does not name are skipped. */
export function message<T extends object>(fields: Fields<T>): Kind<T> {
  const named: readonly (readonly [string, Field<never>])[] = Object.entries(fields);
  return {
    wire: WireType.LengthDelimited,
    read(reading) {
      const within = {
        ...reading,
        reader: new BinaryReader(reading.reader.bytes()),
        depth: reading.depth + 1,
      };
      return readFields<T>(within, named);
    },
    write(writer, value) {
      writer.fork();
      writeFields(writer, value, fields);
      writer.join();
    },
  };
}

function readFields<T extends object>(
  reading: Reading,
  named: readonly (readonly [string, Field<unknown>])[],
): T {
  const { reader, depth } = reading;
  if (depth > MAXIMUM_DEPTH) throw new WireError(`messages are nested over ${MAXIMUM_DEPTH} deep`);
  const slots = named.map(([name, field]) => ({ name, number: field.number, slot: field.slot() }));
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const found = slots.find((slot) => slot.number === number);
    if (found === undefined) reader.skip(wire, number);
    else found.slot.take(reading, wire);
  }
  if (reader.pos > reader.len) throw new WireError("a number ends behind its message");
  return Object.assign({}, ...slots.map(({ name, slot }) => ({ [name]: slot.value() })));
}

function writeFields<T extends object>(writer: BinaryWriter, value: T, fields: Fields<T>): void {
  for (const name of keysOf(fields)) fields[name].write(writer, value[name]);
}

function keysOf<T extends object>(fields: T): (keyof T)[] {
  const names: (keyof T)[] = [];
  for (const name in fields) names.push(name);
  return names;
}

/** Reads a message that is the whole of some bytes; returns what is wrong where they are none. */
export function readMessage<T>(kind: Kind<T>, data: Uint8Array): T | { readonly wrong: string } {
  // A message within a message begins with its length, as this one does then.
  const whole = new BinaryWriter().bytes(data).finish();
  try {
    return kind.read({ reader: new BinaryReader(whole), depth: 0, counted: { parts: 0 } });
  } catch (thrown) {
    // The reader throws errors of its own, and RangeErrors where it comes to the end.
    if (thrown instanceof Error) return { wrong: thrown.message };
    throw thrown;
  }
}

/** Writes a message as the whole of a file. */
export function writeMessage<T>(kind: Kind<T>, value: T): Uint8Array {
  const writer = new BinaryWriter();
  kind.write(writer, value);
  const all = writer.finish();
  const reader = new BinaryReader(all);
  return reader.bytes();
}
