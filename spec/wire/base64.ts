const alphabet = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const [PADDING = 0] = new TextEncoder().encode("=");

/** Writes bytes in base64, padded (RFC 4648), in Node as in a browser. Cost: linear. */
export function toBase64(bytes: Uint8Array): string {
  const digits = new Uint8Array(4 * Math.ceil(bytes.length / 3)).fill(PADDING);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const [first = 0, second = 0, third = 0] = [bytes[from], bytes[from + 1], bytes[from + 2]];
    const word = (first << 16) | (second << 8) | third;
    const given = Math.min(3, bytes.length - from);
    for (let place = 0; place <= given; place++)
      digits[to + place] = alphabet[(word >> (18 - 6 * place)) & 63] ?? 0;
  }
  return new TextDecoder().decode(digits);
}

/** Reads what {@link toBase64} writes, and nothing else: `undefined` for another spelling. Cost: linear. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  // The platform's reader passes over spaces, missing padding, and stray bits behind the last byte.
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  if (/[^AQgw]==$|[^AEIMQUYcgkosw048=]=$/.test(text.slice(-3))) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
