import { AppError } from "@/lib/contract/error";
import type { AchReturnCode } from "@/lib/contract/transfer";
import { noteAction, requirePossibleReturn } from "@/lib/core/sandbox/drive";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { COLLECT_BANK_NOTICES } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";
import { BankRefusesAccount, BankUnavailable } from "@/lib/ports/bank/bank-port";
import type { BankSimulations } from "@/lib/ports/bank/bank-simulations";

type SimulatingServices = Pick<Services, "pool" | "wake">;

/**
 * Asks a real bank's sandbox to send money to an income source.
 * @throws AppError `ACCESS_DENIED`, `ACCOUNT_NOT_FOUND`, `INVALID_PARAMETERS` while the bank does not answer
 */
export async function simulateDeposit(
  services: SimulatingServices,
  simulations: BankSimulations | null,
  context: Context<MemberActor>,
  deposit: { accountId: string; amountInCents: number; payerName: string },
): Promise<void> {
  const bank = requireSimulations(context, simulations);
  const { organizationId } = context;
  const { rows } = await services.pool.query<{ name: string }>({
    name: "find_income_source_to_simulate",
    text: `select name from accounts
            where organization_id = $1 and id = $2 and type = 'INCOME_SOURCE' and deleted_at is null`,
    values: [organizationId, deposit.accountId],
  });
  const [account] = rows;
  const reference = account && (await answered(() => bank.deposit({ organizationId, ...deposit })));
  if (!account || !reference) {
    throw new AppError("ACCOUNT_NOT_FOUND", "Choose an income source that has its account number.");
  }
  await noteAction(services.pool, context, {
    kind: "DEPOSITED",
    reference,
    origin: "DIRECT_DEPOSIT",
    amountInCents: deposit.amountInCents,
    accountName: account.name,
    payerName: deposit.payerName,
    arrivesAt: context.now.toISOString(),
  });
  services.wake(COLLECT_BANK_NOTICES);
}

/**
 * Asks a real bank's sandbox to settle an order now.
 * @throws AppError `ACCESS_DENIED`, `TRANSFER_NOT_FOUND`, `INVALID_PARAMETERS` while the bank does not answer
 */
export async function simulateSettlement(
  services: SimulatingServices,
  simulations: BankSimulations | null,
  context: Context<MemberActor>,
  { transferId }: { transferId: string },
): Promise<void> {
  const bank = requireSimulations(context, simulations);
  const order = await findOrder(services, context, transferId);
  const isSettled = order && !order.isSettled && (await answered(() => bank.settle(transferId)));
  if (!order || !isSettled) throw nothingThere("settle");
  const { amountInCents, partyName } = order;
  await noteAction(services.pool, context, { kind: "SETTLED", transferId, amountInCents, partyName });
  services.wake(COLLECT_BANK_NOTICES);
}

/**
 * Asks a real bank's sandbox to return an order, settled or not.
 * @throws AppError `ACCESS_DENIED`, `TRANSFER_NOT_FOUND`, `INVALID_PARAMETERS` while the bank does not answer
 */
export async function simulateReturn(
  services: SimulatingServices,
  simulations: BankSimulations | null,
  context: Context<MemberActor>,
  { transferId, code }: { transferId: string; code: AchReturnCode },
): Promise<void> {
  const bank = requireSimulations(context, simulations);
  const order = await findOrder(services, context, transferId);
  if (order) requirePossibleReturn(code, order.isPull);
  const isReturned = order && (await answered(() => bank.sendBack(transferId, code)));
  if (!order || !isReturned) throw nothingThere("return");
  const { amountInCents, partyName } = order;
  await noteAction(services.pool, context, { kind: "SENT_BACK", transferId, amountInCents, partyName, code });
  services.wake(COLLECT_BANK_NOTICES);
}

function requireSimulations(
  context: Context<MemberActor>,
  simulations: BankSimulations | null,
): BankSimulations {
  if (!simulations) throw new AppError("ACCESS_DENIED", "This bank has no simulations.");
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner can control the bank's sandbox.");
  }
  return simulations;
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BankRefusesAccount) throw new AppError("INVALID_PARAMETERS", error.message);
    if (!(error instanceof BankUnavailable)) throw error;
    throw new AppError("INVALID_PARAMETERS", "The bank did not answer. Try again in a minute.");
  }
}

const nothingThere = (what: "settle" | "return") =>
  new AppError("TRANSFER_NOT_FOUND", `The bank has nothing of this transfer to ${what}.`);

interface Order {
  isPull: boolean;
  amountInCents: number;
  partyName: string;
  isSettled: boolean;
}

/** Of this organization, with the bank or settled. */
async function findOrder(
  services: Pick<Services, "pool">,
  context: Context,
  transferId: string,
): Promise<Order | null> {
  const { rows } = await services.pool.query<Order>({
    name: "find_order_at_bank",
    text: `
      select t.amount_in_cents as "amountInCents", t.status = 'COMPLETE' as "isSettled",
          t.direction = 'MONEY_IN' as "isPull",
          case when t.direction = 'MONEY_OUT' then d.name else s.name end as "partyName"
        from transfers t
        join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
        join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
       where t.organization_id = $1 and t.id = $2 and t.direction <> 'INTERNAL' and t.execution_mode = 'LIVE'
         and (t.status = 'COMPLETE' or t.next_step in ('ASK', 'AWAIT'))`,
    values: [context.organizationId, transferId],
  });
  return rows[0] ?? null;
}
