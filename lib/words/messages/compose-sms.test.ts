import { describe, expect, test } from "vitest";
import { composeSms, gsmLength, MAX_SMS_LENGTH } from "@/lib/words/messages/compose-sms";

describe("an SMS", () => {
  test("counts characters of the extension table twice and knows what GSM-7 lacks", () => {
    expect(gsmLength("abc $1.00?")).toBe(10);
    expect(gsmLength("a[b]~")).toBe(8);
    expect(gsmLength("a`b")).toBeNull();
    expect(gsmLength("\u2212")).toBeNull();
  });

  test("fills two segments and not one character more", () => {
    const sentence = "Waits.";
    const room = MAX_SMS_LENGTH - sentence.length - 1;
    const fitting = `https://a.example/${"x".repeat(room - "https://a.example/".length)}`;
    expect(composeSms(sentence, fitting)).toBe(`${sentence} ${fitting}`);
    expect(composeSms(sentence, `${fitting}x`)).toBe("Waits. Open Sluice to decide.");
  });

  test("writes an address with other letters in ASCII", () => {
    expect(composeSms("Waits.", "https://b\u00FCcher.example/")).toBe(
      "Waits. https://xn--bcher-kva.example/",
    );
  });

  test.each(["\u2212$5.00 waits.", "x".repeat(300)])(
    "of ours that does not fit is a fault: %j",
    (sentence) => {
      expect(() => composeSms(sentence, "https://a.example/")).toThrow(RangeError);
    },
  );
});
