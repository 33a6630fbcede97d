import type { z } from "zod";
import type { triggerDetailsSchema } from "@/lib/contract/rules/execution";
import { deadlinesOf } from "@/lib/core/policies/deadlines";
import type { SentRequest } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

/** A live run before it is written. */
export interface RunStart {
  organizationId: string;
  ruleId: string;
  triggerDetails: z.input<typeof triggerDetailsSchema>;
  /** Given as the incoming amount; null: the base is the incoming amount. */
  incomingAmountInCents: number | null;
  startedBy: {
    kind: "API_KEY" | "MEMBER" | "HOOK" | "ARRIVAL" | "SCHEDULE";
    id: string | null;
    name: string | null;
  };
  /** Triggers the rule at most once; null: a person or program started it. */
  cause: {
    kind: "TRANSFER" | "CARD_TRANSACTION" | "EXTERNAL_TRANSACTION" | "SCHEDULE";
    id: string;
  } | null;
  approvalRequired: boolean;
  reasonForApproval: string | null;
  /** As received, for the approver; null without a request. */
  request: SentRequest | null;
  /** Business time. */
  now: Date;
}

export type RunStartOutcome =
  | "STARTED"
  | "FIRED_BEFORE"
  | "NOT_ACTIVE"
  | "PAUSED"
  | "KEY_REVOKED"
  | "TOO_MANY_WAITING"
  | "GATES_CLOSED";

export function toRunItem(executionId: string, run: RunStart) {
  const { incomingAmountInCents, cause, now, ...rest } = run;
  return {
    ...rest,
    id: executionId,
    now,
    base: { mode: "LIVE", incomingAmountInCents },
    causeKind: cause?.kind ?? null,
    causeId: cause?.id ?? null,
    apiKeyId: run.startedBy.kind === "API_KEY" ? run.startedBy.id : null,
    noticeId: newId(now),
    ...deadlinesOf(now),
  };
}

/**
 * Starts a live run of the rule's active version in the caller's transaction, due at once or waiting for approval. The
 * caller wakes the worker after the commit (`RUN_RULES`; `SEND_NOTICES` if it waits).
 */
export async function startRun(
  client: Queryable,
  executionId: string,
  run: RunStart,
): Promise<RunStartOutcome> {
  const { rows } = await client.query<{ outcome: RunStartOutcome }>({
    name: "start_rule_run",
    text: "select start_rule_run($1) as outcome",
    values: [JSON.stringify(toRunItem(executionId, run))],
  });
  if (!rows[0]) throw new Error("start_rule_run returned no row");
  return rows[0].outcome;
}
