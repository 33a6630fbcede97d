import { AppError } from "@/lib/contract/error";
import { TEST_DEPOSIT_IN_CENTS, TEST_PAYER_NAME } from "@/lib/contract/onboarding";
import type { AchReturnCode } from "@/lib/contract/transfer";
import {
  noteAction,
  requireDriver,
  requirePossibleReturn,
  type SandboxWorld,
} from "@/lib/core/sandbox/drive";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { COLLECT_BANK_NOTICES } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

interface SandboxDeposit {
  accountId: string;
  amountInCents: number;
  payerName: string;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
}

/**
 * Simulates an outside payment to a managed account: at once, or as a check that clears the next banking day.
 * @throws AppError `ACCESS_DENIED`, `ACCOUNT_NOT_FOUND`.
 */
export async function makeDeposit(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  deposit: SandboxDeposit,
): Promise<void> {
  const { bank } = requireDriver(context, sandbox);
  const accountName = await findReceiver(services, context, deposit.accountId);
  const { organizationId, now } = context;
  const made = await bank.deposit({ ...deposit, organizationId, businessNow: now });
  const { amountInCents, payerName, origin } = deposit;
  await noteAction(services.pool, context, {
    kind: "DEPOSITED",
    reference: made.reference,
    origin,
    amountInCents,
    accountName,
    payerName,
    arrivesAt: made.arrivesAt.toISOString(),
  });
  services.wake(COLLECT_BANK_NOTICES);
}

/**
 * Simulates the first payment to a new organization: to its first income source, or else its first pod.
 * @throws AppError `ACCESS_DENIED`, `ACCOUNT_NOT_FOUND` before the first account is open.
 */
export async function makeTestDeposit(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
): Promise<void> {
  requireDriver(context, sandbox);
  const { rows } = await services.pool.query<{ id: string }>({
    name: "find_first_receiver",
    text: `select id from accounts
            where organization_id = $1 and type <> 'EXTERNAL_ACCOUNT' and deleted_at is null
            order by type, id limit 1`,
    values: [context.organizationId],
  });
  if (!rows[0]) throw new AppError("ACCOUNT_NOT_FOUND", "Open a pod first. Nothing was deposited.");
  await makeDeposit(services, sandbox, context, {
    accountId: rows[0].id,
    amountInCents: TEST_DEPOSIT_IN_CENTS,
    payerName: TEST_PAYER_NAME,
    origin: "DIRECT_DEPOSIT",
  });
}

async function findReceiver(
  services: Pick<Services, "pool">,
  context: Context,
  accountId: string,
): Promise<string> {
  const { rows } = await services.pool.query<{ name: string }>({
    name: "find_receiver",
    text: `select name from accounts
            where organization_id = $1 and id = $2 and type <> 'EXTERNAL_ACCOUNT' and deleted_at is null`,
    values: [context.organizationId, accountId],
  });
  if (!rows[0]) throw new AppError("ACCOUNT_NOT_FOUND", "Sluice has no such open account.");
  return rows[0].name;
}

interface Candidate {
  isPull: boolean;
  amountInCents: number;
  partyName: string;
  /** Set for a deposit that the bank reported. */
  depositReference: string | null;
}

/**
 * Simulates a bank return with a code: of a pending transfer before it settles, of a settled one, or of a deposit.
 * @throws AppError `ACCESS_DENIED`, `TRANSFER_NOT_FOUND` if the bank has nothing to return.
 */
export async function sendBack(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  input: { transferId: string; code: AchReturnCode },
): Promise<void> {
  const { bank } = requireDriver(context, sandbox);
  const { organizationId, now: businessNow } = context;
  const candidate = await findCandidate(services, context, input.transferId);
  if (candidate) requirePossibleReturn(input.code, candidate.isPull);
  const asked = { organizationId, businessNow, code: input.code };
  const isReturned =
    candidate &&
    (candidate.depositReference === null
      ? await bank.returnOrder({ ...asked, transferId: input.transferId })
      : await bank.returnDeposit({ ...asked, depositReference: candidate.depositReference }));
  if (!candidate || !isReturned) {
    throw new AppError("TRANSFER_NOT_FOUND", "The bank has nothing of this transfer to return.");
  }
  await noteAction(services.pool, context, {
    kind: "SENT_BACK",
    transferId: input.transferId,
    amountInCents: candidate.amountInCents,
    partyName: candidate.partyName,
    code: input.code,
  });
  services.wake(COLLECT_BANK_NOTICES);
}

/** What the bank holds or has settled. */
async function findCandidate(
  services: Pick<Services, "pool">,
  context: Context,
  transferId: string,
): Promise<Candidate | null> {
  const { rows } = await services.pool.query<Candidate>({
    name: "find_returnable",
    text: `
      select t.amount_in_cents as "amountInCents",
          t.direction = 'MONEY_IN' and t.source_account_id is not null as "isPull",
          coalesce(t.counterparty_name, case when t.direction = 'MONEY_OUT' then d.name else s.name end) as "partyName",
          case when t.source_account_id is null then n.reference end as "depositReference"
        from transfers t
        left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
        left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
        left join bank_notices n
          on n.organization_id = t.organization_id and n.transfer_id = t.id and n.kind = 'SETTLED'
       where t.organization_id = $1 and t.id = $2 and t.direction <> 'INTERNAL'
         and t.status in ('PROCESSING', 'COMPLETE') and t.execution_mode = 'LIVE'`,
    values: [context.organizationId, transferId],
  });
  return rows[0] ?? null;
}

const OWN_LINES = {
  FEE: { sign: -1, description: "Monthly account fee" },
  INTEREST: { sign: 1, description: "Interest payment" },
} as const;

/**
 * Makes the bank charge a fee or pay interest on its own: only reconciliation finds it, as a difference that a person
 * books.
 * @throws AppError `ACCESS_DENIED`
 */
export async function bookByBank(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  { as, amountInCents }: { as: keyof typeof OWN_LINES; amountInCents: number },
): Promise<void> {
  const { bank } = requireDriver(context, sandbox);
  const { organizationId, now: businessNow } = context;
  const { sign, description } = OWN_LINES[as];
  await bank.bookOwnLine({
    organizationId,
    kind: as,
    amountInCents: sign * amountInCents,
    description,
    businessNow,
  });
  await noteAction(services.pool, context, { kind: "BOOKED_BY_BANK", as, amountInCents });
}

const MINUTE_MS = 60_000;

/**
 * Makes the bank stop answering this organization: orders wait and are queried again; none is lost or sent twice.
 * @throws AppError `ACCESS_DENIED`
 */
export async function silenceBank(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  minutes: number,
): Promise<void> {
  const { bank } = requireDriver(context, sandbox);
  const until = new Date(context.now.getTime() + minutes * MINUTE_MS);
  await bank.goSilent({ organizationId: context.organizationId, until });
  await noteAction(services.pool, context, { kind: "SILENCED", untilAt: until.toISOString() });
}
