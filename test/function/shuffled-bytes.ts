// The bytes of a RunFunctionRequest with the entries of every protobuf map in another order, as Go writes them: those of
// the two states, of the context and the input, of answers, and the fields of every struct, however deep.

/** What a field of a message is: a message, or a map, whose entries have their value in field 2. */
type Fields = {readonly [number: number]: {readonly message: () => Fields; readonly isMap?: true}};

const value = (): Fields => ({5: {message: struct}, 6: {message: list}});
const entryOf = (message: () => Fields) => (): Fields => ({2: {message}});
const struct = (): Fields => ({1: {message: entryOf(value), isMap: true}});
const list = (): Fields => ({1: {message: value}});
const resource = (): Fields => ({1: {message: struct}, 2: {message: () => ({}), isMap: true}});
const state = (): Fields => ({1: {message: resource}, 2: {message: entryOf(resource), isMap: true}});
const resources = (): Fields => ({1: {message: resource}});
const request = (): Fields => ({
  2: {message: state},
  3: {message: state},
  4: {message: struct},
  5: {message: struct},
  6: {message: entryOf(resources), isMap: true},
  8: {message: entryOf(resources), isMap: true},
  9: {message: entryOf(() => ({1: {message: struct}})), isMap: true},
});

/** `random` gives a whole number below its argument. */
export function shuffledRequest(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  return Buffer.from(shuffled(Buffer.from(bytes), request(), random));
}

function shuffled(bytes: Buffer, fields: Fields, random: (below: number) => number): Buffer {
  const parts: {readonly number: number; readonly bytes: Buffer}[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const [tag, afterTag] = varint(bytes, at);
    const number = tag >>> 3;
    const [length, begin] = (tag & 7) === 2 ? varint(bytes, afterTag) : [0, afterTag];
    at = [varint(bytes, afterTag)[1], afterTag + 8, begin + length, 0, 0, afterTag + 4][tag & 7] ?? bytes.length;
    const field = fields[number];
    const content = bytes.subarray(begin, at);
    parts.push({
      number,
      bytes:
        field === undefined
          ? bytes.subarray(start, at)
          : Buffer.concat([bytes.subarray(start, begin), shuffled(content, field.message(), random)]),
    });
  }
  for (const number of new Set(parts.map((part) => part.number))) {
    if (!fields[number]?.isMap) continue;
    const places = parts.flatMap((part, index) => (part.number === number ? [index] : []));
    for (let last = places.length - 1; last > 0; last--) {
      const [a = 0, b = 0] = [places[last], places[random(last + 1)]];
      const [one, other] = [parts[a], parts[b]];
      if (one !== undefined && other !== undefined) [parts[a], parts[b]] = [other, one];
    }
  }
  return Buffer.concat(parts.map((part) => part.bytes));
}

function varint(bytes: Buffer, start: number): readonly [number, number] {
  let value = 0;
  for (let at = start; ; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return [value, at + 1];
  }
}
