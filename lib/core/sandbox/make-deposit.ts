import { AppError } from "@/lib/contract/error";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { COLLECT_BANK_NOTICES } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

export interface SandboxDeposit {
  accountId: string;
  amountInCents: number;
  payerName: string;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
}

/**
 * Lets somebody outside send money to a managed account: at once, or as a check that clears the next banking day.
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
  if (!rows[0]) throw new AppError("ACCOUNT_NOT_FOUND", "There is no such open account in Sluice.");
  return rows[0].name;
}
