import { describe, expect, it } from "vitest";
import { KEPT_ANSWER_CHARACTERS } from "@/lib/contract/webhooks";
import { answerText } from "@/lib/ports/webhooks/create-webhook-sender";

describe("what a receiver answered, as it is kept", () => {
  it("shows nothing that hides, forges a line or turns the reading around", () => {
    expect(answerText("ok\u0000\u001b[31m\u202e0052$\u200b\u2028\ufeff")).toBe(
      "ok\uFFFD\uFFFD[31m\uFFFD0052$\uFFFD\uFFFD\uFFFD",
    );
  });

  it("keeps lines, letters of every script and emoji", () => {
    expect(answerText("überwiesen\r\n\tثبت\n👍🏽")).toBe("überwiesen\n ثبت\n👍🏽");
  });

  it("can be stored whatever bytes it was made of: no NUL and no half character is left", () => {
    expect(answerText(Buffer.from([0xff, 0x00, 0xc3, 0x28, 0xf0, 0x9f]))).toBe("\uFFFD\uFFFD\uFFFD(\uFFFD");
    const cut = answerText("a".repeat(KEPT_ANSWER_CHARACTERS - 1) + "👍".repeat(10));
    expect(cut).toHaveLength(KEPT_ANSWER_CHARACTERS);
    expect(cut.at(-1)).toBe("\uFFFD");
  });
});
