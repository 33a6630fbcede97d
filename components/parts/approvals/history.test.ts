import { describe, expect, test } from "vitest";
import { WAITING } from "@/app/design/_components/approval-examples";
import { historySentence, list } from "@/components/parts/approvals/history";
import type { HistoryItemView } from "@/lib/views/approvals/build-history";

const at = "2026-11-20T13:40:00Z";
const email: Extract<HistoryItemView, { kind: "NOTIFIED" }> = {
  kind: "NOTIFIED",
  at,
  channel: "EMAIL",
  isReminder: false,
  recipients: ["Mara", "Jonas"],
  deliveredCount: 2,
  failedCount: 0,
};

describe("history in words", () => {
  test("a message names its recipients", () => {
    expect(historySentence(email, WAITING)).toEqual({
      title: "Email to Mara and Jonas",
      detail: "8:40\u00a0AM, both delivered",
    });
  });

  test("a failed message is not called delivered", () => {
    const { detail } = historySentence({ ...email, deliveredCount: 1, failedCount: 1 }, WAITING);
    expect(detail).toBe("8:40\u00a0AM, 1 could not be delivered");
  });

  test("a message without receipts is only called sent", () => {
    expect(historySentence({ ...email, deliveredCount: 0 }, WAITING).detail).toBe("8:40\u00a0AM, sent");
  });

  test("a decision names who decided and how it was confirmed", () => {
    const decided = { at, byName: "Jonas", method: "PASSWORD" } as const;
    expect(historySentence({ kind: "DENIED", byViewer: false, ...decided }, WAITING)).toEqual({
      title: "Denied by Jonas",
      detail: "Today, 8:40\u00a0AM, with a password",
    });
    expect(historySentence({ kind: "APPROVED", byViewer: true, ...decided }, WAITING).title).toBe(
      "Approved by you",
    );
  });

  test("a return shows the bank's code in words", () => {
    expect(historySentence({ kind: "RETURNED", at, code: "ACH_R10" }, WAITING).detail).toContain(
      "R10, not authorized",
    );
  });
});

test("names are joined as in a sentence", () => {
  expect(list([], "and")).toBe("");
  expect(list(["Mara"], "or")).toBe("Mara");
  expect(list(["Mara", "Jonas", "Ines"], "or")).toBe("Mara, Jonas or Ines");
});
