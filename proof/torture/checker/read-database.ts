import type pg from "pg";

/** The database after the run, read with the checker's own statements. Ids are text, cents numbers. */
export interface Database {
  transfers: TransferRow[];
  entries: EntryRow[];
  ledgers: LedgerRow[];
  proposals: ProposalRow[];
  executions: ExecutionRow[];
  mandates: MandateRow[];
  pauses: { ruleId: string; kind: string; at: Date }[];
  bank: BankOrderRow[];
  bankFaults: BankFaultRow[];
  differences: DifferenceRow[];
  reconciliations: { organizationId: string; unexplainedInCents: number | null }[];
  deposits: { organizationId: string; reference: string; amountInCents: number; isReported: boolean }[];
  /** Lines that the bank booked on its own. */
  unknownLines: { organizationId: string; lineReference: string }[];
  /** Lines of which a bank with books of its own said something else after they were compared. */
  changedLines: { organizationId: string; lineReference: string }[];
  events: { organizationId: string; id: string; resourceId: string; resourceType: string }[];
  accounts: { organizationId: string; id: string; name: string }[];
  auditEntries: AuditRow[];
  seals: SealRow[];
  /** Pulls that are settled and not available yet. */
  unavailable: { transferId: string; holdInCents: number }[];
}

export interface TransferRow {
  organizationId: string;
  id: string;
  status: string;
  mode: string;
  direction: string;
  amountInCents: number;
  mark: string | null;
  sourceId: string | null;
  destinationId: string | null;
  ruleId: string | null;
  executionId: string | null;
  limitId: string | null;
  mandateId: string | null;
  byKind: string;
  byId: string | null;
  errorCode: string | null;
  createdAt: Date;
  acceptedAt: Date | null;
  holdInCents: number;
}

export interface EntryRow {
  organizationId: string;
  id: string;
  transferId: string | null;
  kind: string;
  debitId: string;
  creditId: string;
  amountInCents: number;
  bookedAt: Date;
}

export interface LedgerRow {
  organizationId: string;
  id: string;
  kind: string;
  creditsInCents: number;
  debitsInCents: number;
  heldInCents: number;
  shortfallInCents: number;
}

export interface ProposalRow {
  organizationId: string;
  id: string;
  kind: string;
  state: string;
  keyId: string | null;
  decidedBy: string | null;
}

export interface ExecutionRow {
  organizationId: string;
  id: string;
  ruleId: string;
  status: string;
  mode: string;
  causeKind: string | null;
  causeId: string | null;
  startedBy: string;
  startedById: string | null;
  approvalRequired: boolean;
}

/** What a key may move without asking, once it is signed. */
export interface MandateRow {
  organizationId: string;
  id: string;
  keyId: string;
  /** Whether it was ever in force. */
  isSigned: boolean;
  sourceIds: string[];
  destinationIds: string[];
  maximumInCents: number;
  totalInCents: number;
  maximumUses: number;
}

export interface BankOrderRow {
  organizationId: string;
  transferId: string;
  direction: string;
  amountInCents: number;
  isRefused: boolean;
  isSettled: boolean;
  isReturned: boolean;
}

/** A mistake of the bank in the line of an order or deposit. */
export interface BankFaultRow {
  organizationId: string;
  kind: string;
  /** Here; null: the deposit is unknown. */
  transferId: string | null;
  lineReference: string;
  againReference: string | null;
  /** CHANGED: whether the line was read as it was before. */
  isReadBefore: boolean;
}

export interface DifferenceRow {
  organizationId: string;
  kind: string;
  state: string;
  /** Of the entry; null: it has none. */
  transferId: string | null;
  lineReference: string | null;
  lineTransferId: string | null;
}

/** As the audit page's algorithm takes it: every field a text or null. */
export interface AuditRow {
  organizationId: string;
  id: string;
  createdAt: string;
  apiKeyId: string | null;
  apiKeyName: string | null;
  method: string;
  path: string;
  action: string | null;
  reason: string | null;
  requestId: string;
  outcome: string;
  errorCode: string | null;
  errorDetail: string | null;
}

export interface SealRow {
  organizationId: string;
  sequence: number;
  entryId: string;
  sealedAt: string;
  entryHash: string;
  hash: string;
}

const INSTANT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

export async function readDatabase(owner: pg.Pool): Promise<Database> {
  const read = async <Row extends object>(text: string) => (await owner.query<Row>(text)).rows;
  return {
    transfers: await read<TransferRow>(`
      select organization_id as "organizationId", id, status, execution_mode as mode, direction,
          amount_in_cents::float8 as "amountInCents", description as mark, source_account_id as "sourceId",
          destination_account_id as "destinationId", rule_id as "ruleId", rule_execution_id as "executionId",
          rule_limit_id as "limitId", mandate_id as "mandateId", proposed_by_kind as "byKind", proposed_by_id as "byId",
          error_code as "errorCode", created_at as "createdAt", accepted_at as "acceptedAt",
          hold_in_cents::float8 as "holdInCents" from transfers`),
    entries: await read<EntryRow>(`
      select organization_id as "organizationId", id, transfer_id as "transferId", kind, debit_ledger_id as "debitId",
          credit_ledger_id as "creditId", amount_in_cents::float8 as "amountInCents", booked_at as "bookedAt"
        from entries`),
    ledgers: await read<LedgerRow>(`
      select organization_id as "organizationId", id, kind, credits_in_cents::float8 as "creditsInCents",
          debits_in_cents::float8 as "debitsInCents", held_in_cents::float8 as "heldInCents",
          return_shortfall_in_cents::float8 as "shortfallInCents" from ledgers`),
    proposals: await read<ProposalRow>(`
      select organization_id as "organizationId", id, kind, state, api_key_id as "keyId", decided_by as "decidedBy"
        from proposals`),
    executions: await read<ExecutionRow>(`
      select organization_id as "organizationId", id, rule_id as "ruleId", status, execution_mode as mode,
          cause_kind as "causeKind", cause_id as "causeId", started_by_kind as "startedBy",
          started_by_id as "startedById", approval_required as "approvalRequired" from rule_executions`),
    mandates: await read<MandateRow>(`
      select organization_id as "organizationId", id, api_key_id as "keyId", signed_at is not null as "isSigned",
          terms -> 'sourceAccountIds' as "sourceIds", terms -> 'destinationAccountIds' as "destinationIds",
          (terms ->> 'maximumInCents')::float8 as "maximumInCents", (terms ->> 'totalInCents')::float8 as "totalInCents",
          (terms ->> 'maximumUses')::float8 as "maximumUses" from mandates`),
    pauses: await read(`
      select rule_id as "ruleId", kind, at from rule_events where kind in ('PAUSED', 'RESUMED') order by at`),
    bank: await read<BankOrderRow>(`
      select o.organization_id as "organizationId", o.transfer_id as "transferId", o.direction,
          o.amount_in_cents::float8 as "amountInCents", o.refusal_code is not null as "isRefused",
          exists (select from sandbox_bank_notices n where n.organization_id = o.organization_id
            and n.transfer_id = o.transfer_id and n.kind = 'SETTLED') as "isSettled",
          exists (select from sandbox_bank_notices n where n.organization_id = o.organization_id
            and n.transfer_id = o.transfer_id and n.kind = 'RETURNED') as "isReturned"
        from sandbox_bank_orders o`),
    deposits: await read(`
      select d.organization_id as "organizationId", d.reference, d.amount_in_cents::float8 as "amountInCents",
          exists (select from sandbox_bank_notices n where n.organization_id = d.organization_id
            and n.deposit_reference = d.reference and n.kind = 'DEPOSITED' and n.acknowledged_at is not null) as "isReported"
        from sandbox_bank_deposits d`),
    events: await read(`
      select organization_id as "organizationId", id, resource_id as "resourceId", resource_type as "resourceType"
        from webhook_events where not is_test`),
    accounts: await read(`select organization_id as "organizationId", id, name from accounts`),
    auditEntries: await read<AuditRow>(`
      select organization_id as "organizationId", id,
          to_char(created_at at time zone 'UTC', ${INSTANT}) as "createdAt", api_key_id as "apiKeyId",
          api_key_name as "apiKeyName", method, path, action, reason, request_id as "requestId", outcome,
          error_code as "errorCode", error_detail as "errorDetail" from audit_entries`),
    seals: await read<SealRow>(`
      select organization_id as "organizationId", sequence::float8 as sequence, entry_id as "entryId",
          to_char(sealed_at at time zone 'UTC', ${INSTANT}) as "sealedAt", encode(entry_hash, 'hex') as "entryHash",
          encode(hash, 'hex') as hash from audit_seals order by organization_id, sequence`),
    bankFaults: await read<BankFaultRow>(`
      select f.organization_id as "organizationId", f.kind, f.again_reference as "againReference",
          f.notice_reference as "lineReference",
          coalesce(n.transfer_id, b.transfer_id) as "transferId",
          exists (select from bank_lines l where l.organization_id = f.organization_id
            and l.line_reference = f.notice_reference::text and l.read_at < f.changed_from) as "isReadBefore"
        from sandbox_bank_faults f
        join sandbox_bank_notices n on n.organization_id = f.organization_id and n.notice_reference = f.notice_reference
        left join bank_notices b on b.organization_id = n.organization_id and b.reference = n.deposit_reference`),
    differences: await read<DifferenceRow>(`
      select d.organization_id as "organizationId", d.kind, d.state, e.transfer_id as "transferId",
          d.line_reference as "lineReference", l.transfer_id as "lineTransferId"
        from bank_differences d
        left join entries e on e.organization_id = d.organization_id and e.id = d.entry_id
        left join bank_lines l on l.organization_id = d.organization_id and l.line_reference = d.line_reference`),
    unknownLines: [],
    changedLines: [],
    reconciliations: await read(`
      select organization_id as "organizationId", unexplained_in_cents::float8 as "unexplainedInCents"
        from reconciliations`),
    unavailable: await read(`
      select transfer_id as "transferId", hold_in_cents::float8 as "holdInCents" from bank_settlements
       where hold_in_cents > 0`),
  };
}
