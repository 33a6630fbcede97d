import fc from "fast-check";

/** A body as React's client encodes the arguments of a server action. */
export interface ActionBody {
  type: string;
  body: Buffer;
}

const BOUNDARY = "----fuzz7MA4YWxkTrZu0gW";

/** As `encodeReply` does it: JSON where it suffices, a form if an argument is one. */
export function encodeArguments(args: readonly unknown[]): ActionBody {
  const forms: [string, FormData][] = [];
  const root = args.map((value) => encodeValue(value, forms));
  const text = JSON.stringify(root);
  if (forms.length === 0) return { type: "text/plain;charset=UTF-8", body: Buffer.from(text) };
  const fields = forms.flatMap(([id, form]) =>
    [...form].map(([name, value]): [string, string] => [`_${id}_${name}`, String(value)]),
  );
  return encodeForm([...fields, ["0", text]]);
}

/** A form's fields in their multipart encoding. */
export function encodeForm(fields: readonly (readonly [name: string, value: string])[]): ActionBody {
  const parts = fields.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${value}\r\n`,
  );
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.from(`${parts.join("")}--${BOUNDARY}--\r\n`),
  };
}

function escapeName(name: string): string {
  return name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}

function encodeValue(value: unknown, forms: [string, FormData][]): unknown {
  if (value === undefined) return "$undefined";
  if (typeof value === "string") return value.startsWith("$") ? `$${value}` : value;
  if (value instanceof FormData) {
    const id = String(forms.length + 1);
    forms.push([id, value]);
    return `$K${id}`;
  }
  if (Array.isArray(value)) return value.map((one) => encodeValue(one, forms));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, encodeValue(one, forms)]));
  }
  return value;
}

/** References of the encoding, to existing and missing parts. */
const REFERENCES = [
  ..."$ $$ $0 $1 $1:a $1:__proto__:constructor $1:constructor:constructor $@0 $@1 $F0 $F1 $h1 $T $T1".split(
    " ",
  ),
  ..."$Q1 $W1 $B1 $K $K0 $Kzz $i1 $r1 $R1 $x1 $C1 $-0 $NaN $Infinity $-Infinity $undefined $S".split(" "),
  "$Sreact.element",
  "$D",
  "$D2026-99-99",
  "$n",
  "$nx",
  `$n${"9".repeat(5_000)}`,
  "$A1",
  "$O1",
  "$o1",
  "$U1",
  "$L1",
  "$l1",
  "$g1",
  "$m1",
  "$V1",
  "$M1",
  "$G1",
  "$P1",
  "$E(function(){})",
];

/** Bodies that React never sends. */
export const hostileBody: fc.Arbitrary<ActionBody> = fc.oneof(
  fc.constantFrom(...REFERENCES).map((reference) => text(JSON.stringify([reference]))),
  fc.constantFrom(...REFERENCES).map((reference) => text(JSON.stringify(reference))),
  fc.tuple(fc.constantFrom(...REFERENCES), fc.constantFrom(...REFERENCES)).map(([a, b]) =>
    encodeForm([
      ["1", JSON.stringify(b)],
      ["0", JSON.stringify([a])],
    ]),
  ),
  fc.constantFrom(...REFERENCES).map((a) =>
    encodeForm([
      ["1", JSON.stringify([a, a, a])],
      ["0", '["$1","$1"]'],
    ]),
  ),
  fc.constantFrom<ActionBody>(
    text(""),
    text("{"),
    text("null"),
    text("7"),
    text("{}"),
    text('"a"'),
    text("[".repeat(20_000)),
    text(`${"[".repeat(4_000)}${"]".repeat(4_000)}`),
    text(JSON.stringify(Array.from({ length: 2_000 }, () => null))),
    text('["$1","$2"]'),
    text('[{"then":"$1"}]'),
    text(`["${"x".repeat(200_000)}"]`),
    text(`["${"x".repeat(1_200_000)}"]`),
    { type: "application/json", body: Buffer.from("[]") },
    { type: "multipart/form-data", body: Buffer.from("x") },
    { type: "multipart/form-data; boundary=x", body: Buffer.from("--y\r\n") },
    { type: "multipart/form-data; boundary=x", body: Buffer.from("--x\r\n") },
    {
      type: "multipart/form-data; boundary=x",
      body: Buffer.from("--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--"),
    },
    {
      type: "multipart/form-data; boundary=x",
      body: Buffer.from('--x\r\nContent-Disposition: form-data; name="0"; filename="a"\r\n\r\n[]\r\n--x--'),
    },
    {
      type: "multipart/form-data; boundary=x",
      body: Buffer.from('--x\r\nContent-Disposition: form-data; name="0"\r\n\r\n[]\r\n'),
    },
    { type: "application/x-www-form-urlencoded", body: Buffer.from("0=[]&1=x") },
    { type: "text/plain", body: Buffer.from([0xff, 0xfe, 0]) },
    encodeForm([]),
    encodeForm([["0", ""]]),
    encodeForm([["0", "["]]),
    encodeForm([
      ["0", '["$1"]'],
      ["1", '"$0"'],
    ]),
    encodeForm([
      ["0", '["$1"]'],
      ["1", '["$1"]'],
    ]),
    encodeForm([
      ["0", '["$@1"]'],
      ["1", '"$@0"'],
    ]),
    encodeForm([["1", "[]"]]),
    encodeForm([
      ["__proto__", "1"],
      ["0", '["$K__proto__"]'],
    ]),
    encodeForm([["$ACTION_ID_x", ""]]),
    encodeForm([
      ["$ACTION_REF_1", ""],
      ["$ACTION_1:0", '{"id":"x","bound":"$@1"}'],
      ["$ACTION_1:1", "[]"],
    ]),
    encodeForm([
      ["$ACTION_REF_1", ""],
      ["$ACTION_1:0", "{"],
    ]),
    encodeForm([
      ["$ACTION_KEY", "x"],
      ["$ACTION_REF_", ""],
    ]),
    encodeForm(
      Array.from({ length: 3_000 }, (_, index): [string, string] => [`_1_f${index}`, "x"]).concat([
        ["0", '["$K1"]'],
      ]),
    ),
  ),
);

function text(body: string): ActionBody {
  return { type: "text/plain;charset=UTF-8", body: Buffer.from(body) };
}
