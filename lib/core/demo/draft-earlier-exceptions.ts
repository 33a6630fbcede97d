import type { Draft } from "@/lib/core/demo/draft";
import { CLAUDE_DAY } from "@/lib/core/demo/draft-earlier";

/** Denials, failures, and returns in the nine months before the last three. */
export function draftEarlierExceptions(draft: Draft): void {
  draft.denied(
    {
      key: "zapier-invoices",
      from: "Client payments",
      to: "Operating",
      amountInCents: 640_000,
      day: 207,
      time: "16:20",
      reason: "Orbit Maps will pay invoice 296 in a few days.",
    },
    "JONAS",
    21,
    "Wait until the money arrives.",
  );
  draft.denied(
    {
      key: "mara-cli",
      from: "Operating",
      to: "Profit",
      amountInCents: 400_000,
      day: 168,
      time: "11:25",
      reason: "A head start on this year’s goal.",
    },
    "JONAS",
    66,
    "Let’s keep this for the new workstation.",
  );
  // .02: the bank accepts it and returns it instead of settling it (R16).
  draft.approved(
    {
      key: "mara-cli",
      from: "Taxes",
      to: "First Harbor Checking",
      amountInCents: 61_802,
      day: 189,
      time: "10:05",
      label: "STATE TAX",
      reason: "This quarter’s unemployment insurance is due from checking on Friday.",
    },
    true,
  );
  // .03: settles, and is returned two banking days later (R10).
  draft.approved(
    {
      key: "mara-cli",
      from: "Owner’s pay",
      to: "First Harbor Checking",
      amountInCents: 6_403,
      day: 133,
      time: "12:10",
      label: "EXPENSES",
      reason: "Reimbursement for tolls and parking.",
    },
    true,
  );
  draft.expired({
    key: "mara-cli",
    from: "Operating",
    to: "Owner’s pay",
    amountInCents: 120_000,
    day: 112,
    time: "15:40",
    reason: "Half a month’s pay ahead of the summer.",
  });
}

/** The first weeks of `claude-bookkeeping`, before it sets tax aside: eight proposals, one denied. */
export function draftFirstWeeksOfClaude(draft: Draft): void {
  const claude = { key: "claude-bookkeeping", time: "11:15" } as const;
  for (const week of [0, 1, 2]) {
    const firstDay = CLAUDE_DAY - 1 - week * 5;
    draft.approved({
      ...claude,
      from: "Operating",
      to: "Payroll",
      amountInCents: draft.number(10, 24) * 1_000,
      day: firstDay - 2,
      reason: "Payroll is slightly short of the next two weeks of wages.",
    });
    const sweep = {
      ...claude,
      from: "Operating",
      to: "Profit",
      amountInCents: draft.number(12, 30) * 1_000,
      day: firstDay - 4,
      time: "14:05",
      reason: "Operating’s surplus this week, toward the $12,000.00 goal.",
    } as const;
    if (week === 0) draft.denied(sweep, "MARA", 47, "Let’s watch this for two weeks first.");
    else draft.approved(sweep);
  }
  draft.approved({
    ...claude,
    from: "First Harbor Checking",
    to: "Operating",
    amountInCents: 64_000,
    day: CLAUDE_DAY - 7,
    reason: "Checking has more than its bills need. This moves $640.00 back to Operating.",
  });
  draft.approved({
    ...claude,
    from: "Taxes",
    to: "First Harbor Checking",
    amountInCents: 48_000,
    day: CLAUDE_DAY - 12,
    label: "STATE TAX",
    reason: "Franchise tax is due from checking on the 15th.",
  });
}
