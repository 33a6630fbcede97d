import { describe, expect, test } from "vitest";
import {
  aboutAccount,
  aboutOwed,
  goalPercent,
  ownAccountWords,
  statementWords,
} from "@/app/accounts/_components/account-about";
import type { OwedAccountView } from "@/lib/views/accounts/read-accounts-page";

const time = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };
const visa: OwedAccountView = {
  id: "visa",
  href: "/accounts/visa",
  name: "Summit Visa",
  institutionName: "Summit",
  numberEnding: "5518",
  balanceInCents: 231_840,
  balanceAt: null,
  connectionHref: null,
  paidFromName: "Operating",
  statementInCents: 231_840,
  minimumInCents: 7_500,
  dueOn: "2026-11-25",
};

describe("accounts in words", () => {
  test("numbers show their last four digits only", () => {
    expect(aboutAccount({ institutionName: "First Harbor", numberEnding: "8820" })).toBe(
      "First Harbor, ••••8820",
    );
  });

  test("unknown facts are left out", () => {
    expect(aboutAccount({ institutionName: null, numberEnding: null })).toBeNull();
    expect(
      statementWords({ ...visa, statementInCents: null, minimumInCents: null, dueOn: null }, time),
    ).toBeNull();
    expect(statementWords({ ...visa, statementInCents: null }, time)).toBe("Minimum $75.00, due Nov\u00a025");
  });

  test("a pod says where its money is at the bank, what is on its way, and what was refused", () => {
    const there = { atBankInCents: 180_000, askedAt: time.nowAt, toMoveInCents: 0, isRefused: false };
    const words = (isOwn: boolean, changes: Partial<typeof there> | null) =>
      ownAccountWords({ isOwn, there: changes && { ...there, ...changes } }, time);
    expect(words(false, null)).toBe("Part of the shared account");
    expect(words(false, { atBankInCents: 0 })).toBe("Part of the shared account");
    expect(words(true, null)).toBe("Its own account, not open yet");
    expect(words(true, {})).toMatch(/^Its own account, with \$1,800\.00 as of today, 11:26.AM$/);
    expect(words(true, { toMoveInCents: 20_000 })).toMatch(
      /\. \$200\.00 has yet to move there from the shared account\.$/,
    );
    expect(words(false, { toMoveInCents: -180_000 })).toMatch(
      /\. \$1,800\.00 has yet to move to the shared account\.$/,
    );
    expect(words(true, { toMoveInCents: 20_000, isRefused: true })).toMatch(
      /The bank refused to move \$200\.00 there from the shared account; Sluice tries again\.$/,
    );
  });

  test("a debt shows what pays it and when it is due", () => {
    expect(aboutOwed(visa)).toBe("Summit, ••••5518. Paid from Operating");
    expect(statementWords(visa, time)).toBe("Statement $2,318.40, minimum $75.00, due Nov\u00a025");
  });

  test("a goal shows 100% only when reached", () => {
    expect(goalPercent({ balanceInCents: 784_520, goalInCents: 1_200_000 })).toBe(65);
    expect(goalPercent({ balanceInCents: 1_199_999, goalInCents: 1_200_000 })).toBe(99);
    expect(goalPercent({ balanceInCents: 1_500_000, goalInCents: 1_200_000 })).toBe(100);
    expect(goalPercent({ balanceInCents: -1, goalInCents: 100 })).toBe(0);
  });
});
