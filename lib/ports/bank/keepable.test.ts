import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { assertKeepable } from "@/lib/ports/bank/keepable";
import { Unreadable } from "@/lib/ports/bank/unread";

test("a deposit of more than a trillion dollars is unreadable: two such would leave no sum that can be read", () => {
  const now = new Date("2026-11-30T12:00:00Z");
  const deposit = (amountInCents: number) => () =>
    assertKeepable(
      {
        kind: "DEPOSITED",
        noticeReference: "transaction_1",
        organizationId: uuidv7(),
        occurredAt: now,
        depositReference: "transaction_1",
        accountId: uuidv7(),
        amountInCents,
        rail: "ACH",
        payerName: "Orbit Maps",
      },
      now,
    );
  expect(deposit(MAXIMUM_TRANSFER_IN_CENTS)).not.toThrow();
  for (const cents of [MAXIMUM_TRANSFER_IN_CENTS + 1, Number.MAX_SAFE_INTEGER, 0, -1, 1.5]) {
    expect(deposit(cents)).toThrow(Unreadable);
  }
});
