import type { Approvals } from "@/lib/contract/approvals/signatures";
import type { PolicyRequesterKind, PolicyWindow } from "@/lib/contract/policies/policy";
import type { TransferDirection } from "@/lib/contract/transfer";
import type { PolicyVersion } from "@/lib/core/policies/read-policy";
import type { Queryable } from "@/lib/db/transaction";
import {
  type MatchedRequirement,
  matchPolicy,
  type PolicyFacts,
  windowKey,
  windowsOf,
} from "@/lib/engine/policies/match-policy";

/** What a version of the policy requires for one proposal. */
export type MatchedVersion = MatchedRequirement & { version: number };

/** For programs: each stage of these versions, with how many signatures count in it. */
export function requiredStages(
  asks: readonly MatchedVersion[],
  givenIn: (version: number, stage: number) => number,
): Approvals["required"] {
  return asks.flatMap(({ version, ruleName, requirement }, index) =>
    requirement.stages.map(({ of, atLeast }, stage) => ({
      policyVersion: version,
      rule: ruleName,
      stage: stage + 1,
      of: "roles" in of ? of.roles : null,
      atLeast,
      given: givenIn(index, stage),
    })),
  );
}

/** What of a proposal its policies depend on. */
export interface PolicySubject {
  id: string;
  kind: "TRANSFER" | "RUN";
  createdAt: Date;
  requester: { kind: PolicyRequesterKind; id: string | null; memberIds: readonly string[] };
  novelties: readonly ("FIRST" | "CHANGED" | null)[];
  /** Each that it would make now. */
  moves: readonly {
    sourceAccountId: string;
    destinationAccountId: string;
    amountInCents: number;
    direction: TransferDirection;
  }[];
  /** Null: the default, which is version 0. */
  bornUnder: number | null;
}

/** The requirement of each of these policies. */
export async function matchPolicies(
  where: { database: Queryable; organizationId: string },
  policies: readonly PolicyVersion[],
  subject: PolicySubject,
): Promise<MatchedVersion[]> {
  const windows = new Map<string, number>();
  for (const window of policies.flatMap(({ policy }) => windowsOf(policy))) {
    const key = windowKey(window);
    if (!windows.has(key)) windows.set(key, await sumOfWindow(where, window, subject));
  }
  const facts = toPolicyFacts(subject, (window) => windows.get(windowKey(window)) ?? 0);
  return policies.map(({ version, policy }) => ({ version, ...matchPolicy(policy, facts) }));
}

function toPolicyFacts(subject: PolicySubject, windowSums: PolicyFacts["windowSums"]): PolicyFacts {
  const { kind, requester, moves, novelties } = subject;
  return {
    kind,
    payee: novelties.includes("FIRST") ? "NEW" : novelties.includes("CHANGED") ? "CHANGED" : null,
    amountInCents: moves.reduce((sum, move) => sum + move.amountInCents, 0),
    windowSums,
    sourceAccountIds: moves.map((move) => move.sourceAccountId),
    destinationAccountIds: moves.map((move) => move.destinationAccountId),
    requester,
    directions: moves.map((move) => move.direction),
  };
}

const DAY_MS = 86_400_000;

/**
 * What was accepted in these days before it and since, or waits and was proposed before it, with what it moves itself; of
 * several destinations the largest. In this order, splitting an amount over proposals beats no tier, and a later proposal
 * does not change what an earlier one needs. Ids are ordered by time, so they bound the scan.
 */
async function sumOfWindow(
  { database, organizationId }: { database: Queryable; organizationId: string },
  { days, by }: PolicyWindow,
  { id, createdAt, requester, moves }: PolicySubject,
): Promise<number> {
  const own = new Map<string, number>();
  for (const { destinationAccountId, amountInCents } of moves) {
    own.set(destinationAccountId, (own.get(destinationAccountId) ?? 0) + amountInCents);
  }
  const isByDestination = by.includes("destination");
  const { rows } = await database.query<{ destinationAccountId: string; inCents: number }>({
    name: "sum_policy_window",
    text: `
      select t.destination_account_id as "destinationAccountId", sum(t.amount_in_cents)::bigint as "inCents"
        from transfers t
        left join rule_executions e on e.organization_id = $1 and e.id = t.rule_execution_id
       where t.organization_id = $1 and t.id >= first_id_at($2::timestamptz - interval '1 day') and t.created_at > $2
         and t.execution_mode = 'LIVE' and t.destination_account_id is not null
         and t.id <> $3 and t.rule_execution_id is distinct from $3
         and (t.status in ('PROCESSING', 'COMPLETE', 'RETURNED') or t.status = 'APPROVAL_PENDING' and t.id < $3)
         and ($4::uuid is null or t.proposed_by_id = $4 or e.started_by_id = $4)
         and ($5::uuid[] is null or t.destination_account_id = any ($5))
       group by 1`,
    values: [
      organizationId,
      new Date(createdAt.getTime() - days * DAY_MS),
      id,
      by.includes("requester") ? requester.id : null,
      isByDestination ? [...own.keys()] : null,
    ],
  });
  if (!isByDestination) return [...own.values(), ...rows.map((row) => row.inCents)].reduce(add, 0);
  const before = new Map(rows.map((row) => [row.destinationAccountId, row.inCents]));
  return Math.max(0, ...[...own].map(([accountId, inCents]) => inCents + (before.get(accountId) ?? 0)));
}

const add = (sum: number, inCents: number) => sum + inCents;
