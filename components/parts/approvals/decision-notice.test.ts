import { describe, expect, test } from "vitest";
import { TIME } from "@/app/design/_components/approval-examples";
import { passkeyCancelled, unknownOutcome, unreachable } from "@/components/parts/approvals/decision-notice";
import { noticeOf } from "@/components/parts/approvals/not-decided";

describe("the notice after an attempt that did not decide", () => {
  test("someone else was first: names who, what and when, without an error", () => {
    const notice = noticeOf(
      { kind: "ALREADY_DECIDED", byName: "Jonas", decision: "APPROVED", at: "2026-11-20T16:25:00Z" },
      "APPROVE",
      TIME,
    );
    expect(notice).toMatchObject({ tone: "plain", text: "Jonas approved this at 11:25\u00a0AM." });
  });

  test("changes are listed line by line, with a note that nothing was decided", () => {
    const notice = noticeOf({ kind: "CHANGED", changes: ["One.", "Two."] }, "APPROVE", TIME);
    expect(notice.text).toContain("Nothing was decided");
    expect(notice.lines).toEqual(["One.", "Two."]);
  });

  test("a canceled passkey prompt is not an error, and a recovery code is offered", () => {
    expect(passkeyCancelled("APPROVE")).toMatchObject({
      tone: "plain",
      text: "Not approved. Your passkey was canceled.",
      offersRecoveryCode: true,
    });
    expect(passkeyCancelled("DENY").text).toBe("Not denied. Your passkey was canceled.");
  });

  test("a lost answer to a decision never claims that nothing moved", () => {
    expect(unknownOutcome().text).not.toContain("Nothing moved");
    expect(unknownOutcome().text).toContain("Checking whether");
  });

  test("a lost answer before deciding says that it is not approved", () => {
    expect(unreachable("APPROVE", new TypeError("Failed to fetch")).text).toMatch(/^Not approved\./);
  });

  test("an unexpected error carries the request to quote, and no claim that it was not decided", () => {
    const message = "Something broke. Request 7fq2-m81x.";
    const notice = noticeOf({ kind: "REFUSED", message, requestId: "7fq2-m81x" }, "DENY", TIME);
    expect(notice.text).toBe(message);
  });
});
