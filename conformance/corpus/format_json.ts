/** Lines of a generated file stay within this width where they can. */
const WIDTH = 110;

/** Formats JSON: what fits a line stands on one, anything else takes a line an entry, indented by a space. */
export function formatJson(value: unknown, indent = 0): string {
  const flat = flatJson(value);
  if (indent + flat.length <= WIDTH || typeof value !== "object" || value === null) return flat;
  const inner = `\n${" ".repeat(indent + 1)}`;
  if (Array.isArray(value)) {
    return `[${value.map((entry) => `${inner}${formatJson(entry, indent + 1)}`).join(",")}\n${" ".repeat(indent)}]`;
  }
  const members = Object.entries(value).map(
    ([key, member]) => `${inner}${JSON.stringify(key)}: ${formatJson(member, indent + 1)}`,
  );
  return `{${members.join(",")}\n${" ".repeat(indent)}}`;
}

function flatJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${flatJson(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Formats an object with a line for each property and no other spaces, for large files seldom read. */
export function linePerProperty(value: object): string {
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}
