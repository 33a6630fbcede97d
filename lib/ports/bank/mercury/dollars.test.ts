import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { centsOf, dollarsOf, parseWithNumbersAsText } from "@/lib/ports/bank/mercury/dollars";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

describe("dollars", () => {
  test.each([
    ["0.29", 29],
    ["0.3", 30],
    ["1", 100],
    ["1.10000", 110],
    ["1e3", 100_000],
    ["1.5E+2", 15_000],
    ["25e-2", 25],
    ["1230e-1", 12_300],
    ["12345678901.23", 1_234_567_890_123],
    ["1000000000000", 100_000_000_000_000],
    ["-1250.50", -125_050],
    ["0", 0],
    ["-0.00", 0],
    ["0e9", 0],
  ])("%s is exactly %d cents", (text, cents) => {
    expect(centsOf(text)).toBe(cents);
  });

  test.each(["1.005", "1e-3", "0.001", "1000000000000.01", "-1000000000000.01", "1e30", "1e99", "1e100"])(
    "%s is refused: not whole cents, or too many",
    (text) => {
      expect(centsOf(text)).toBeNull();
    },
  );

  test.each(["", " 1", "01", ".5", "1.", "+1", "0x10", "NaN", "Infinity", "1,000.00", "1e", "１"])(
    "%j is not a number of JSON",
    (text) => {
      expect(centsOf(text)).toBeNull();
    },
  );

  test("every amount survives the way to Mercury and back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAXIMUM_TRANSFER_IN_CENTS }), (cents) => {
        expect(centsOf(dollarsOf(cents))).toBe(cents);
      }),
      { numRuns: proofSize(2_000, 200_000), seed: proofSeed },
    );
  });

  test("however an amount is written, it has the same cents or is refused", () => {
    const written = fc.tuple(fc.bigInt(0n, 10n ** 17n), fc.integer({ min: -30, max: 20 }));
    fc.assert(
      fc.property(written, ([digits, exponent]) => {
        const places = exponent + 2;
        const scale = 10n ** BigInt(Math.abs(places));
        const isWhole = places >= 0 || digits % scale === 0n;
        const cents = places >= 0 ? digits * scale : digits / scale;
        const isExact = isWhole && cents <= BigInt(MAXIMUM_TRANSFER_IN_CENTS);
        expect(centsOf(`${digits}e${exponent}`)).toBe(isExact ? Number(cents) : null);
      }),
      { numRuns: proofSize(2_000, 200_000), seed: proofSeed },
    );
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53])("%d cents are never written", (cents) => {
    expect(() => dollarsOf(cents)).toThrow(RangeError);
  });
});

describe("JSON with numbers as text", () => {
  test("keeps every digit that the bank wrote, and leaves strings alone", () => {
    const json = String.raw`{"a":0.10,"b":[-1.005,1e3],"c":"1.5 \" 2","d\\":12345678901.23,"e":null,"f":true}`;
    expect(parseWithNumbersAsText(json)).toEqual({
      a: "0.10",
      b: ["-1.005", "1e3"],
      c: '1.5 " 2',
      "d\\": "12345678901.23",
      e: null,
      f: true,
    });
  });

  test.each(["", "{", "{1:2}", "01", "1.2.3", "[1 2]", "nope"])("refuses %j, which is not JSON", (json) => {
    expect(() => parseWithNumbersAsText(json)).toThrow(SyntaxError);
  });

  test("agrees with the parser of JSON on everything but numbers", () => {
    const asText = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_key, inner) => (typeof inner === "number" ? String(inner) : inner));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseWithNumbersAsText(JSON.stringify(value))).toEqual(asText(value));
      }),
      { numRuns: proofSize(1_000, 50_000), seed: proofSeed },
    );
  });
});
