import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, test } from "vitest";
import { TIME } from "@/app/design/_components/approval-examples";
import { MovementDetail } from "@/app/transfers/_components/movement-detail";
import type { TransferDetailView } from "@/lib/views/movements/read-transfer-detail";

const FAILED: TransferDetailView = {
  kind: "TRANSFER",
  id: "7c1e5f0e-2b7d-7f6e-9d0a-3f61b2a944d0",
  shortId: "7c1e…44d0",
  from: { name: "First Harbor Checking", href: "/accounts/1" },
  to: { name: "Operating", href: "/accounts/2" },
  amountInCents: 120_002,
  status: "FAILED",
  isAssistant: false,
  statusAt: "2026-11-19T15:04:00Z",
  createdAt: "2026-11-19T15:02:00Z",
  books: [],
  pageHref: "/transfers",
  viewer: { canDecide: true },
  time: TIME,
  life: [],
  reason: null,
  labels: { externalId: "tax-2026-q4", metadata: [{ key: "quarter", value: "2026-Q4" }] },
  documents: [],
  label: null,
  rule: null,
  approvalHref: null,
  mandate: null,
  bankReferences: ["ach_1", "SBX-2"],
  bankWords: "Insufficient funds",
  settlement: null,
  canCancel: false,
  moveBackHref: null,
  tryAgainHref: "/transfers/new?from=1&to=2&amountInCents=120002",
  reversesHref: null,
  movedBackHref: null,
  receiptHref: null,
};
const shown = (changes: Partial<TransferDetailView> = {}) =>
  renderToStaticMarkup(<MovementDetail view={{ ...FAILED, ...changes }} />);

describe("a failed transfer", () => {
  it("has one row for all references at the bank, and one for the bank's words", () => {
    expect(shown().match(/<dt>Bank reference<\/dt>/g)).toHaveLength(1);
    expect(shown()).toContain("ach_1");
    expect(shown()).toContain("SBX-2");
    expect(shown()).toContain("Insufficient funds");
    expect(shown({ bankReferences: [], bankWords: null })).not.toMatch(/Bank reference|The bank’s words/);
  });

  it("offers to try again only where its page may", () => {
    expect(shown()).toContain('href="/transfers/new?from=1&amp;to=2&amp;amountInCents=120002"');
    expect(shown()).toContain("Nothing moves until you confirm");
    expect(shown({ tryAgainHref: null })).not.toContain("Try again");
  });
});

test("a payment at the bank says that a person approves it there, too, if one must", () => {
  const atTheBank = (changes: object) =>
    shown({
      status: "ON_ITS_WAY",
      tryAgainHref: null,
      life: [{ kind: "AT_THE_BANK", expectedOn: "2026-11-20", ...changes }],
    });
  expect(atTheBank({ isApprovedThere: true })).toContain("A person approves it there too.");
  expect(atTheBank({})).not.toContain("A person approves");
});

describe("a payment that waits for money of a pod", () => {
  const waitsFor = { podName: "Taxes", podHref: "/accounts/3", isStuck: true };
  const leaves = (changes: object) =>
    shown({
      status: "ON_ITS_WAY",
      tryAgainHref: null,
      life: [{ kind: "LEAVES", at: "2026-11-19T15:03:00Z", ...changes }],
    });

  it("says so, and names the pod", () => {
    expect(leaves({ waitsFor })).toContain("Waiting for money at the bank");
    expect(leaves({ waitsFor })).toContain("The bank has not moved money out of the own account of");
    expect(leaves({ waitsFor })).toContain('href="/accounts/3"');
    expect(leaves({ waitsFor: { ...waitsFor, isStuck: false } })).toContain("returns to the account");
    expect(leaves({})).not.toContain("Waiting for money");
  });
});
