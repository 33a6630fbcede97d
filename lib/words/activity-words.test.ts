import { expect, test } from "vitest";
import type { Activity } from "@/lib/contract/approvals/activity";
import { writeCents } from "@/lib/contract/format-cents";
import type { OrganizationChangeKind } from "@/lib/contract/organization";
import { activityWords } from "@/lib/words/activity-words";

const say = (activity: Activity) =>
  activityWords(activity, { money: writeCents, moment: (at) => at.slice(0, 10) });

test.each<[OrganizationChangeKind, string | null, string | null, string | null, string]>([
  ["ACCOUNT_FLOOR", "Taxes", null, "50000", "Changed the floor of Taxes from $0.00 to $500.00"],
  ["NEW_POD_FLOOR", null, "50000", null, "Changed the default floor from $500.00 to $0.00"],
  ["ENDPOINT", "https://a.example", null, "ADDED", "Added the webhook endpoint https://a.example"],
  ["ENDPOINT", "https://a.example", null, "ON", "Switched on the webhook endpoint https://a.example"],
  ["KEY_CAP", "ops", null, "$10.00", "Gave the key ops a daily cap of $10.00"],
  ["KEY_CAP", "ops", "$10.00", null, "Removed the daily cap of the key ops, which was $10.00"],
  ["SECOND_FACTOR", null, null, "true", "Required a second factor of everyone"],
  [
    "CLOCK_MOVED",
    null,
    "2026-11-20T10:00:00Z",
    null,
    "Moved the sandbox clock from 2026-11-20 to an unknown time",
  ],
  ["MEMBER_JOINED", null, null, "Co-owner", "Joined as co-owner"],
  ["CARD_STATUS", "Studio", null, "CLOSED", "Closed the card Studio"],
])("the change %s of %s from %s to %s: %s", (kind, subject, before, after, words) => {
  expect(say({ kind, subject, before, after })).toBe(words);
});

test("a run is named by its rule, with its amount if it is known", () => {
  const destinations = { count: 2, firstName: "Taxes", arePods: true };
  const run = { kind: "RULE_RUN" as const, ruleName: "Payday", sourceName: "Income", destinations };
  const approved = (amountInCents: number | null) =>
    say({ kind: "PROPOSAL_APPROVED", proposal: { ...run, amountInCents }, note: null });
  expect(approved(360_000)).toBe("Approved a run of Payday, $3,600.00");
  expect(approved(null)).toBe("Approved a run of Payday");
});
