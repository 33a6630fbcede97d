import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import type { SentRequest } from "@/lib/contract/api-request";
import type { PermissionOf } from "@/lib/contract/permissions";
import { permissionsSchema } from "@/lib/contract/permissions";
import type { TransferDirection, TransferStatus } from "@/lib/contract/transfer";
import type { Queryable } from "@/lib/platform/db/transaction";

/** One party of a proposal with its money as it is at the moment of reading. */
export interface PartyFacts {
  id: string;
  name: string;
  type: AccountType;
  externalAccountType: ExternalAccountType | null;
  isClosed: boolean;
  /** Null: not known. */
  balanceInCents: number | null;
  /** What the next transfer could take: less holds, or less our pulls since the provider's last word. */
  availableInCents: number | null;
  floorInCents: number | null;
}

export type ProposalState = "WAITING" | "APPROVED" | "DENIED" | "EXPIRED" | "REVOKED";

/** Everything about a proposal that its checks and its digest rest on. */
export interface ApprovalFacts {
  id: string;
  state: ProposalState;
  status: TransferStatus;
  direction: TransferDirection;
  amountInCents: number;
  description: string | null;
  reason: string | null;
  request: SentRequest | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
  completedAt: Date | null;
  expectedCompletionDate: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  isCancellable: boolean;
  cancelledByName: string | null;
  source: PartyFacts;
  destination: PartyFacts;
  proposedBy: { kind: "API_KEY" | "MEMBER"; id: string | null; name: string };
  key: {
    id: string;
    createdAt: Date;
    createdByName: string;
    lastUsedAt: Date | null;
    isRevoked: boolean;
    /** Null where no member did: it was replaced, or the operator revoked it. */
    revokedByName: string | null;
    manualTransfer: PermissionOf<"MANUAL_TRANSFER"> | null;
  } | null;
  decision: {
    at: Date;
    byId: string | null;
    byName: string | null;
    method: "PASSKEY" | "PASSWORD" | "RECENT_SIGN_IN" | "RECOVERY_CODE" | null;
    passkeyName: string | null;
    note: string | null;
  } | null;
  /** Completed live transfers from the same source to the same destination. */
  route: {
    count: number;
    firstAt: Date | null;
    lastAt: Date | null;
    lowInCents: number | null;
    medianInCents: number | null;
    highInCents: number | null;
  };
  /** Others of the last 24 hours on this route, or of this amount from this source. */
  similarLately: { count: number; lastAt: Date | null };
}

/** The middle half and the median of at most this many transfers describe a route. */
const ROUTE_SAMPLE = 500;
const LATELY_MS = 24 * 60 * 60 * 1000;

/**
 * Reads the facts of one proposal, or null when the organization has none with this id. Inside the deciding
 * transaction it reads under that transaction's locks, so what is decided is what is checked.
 * @param now business time.
 */
export async function readApprovalFacts(
  database: Queryable,
  organizationId: string,
  proposalId: string,
  now: Date,
): Promise<ApprovalFacts | null> {
  const { rows } = await database.query<FactsRow>({
    name: "read_approval_facts",
    text: READ_FACTS,
    values: [organizationId, proposalId, new Date(now.getTime() - LATELY_MS), ROUTE_SAMPLE],
  });
  return rows[0] ? toFacts(rows[0]) : null;
}

const PARTY = (alias: string, ledger: string, provider: string) => `
  json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'type', ${alias}.type,
    'externalAccountType', ${alias}.external_account_type, 'isClosed', ${alias}.deleted_at is not null,
    'floorInCents', ${alias}.floor_in_cents,
    'balanceInCents', coalesce(${ledger}.credits_in_cents - ${ledger}.debits_in_cents, ${provider}.balance_in_cents),
    'availableInCents', coalesce(
      ${ledger}.credits_in_cents - ${ledger}.debits_in_cents - ${ledger}.held_in_cents,
      coalesce(${provider}.available_balance_in_cents, ${provider}.balance_in_cents) - (
        select coalesce(sum(amount_in_cents), 0) from transfers pulled
         where pulled.organization_id = $1 and pulled.source_account_id = ${alias}.id
           and pulled.execution_mode = 'LIVE' and pulled.accepted_at >= ${provider}.refreshed_at
           and pulled.status in ('PROCESSING', 'COMPLETE'))))`;

const READ_FACTS = `
  select p.id, p.state, t.status, t.direction, t.amount_in_cents, t.description, t.reason_for_approval, p.request,
      p.created_at, t.updated_at, p.expires_at, t.completed_at, t.error_code, t.error_message,
      t.expected_completion_date::text as expected_completion_date,
      coalesce(t.next_step in ('BOOK', 'SUBMIT'), false) as is_cancellable,
      (select name from users where id = t.cancelled_by) as cancelled_by_name,
      t.proposed_by_kind, t.proposed_by_id, t.proposed_by_name,
      ${PARTY("s", "sl", "sp")} as source, ${PARTY("d", "dl", "dp")} as destination,
      k.id as key_id, k.created_at as key_created_at, maker.name as key_created_by_name, k.last_used_at,
      k.revoked_at is not null as key_is_revoked, revoker.name as key_revoked_by_name, k.permissions,
      p.decided_at, p.decided_by, decider.name as decided_by_name, p.decision_method, p.decision_passkey_name,
      p.decision_note,
      route.count as route_count, route.first_at, route.last_at, route.low, route.median, route.high,
      lately.count as lately_count, lately.last_at as lately_last_at
    from proposals p
    join transfers t on t.organization_id = p.organization_id and t.id = p.id
    join accounts s on s.organization_id = p.organization_id and s.id = t.source_account_id
    join accounts d on d.organization_id = p.organization_id and d.id = t.destination_account_id
    left join ledgers sl on sl.organization_id = p.organization_id and sl.id = s.id
    left join ledgers dl on dl.organization_id = p.organization_id and dl.id = d.id
    left join provider_balances sp on sp.organization_id = p.organization_id and sp.account_id = s.id
    left join provider_balances dp on dp.organization_id = p.organization_id and dp.account_id = d.id
    left join api_keys k on k.organization_id = p.organization_id and k.id = p.api_key_id
    left join users maker on maker.id = k.created_by
    left join users revoker on revoker.id = k.revoked_by
    left join users decider on decider.id = p.decided_by
    cross join lateral (
      select count(*)::int as count, min(sample.created_at) as first_at, max(sample.created_at) as last_at,
          percentile_disc(0.25) within group (order by sample.amount_in_cents) as low,
          percentile_disc(0.5) within group (order by sample.amount_in_cents) as median,
          percentile_disc(0.75) within group (order by sample.amount_in_cents) as high
        from (
          select before.amount_in_cents, before.created_at from transfers before
           where before.organization_id = $1 and before.source_account_id = t.source_account_id
             and before.destination_account_id = t.destination_account_id and before.execution_mode = 'LIVE'
             and before.status = 'COMPLETE' and before.id < t.id
           order by before.id desc limit $4) sample) route
    cross join lateral (
      select count(*)::int as count, max(other.created_at) as last_at from (
        select other.created_at from transfers other
         where other.organization_id = $1 and other.source_account_id = t.source_account_id
           and other.execution_mode = 'LIVE' and other.id <> t.id and other.created_at > $3
           and other.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE')
           and (other.destination_account_id = t.destination_account_id or other.amount_in_cents = t.amount_in_cents)
         order by other.id desc limit $4) other) lately
   where p.organization_id = $1 and p.id = $2`;

interface FactsRow {
  id: string;
  state: ProposalState;
  status: TransferStatus;
  direction: TransferDirection;
  amount_in_cents: number;
  description: string | null;
  reason_for_approval: string | null;
  request: SentRequest | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  completed_at: Date | null;
  expected_completion_date: string | null;
  error_code: string | null;
  error_message: string | null;
  is_cancellable: boolean;
  cancelled_by_name: string | null;
  proposed_by_kind: "API_KEY" | "MEMBER";
  proposed_by_id: string | null;
  proposed_by_name: string;
  source: PartyFacts;
  destination: PartyFacts;
  key_id: string | null;
  key_created_at: Date | null;
  key_created_by_name: string | null;
  last_used_at: Date | null;
  key_revoked_by_name: string | null;
  key_is_revoked: boolean;
  permissions: unknown;
  decided_at: Date | null;
  decided_by: string | null;
  decided_by_name: string | null;
  decision_method: NonNullable<ApprovalFacts["decision"]>["method"];
  decision_passkey_name: string | null;
  decision_note: string | null;
  route_count: number;
  first_at: Date | null;
  last_at: Date | null;
  low: number | null;
  median: number | null;
  high: number | null;
  lately_count: number;
  lately_last_at: Date | null;
}

function toFacts(row: FactsRow): ApprovalFacts {
  return {
    id: row.id,
    state: row.state,
    status: row.status,
    direction: row.direction,
    amountInCents: row.amount_in_cents,
    description: row.description,
    reason: row.reason_for_approval,
    request: row.request,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
    expectedCompletionDate: row.expected_completion_date,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    isCancellable: row.is_cancellable,
    cancelledByName: row.cancelled_by_name,
    source: row.source,
    destination: row.destination,
    proposedBy: { kind: row.proposed_by_kind, id: row.proposed_by_id, name: row.proposed_by_name },
    key: toKey(row),
    decision: row.decided_at && {
      at: row.decided_at,
      byId: row.decided_by,
      byName: row.decided_by_name,
      method: row.decision_method,
      passkeyName: row.decision_passkey_name,
      note: row.decision_note,
    },
    route: {
      count: row.route_count,
      firstAt: row.first_at,
      lastAt: row.last_at,
      lowInCents: row.low,
      medianInCents: row.median,
      highInCents: row.high,
    },
    similarLately: { count: row.lately_count, lastAt: row.lately_last_at },
  };
}

function toKey(row: FactsRow): ApprovalFacts["key"] {
  if (row.key_id === null || row.key_created_at === null) return null;
  const permissions = permissionsSchema.parse(row.permissions);
  const manualTransfer = permissions.find((permission) => permission.type === "MANUAL_TRANSFER");
  return {
    id: row.key_id,
    createdAt: row.key_created_at,
    createdByName: row.key_created_by_name ?? "a former member",
    lastUsedAt: row.last_used_at,
    isRevoked: row.key_is_revoked,
    revokedByName: row.key_revoked_by_name,
    manualTransfer: manualTransfer ?? null,
  };
}
