import type { Approvals } from "@/lib/contract/approvals/signatures";
import { MAXIMUM_EXPIRY_HOURS, type PolicyWindow } from "@/lib/contract/policies/policy";
import type { TransferDirection } from "@/lib/contract/transfer";
import type { PolicyVersion } from "@/lib/core/policies/read-policy";
import { type NamedRequester, readReplacedKeys } from "@/lib/core/policies/replaced-keys";
import { readSameDestinations, type SameDestinations } from "@/lib/core/policies/same-destinations";
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
  requester: NamedRequester & { memberIds: readonly string[] };
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

/** What of a batch is matched by itself. */
export type PolicyPart = Pick<PolicySubject, "moves" | "novelties">;

/** A batch, with all of its moves. */
export interface BatchPolicySubject extends PolicySubject {
  /** All of its transfers, struck or not. Windows leave them out, so that no line is counted twice. */
  lineIds: readonly string[];
  /** Its lines together, and each by itself. */
  parts: readonly PolicyPart[];
}

interface Where {
  database: Queryable;
  organizationId: string;
}

/** The requirement of each of these policies. */
export async function matchPolicies(
  where: Where,
  policies: readonly PolicyVersion[],
  subject: PolicySubject,
): Promise<MatchedVersion[]> {
  const sums = await readWindows(where, policies, { ...subject, lineIds: [] });
  const replacedIds = await readReplacedKeys(where, policies, subject.requester);
  const facts = toPolicyFacts({ ...subject, replacedIds }, subject, sums);
  return policies.map(({ version, policy }) => ({ version, ...matchPolicy(policy, facts) }));
}

/**
 * The requirements of each of these policies for the parts of a batch, each rule once. All of them must be met, so that
 * neither splitting an amount over lines nor hiding a line among others beats a tier.
 */
export async function matchPoliciesOfBatch(
  where: Where,
  policies: readonly PolicyVersion[],
  subject: BatchPolicySubject,
): Promise<MatchedVersion[]> {
  const sums = await readWindows(where, policies, subject);
  const replacedIds = await readReplacedKeys(where, policies, subject.requester);
  const facts = subject.parts.map((part) => toPolicyFacts({ ...subject, replacedIds }, part, sums));
  return policies.flatMap(({ version, policy }) => {
    const matched = facts.map((each) => matchPolicy(policy, each));
    const byRule = new Map(matched.map((requirement) => [requirement.ruleIndex, requirement]));
    return [...byRule.values()].map((requirement) => ({ version, ...requirement }));
  });
}

/** What counts in windows besides the moves themselves, by destination as `nameOf` names it. */
interface WindowsBefore extends Pick<SameDestinations, "nameOf"> {
  /** By the key of a window. */
  sums: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

async function readWindows(
  where: Where,
  policies: readonly PolicyVersion[],
  subject: PolicySubject & Pick<BatchPolicySubject, "lineIds">,
): Promise<WindowsBefore> {
  const all = policies.flatMap(({ policy }) => windowsOf(policy));
  const ids = subject.moves.map(({ destinationAccountId }) => destinationAccountId);
  const destinations = all.some(({ by }) => by.includes("destination"))
    ? await readSameDestinations(where.database, where.organizationId, ids)
    : { nameOf: (id: string) => id, allIds: ids };
  const sums = new Map<string, ReadonlyMap<string, number>>();
  for (const window of all) {
    const key = windowKey(window);
    if (!sums.has(key)) sums.set(key, await readWindow(where, window, subject, destinations));
  }
  return { sums, nameOf: destinations.nameOf };
}

function toPolicyFacts(
  { kind, requester, replacedIds }: PolicySubject & { replacedIds: readonly string[] },
  { moves, novelties }: PolicyPart,
  windows: WindowsBefore,
): PolicyFacts {
  return {
    kind,
    payee: novelties.includes("FIRST") ? "NEW" : novelties.includes("CHANGED") ? "CHANGED" : null,
    amountInCents: moves.reduce((sum, move) => sum + move.amountInCents, 0),
    windowSums: (window) => sumOfWindow(window, moves, windows),
    sourceAccountIds: moves.map((move) => move.sourceAccountId),
    destinationAccountIds: moves.map((move) => move.destinationAccountId),
    requester: { ...requester, replacedIds },
    directions: moves.map((move) => move.direction),
  };
}

const DAY_MS = 86_400_000;

/** What was accepted in a window was proposed at most so long before it. A day more, for clocks that differ. */
const WAITS_AT_MOST = `${MAXIMUM_EXPIRY_HOURS + 24} hours`;

/**
 * What was accepted in these days before it and since, or waits and was proposed before it, by destination. In this order,
 * splitting an amount over proposals beats no tier, and a later proposal does not change what an earlier one needs. What was
 * proposed long before and accepted now counts now: else proposals that are saved up would pass together. Ids are ordered by
 * time, so they bound the scan.
 */
async function readWindow(
  { database, organizationId }: Where,
  { days, by }: PolicyWindow,
  { id, createdAt, requester, lineIds }: PolicySubject & Pick<BatchPolicySubject, "lineIds">,
  { allIds, nameOf }: SameDestinations,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query<{ destinationAccountId: string; inCents: number }>({
    name: "sum_policy_window",
    text: `
      select t.destination_account_id as "destinationAccountId", sum(t.amount_in_cents)::bigint as "inCents"
        from transfers t
        left join rule_executions e on e.organization_id = $1 and e.id = t.rule_execution_id
       where t.organization_id = $1 and t.id >= first_id_at($2::timestamptz - interval '${WAITS_AT_MOST}')
         and t.execution_mode = 'LIVE' and t.destination_account_id is not null
         and t.id <> $3 and t.rule_execution_id is distinct from $3 and t.id <> all ($7)
         and (t.status in ('PROCESSING', 'COMPLETE', 'RETURNED') and t.accepted_at > $2
           or t.status = 'APPROVAL_PENDING' and t.id < $3)
         and ($5::uuid is null or array[t.proposed_by_id, e.started_by_id] && array(select same_requesters($1, $4, $5)))
         and ($6::uuid[] is null or t.destination_account_id = any ($6))
       group by 1`,
    values: [
      organizationId,
      new Date(createdAt.getTime() - days * DAY_MS),
      id,
      requester.kind,
      by.includes("requester") ? requester.id : null,
      by.includes("destination") ? allIds : null,
      lineIds,
    ],
  });
  const sums = new Map<string, number>();
  for (const { destinationAccountId, inCents } of rows) {
    const name = nameOf(destinationAccountId);
    sums.set(name, (sums.get(name) ?? 0) + inCents);
  }
  return sums;
}

/** With what these moves move themselves; of several destinations the largest. */
function sumOfWindow(
  window: PolicyWindow,
  moves: PolicyPart["moves"],
  { sums, nameOf }: WindowsBefore,
): number {
  const before: ReadonlyMap<string, number> = sums.get(windowKey(window)) ?? new Map();
  const own = new Map<string, number>();
  for (const { destinationAccountId, amountInCents } of moves) {
    const name = nameOf(destinationAccountId);
    own.set(name, (own.get(name) ?? 0) + amountInCents);
  }
  if (!window.by.includes("destination")) return [...own.values(), ...before.values()].reduce(add, 0);
  return Math.max(0, ...[...own].map(([name, inCents]) => inCents + (before.get(name) ?? 0)));
}

const add = (sum: number, inCents: number) => sum + inCents;
