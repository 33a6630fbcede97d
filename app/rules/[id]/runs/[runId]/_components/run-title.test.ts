import { describe, expect, it } from "vitest";
import { runTitle, type TitledRun } from "@/app/rules/[id]/runs/[runId]/_components/run-title";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { RunTransferView } from "@/lib/views/rules/read-run";

const pod = (name: string) => ({ name, kind: "POD" as const, isClosed: false });
const NAMES = { operating: pod("Operating"), taxes: pod("Taxes"), payroll: pod("Payroll") };

function move(
  destinationAccountId: string,
  amountInCents: number,
  over: Partial<PlannedMove> = {},
): PlannedMove {
  return {
    actionIndex: 0,
    type: "FIXED",
    group: 0,
    sourceAccountId: "operating",
    destinationAccountId,
    description: null,
    baseInCents: null,
    wantedInCents: amountInCents,
    caps: [],
    amountInCents,
    outcome: "MOVE",
    errorCode: null,
    ...over,
  };
}

const planOf = (...moves: PlannedMove[]): RulePlan => ({
  stepIndexMatched: 0,
  steps: [{ outcome: "RAN", comparisons: [] }],
  moves,
  actionsNotReached: 0,
});

const transfer = (amountInCents: number, status: RunTransferView["status"]): RunTransferView => ({
  id: `${status} ${amountInCents}`,
  fromName: "Operating",
  toName: "Taxes",
  amountInCents,
  status,
  at: "2026-01-15T12:00:00.000Z",
  errorMessage: null,
  href: null,
});

const deposit: TitledRun["startedBy"] = {
  kind: "TRANSFER",
  fromName: "Orbit Maps",
  amountInCents: 520_000,
  isDeposit: true,
  sentAt: "2026-01-15T12:00:00.000Z",
  settledAt: "2026-01-15T12:00:00.000Z",
  setOffBy: null,
  wasReturned: false,
};

const title = (over: Partial<TitledRun>) =>
  runTitle({
    status: "EXECUTED",
    mode: "LIVE",
    plan: planOf(move("taxes", 120_000), move("payroll", 400_000)),
    accounts: NAMES,
    transfers: [],
    startedBy: deposit,
    decision: null,
    attempts: [],
    viewer: { canDecide: true },
    ...over,
  });

describe("the title of a run", () => {
  it("names the deposit and its destinations", () => {
    expect(title({})).toBe("$5,200.00 arrived and went to 2 pods");
    expect(title({ plan: planOf(move("taxes", 120_000)) })).toBe(
      "$5,200.00 arrived, and $1,200.00 went to Taxes",
    );
    expect(title({ status: "IN_PROGRESS" })).toBe("$5,200.00 arrived and is on its way to 2 pods");
  });

  it("names the amount moved if nothing arrived", () => {
    expect(title({ startedBy: { kind: "SCHEDULE", scheduledFor: null } })).toBe(
      "It moved $5,200.00 to 2 pods",
    );
  });

  it("says why it stopped", () => {
    const failed = (errorCode: PlannedMove["errorCode"]) =>
      move("payroll", 400_000, { outcome: "FAILED", errorCode });
    expect(title({ status: "FAILED", plan: planOf(failed("INSUFFICIENT_FUNDS")) })).toBe(
      "It stopped: Operating had too little",
    );
    expect(title({ status: "PARTIAL", plan: planOf(move("taxes", 120_000), failed("BELOW_FLOOR")) })).toBe(
      "It moved $1,200.00 and stopped: Operating would have gone below its floor",
    );
  });

  it("never claims that a dry run moved money", () => {
    const dry = (plan: RulePlan | null) => title({ mode: "SIMULATION", plan });
    const failed = move("payroll", 1, { outcome: "FAILED", errorCode: "ACCOUNT_CLOSED" });
    expect(dry(planOf(move("taxes", 120_000)))).toBe("It would move $1,200.00 to Taxes");
    expect(dry(planOf(failed))).toBe("It would stop: an account is closed");
    expect(dry({ ...planOf(), stepIndexMatched: null })).toBe("Its conditions would not be met");
    expect(dry(planOf())).toBe("It would run with nothing to move");
    expect(dry(null)).toBe("It could not be calculated");
  });

  it("says that it moved nothing", () => {
    expect(title({ plan: { ...planOf(), stepIndexMatched: null } })).toBe(
      "Its conditions were not met, so nothing moved",
    );
    expect(title({ plan: planOf(move("taxes", 0, { outcome: "SKIPPED" })) })).toBe(
      "It ran with nothing to move",
    );
  });

  it("reports later refusals by the bank", () => {
    const transfers = [transfer(120_000, "COMPLETE"), transfer(400_000, "FAILED")];
    expect(title({ status: "PARTIAL", transfers })).toBe("$1,200.00 moved, $4,000.00 failed");
    expect(title({ status: "FAILED", transfers: transfers.slice(1) })).toBe("$4,000.00 failed");
  });

  it("distinguishes a denial, an expiry and a revoked key", () => {
    const denied = (state: "DENIED" | "EXPIRED" | "REVOKED") =>
      title({
        status: "APPROVAL_DENIED",
        plan: null,
        decision: { state, at: null, byName: state === "DENIED" ? "Jonas" : null, href: "/" },
      });
    expect(denied("DENIED")).toBe("Jonas denied it, and nothing moved");
    expect(denied("EXPIRED")).toBe("It expired without a decision, and nothing moved");
    expect(denied("REVOKED")).toBe("Its key was revoked, and nothing moved");
  });

  it("covers a run without a plan", () => {
    expect(title({ status: "IN_PROGRESS", plan: null })).toBe("About to run");
    const attempts = [{ at: "2026-01-15T12:00:00.000Z", problem: "The balance of Payroll is unknown." }];
    expect(title({ status: "IN_PROGRESS", plan: null, attempts })).toBe("Waiting to retry");
    expect(title({ status: "FAILED", plan: null })).toBe("It failed, and nothing moved");
    expect(title({ plan: null, transfers: [transfer(120_000, "COMPLETE")] })).toBe("It moved $1,200.00");
    expect(title({ status: "APPROVAL_PENDING", plan: null, viewer: { canDecide: false } })).toBe(
      "Waiting for approval",
    );
  });
});
