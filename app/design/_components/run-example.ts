import { WAITING as TRANSFER } from "@/app/design/_components/approval-examples";
import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import type { RunMoveView } from "@/lib/views/approvals/describe-run";
import type { RunApprovalView } from "@/lib/views/approvals/get-approval";

const move = (destinationName: string, amountInCents: number): RunMoveView => ({
  key: destinationName,
  sourceName: "Client payments",
  destinationName,
  amountInCents,
  outcome: "MOVE",
  because: null,
  status: null,
});

const { source: _source, destination: _destination, achLabel: _label, kind: _kind, ...common } = TRANSFER;

/** A split into two pods, waiting. */
export const WAITING_RUN: RunApprovalView = {
  ...common,
  expectedOn: null,
  kind: "RULE_RUN",
  rule: { name: "Split client payments", href: "/rules/19d4", version: 3 },
  amountInCents: 360_000,
  from: { ...TRANSFER.source, name: "Client payments", nowInCents: 360_000, afterInCents: 0 },
  moves: [move("Taxes", 90_000), move("Payroll", 270_000)],
  nothingBecause: null,
  runAgain: null,
  checks: [],
  drawing: {
    rule: {
      trigger: { type: "MANUAL", accountId: "client-payments" },
      limits: [],
      steps: [{ conditions: null, actions: [] }],
    },
    plan: null,
    names: {
      "client-payments": { name: "Client payments", kind: "INCOME_SOURCE", isClosed: false },
      taxes: { name: "Taxes", kind: "POD", isClosed: false },
      payroll: { name: "Payroll", kind: "POD", isClosed: false },
    },
    incomingAmountInCents: 360_000,
    startsWithInCents: 360_000,
  },
};

/** The same run in another status. */
export function runInStatus(status: ApprovalStatus): RunApprovalView {
  if (status !== "RULE_CHANGED") return { ...WAITING_RUN, status };
  return {
    ...WAITING_RUN,
    status,
    runAgain: { version: 4, href: "/rules/19d4/run?amount=%243%2C600.00" },
    history: [
      ...WAITING_RUN.history.filter(({ kind }) => kind === "PROPOSED"),
      { kind: "RULE_CHANGED", at: "2026-11-20T16:20:00Z", byName: "Mara Okafor", version: 4 },
    ],
  };
}
