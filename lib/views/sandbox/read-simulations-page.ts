import type { SandboxChoice } from "@/lib/contract/sandbox";
import type { TimeContext } from "@/lib/contract/time-context";
import type { Context } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";
import type { BankSimulations } from "@/lib/ports/bank/bank-simulations";
import type { TimedReading } from "@/lib/views/reading";
import { readActions, type SandboxActionView } from "@/lib/views/sandbox/read-actions";
import { readMoving, readPayerNames, toChoice } from "@/lib/views/sandbox/read-sandbox-page";

/** Where a real bank's own sandbox keeps the money. */
export interface SimulationsView {
  bankName: string;
  canDrive: boolean;
  time: TimeContext;
  /** Income sources with an account number. */
  receivers: SandboxChoice[];
  payerNames: string[];
  /** Orders at the bank that have not settled. */
  settleable: SandboxChoice[];
  /** Orders at the bank, settled or not. */
  returnable: SandboxChoice[];
  /** Newest first. */
  actions: SandboxActionView[];
}

/** What /sandbox shows where a real bank's own sandbox keeps the money. */
export async function readSimulationsPage(
  { services, context, time }: TimedReading<keyof Services>,
  { bankName }: BankSimulations,
): Promise<SimulationsView> {
  const [receivers, payerNames, moving, actions] = await Promise.all([
    readIncomeSources(services, context),
    readPayerNames({ services, context }),
    readMoving({ services, context }),
    readActions({ services, context }),
  ]);
  // Deposits have no order that the bank's sandbox could return.
  const orders = moving.filter(({ isOrder }) => isOrder);
  return {
    bankName,
    canDrive: mayDecide(context.actor),
    time,
    receivers,
    payerNames,
    settleable: orders.filter(({ isSettled }) => !isSettled).map(toChoice),
    returnable: orders.map(toChoice),
    actions,
  };
}

/** With the account number that the bank has made. */
async function readIncomeSources(
  services: Pick<Services, "pool">,
  context: Context,
): Promise<SimulationsView["receivers"]> {
  const { rows } = await services.pool.query<SimulationsView["receivers"][number]>({
    name: "read_numbered_income_sources",
    text: `
      select id, name as label from accounts
       where organization_id = $1 and type = 'INCOME_SOURCE' and deleted_at is null
         and account_number_last4 is not null
       order by id limit 200`,
    values: [context.organizationId],
  });
  return rows;
}
