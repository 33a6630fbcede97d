import type { LifeStepView, MovementStatus } from "@/lib/contract/views/movements-view";
import {
  askerOf,
  foreseenOf,
  returnCode,
  type TransferMovementRow,
} from "@/lib/views/movements/transfer-movement-row";

/** What a transfer's life is told from. */
export interface LifeFacts {
  row: TransferMovementRow;
  status: MovementStatus;
  viewerId: string;
  updatedAt: Date;
  returnedAt: Date | null;
  cancelledByName: string | null;
  runHref: string | null;
  now: Date;
}

/** What happened to a transfer, what is happening and what will; in order of time. Pure. */
export function buildLife(facts: LifeFacts): LifeStepView[] {
  return [beginning(facts), ...decision(facts), ...ending(facts)];
}

function beginning({ row, runHref }: LifeFacts): LifeStepView {
  const at = row.created_at.toISOString();
  if (row.origin === "DIRECT_DEPOSIT" || row.origin === "CHECK_DEPOSIT") {
    const payerName = row.from_name || null;
    return { kind: "ANNOUNCED", at, isCheck: row.origin === "CHECK_DEPOSIT", payerName };
  }
  const isDryRun = row.execution_mode === "SIMULATION";
  if (row.rule_name !== null) return { kind: "MADE_BY_RULE", at, ruleName: row.rule_name, runHref, isDryRun };
  return { kind: "PROPOSED", at, by: askerOf(row), isDryRun };
}

function decision({ row, status, viewerId }: LifeFacts): LifeStepView[] {
  const { proposal_state: state, proposal_expires_at: expiresAt, decided_at: decidedAt } = row;
  if (state === null || expiresAt === null) return [];
  if (status === "WAITING") return [{ kind: "WAITING", until: expiresAt.toISOString() }];
  const at = (decidedAt ?? expiresAt).toISOString();
  if (state === "WAITING" || state === "EXPIRED") return [{ kind: "EXPIRED", at }];
  if (state === "REVOKED") return [{ kind: "REVOKED", at }];
  return [
    {
      kind: state,
      at,
      byName: row.decided_by_name ?? "a former member",
      byViewer: row.decided_by === viewerId,
      method: row.decision_method,
      note: row.decision_note,
    },
  ];
}

function ending({ row, status, updatedAt, returnedAt, cancelledByName }: LifeFacts): LifeStepView[] {
  const endedAt = (row.completed_at ?? updatedAt).toISOString();
  const code = row.error_code ?? "UNKNOWN";
  switch (status) {
    case "ON_ITS_WAY":
      return underWay(row);
    case "SETTLED":
      return [...atTheBank(row), { kind: "SETTLED", at: endedAt }];
    case "RETURNED":
      return [
        ...atTheBank(row),
        { kind: "SETTLED", at: endedAt },
        { kind: "RETURNED", at: (returnedAt ?? updatedAt).toISOString(), code: returnCode(row.error_code) },
      ];
    case "FAILED":
      return [{ kind: "FAILED", at: endedAt, code, sentence: row.error_message ?? code }];
    case "DRY_RUN":
      return foreseen(row);
    case "CANCELLED":
      return [{ kind: "CANCELLED", at: endedAt, byName: cancelledByName }];
    default:
      return [];
  }
}

function foreseen(row: TransferMovementRow): LifeStepView[] {
  const outcome = foreseenOf(row);
  return outcome ? [{ kind: "FORESEEN", ...outcome }] : [];
}

function underWay(row: TransferMovementRow): LifeStepView[] {
  if (row.next_step === "SUBMIT") return [{ kind: "LEAVES", at: row.due_at?.toISOString() ?? null }];
  if (row.next_step === "ASK") return [{ kind: "UNANSWERED" }];
  if (row.next_step === "AWAIT") return [{ kind: "AT_THE_BANK", expectedOn: row.expected_on }];
  return [{ kind: "LEAVES", at: null }];
}

function atTheBank(row: TransferMovementRow): LifeStepView[] {
  const wasSubmitted = row.bank_reference !== null && row.direction !== "INTERNAL";
  return wasSubmitted ? [{ kind: "AT_THE_BANK", expectedOn: row.expected_on }] : [];
}
