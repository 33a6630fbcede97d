import fc from "fast-check";
import { mutations } from "@/lib/testing/api-proof/mutations";
import { hostileValue } from "@/lib/testing/api-proof/random-request";

/** Part of texts that become a tag if written into a page unescaped. */
export const TAG = "<x7fuzz";

/** Texts for any text field. */
const HOSTILE_TEXTS: readonly string[] = [
  "",
  " ",
  "\t",
  "\u0000",
  "a\u0000b",
  "\u0001\u0002\u001b[31m",
  "\r\nSet-Cookie: x=1",
  "\ud800",
  "a\udfffb",
  "\ufeff",
  "\u202egnp.exe",
  "\u2028\u2029",
  "e\u0301".repeat(300),
  "𝒳".repeat(2_000),
  "x".repeat(100_000),
  `"'>${TAG} onerror=alert(1)>`,
  `</script>${TAG}>`,
  `]]>--></textarea></title></style>${TAG}>`,
  "javascript:alert(1)",
  "'; drop table transfers; --",
  "' or '1'='1",
  "%' and 1=(select pg_sleep(9)) --",
  "%s%n%x",
  "{{7*7}}#{7*7}",
  "../../../../etc/passwd",
  "..\\..\\windows",
  "/dev/zero",
  "file:///etc/passwd",
  "=cmd|' /C calc'!A0",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "then",
  "$undefined",
  "$1",
  "$F1",
  "$@1",
  "$K1",
  "$Q1",
  "$L1",
  "null",
  "undefined",
  "NaN",
  "-0",
  "0",
  "-1",
  "1e400",
  "0x10",
  "1_000",
  "١٢٣",
  "9007199254740993",
  "99999999999999999999999999999999",
  "2026-02-30",
  "9999-12-31T23:59:59.999Z",
  "-271821-04-20T00:00:00.000Z",
  "+275760-09-13T00:00:00.001Z",
  "0000-00-00",
  "America/Nowhere",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "019A9C52-7A10-7C3E-8D21-5B7F0C4E9A11",
  "{019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11}",
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
);

const deep = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Values for any field of a JSON body. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileValue },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      -0,
      1.5,
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER + 1,
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      -(2 ** 63),
      2 ** 31,
      deep(60),
      deep(700),
      Array.from({ length: 3_000 }, () => 0),
      Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, index])),
      { toString: null },
      { length: -1 },
    ),
  },
);

/** As one segment of a path, escaped as far as HTTP requires. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  hostileText.map((text) => escapeSegment(text.slice(0, 2_000))),
  fc.constantFrom(
    "%2e%2e",
    "..",
    "%2f",
    "%5c",
    "%00",
    "%ff",
    "%c0%af",
    "%",
    "%zz",
    ";a=b",
    "a%20b",
    "%25",
    ".",
  ),
);

/** A lone surrogate has no escape; it goes out as any client would send it. */
function escapeSegment(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

export const mutation = mutations(hostileJson);
