import { expect, test } from "vitest";
import { AuditTable } from "@/app/audit/_components/audit-table";
import { renderInRouter } from "@/lib/testing/render-in-router";
import type { AuditListedView } from "@/lib/views/audit/read-audit-page";

/** What the list says of one request, without its tags. */
function listed(given: Partial<AuditListedView>): string {
  const entry: AuditListedView = {
    id: "01a22bb3-25ee-755d-9203-4b56b0b3d935",
    at: "2026-11-23T15:00:00.000Z",
    callerId: "01a22bb3-25ee-755d-9203-4b56b0b3d936",
    callerName: "mara-cli",
    method: "POST",
    path: "/platform/v1/transfers",
    action: "CREATE_TRANSFER",
    reason: null,
    requestId: "aaaa-bbbb-cccc",
    outcome: "SUCCESS",
    errorCode: null,
    errorDetail: null,
    proposalReason: null,
    href: "/audit?entry=1",
    ...given,
  };
  const page = renderInRouter(<AuditTable entries={[{ ...entry, when: "3:00 PM" }]} openedId={null} />);
  return page.replaceAll(/<[^>]+>/g, " ");
}

test("a request whose call and proposal have no reason says so", () => {
  expect(listed({ reason: null })).toContain("No reason given");
});

test("a request about a proposal is listed with the proposal’s reason, and each reason says whose words it is", () => {
  const proposed = listed({ reason: null, proposalReason: "Q4 estimated tax" });
  expect(proposed).toContain("For the proposal: Q4 estimated tax");
  expect(proposed).not.toMatch(/No reason|For the call/);
  const both = listed({ reason: "nightly run", proposalReason: "Q4 estimated tax" });
  expect(both).toMatch(/For the proposal: Q4 estimated tax.*For the call: nightly run/);
});

test("a call with a reason is listed with it, whether it failed or not", () => {
  for (const outcome of ["SUCCESS", "FAILURE"] as const) {
    const row = listed({ reason: "Rent for May", outcome, errorCode: "ACCESS_DENIED" });
    expect(row).toContain("Rent for May");
    expect(row).not.toContain("No reason");
  }
});
