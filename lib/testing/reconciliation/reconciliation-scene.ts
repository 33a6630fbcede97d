import { type ReconciledPorts, reconcileDue } from "@/lib/core/reconciliation/reconcile";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxBankDriver } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

const DAY_MS = 86_400_000;
/** More turns than any reconciliation of a test needs. */
const MAXIMUM_TURNS = 40;

/** An organization whose money is all at the sandbox bank, and a bank that can be made to err. */
export async function createReconciliationScene(database: TestDatabase) {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const pod = await organization.addAccount({ name: "Operating", type: "POD" });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 9_000_000,
  });
  const key = await organization.addKey([moveAnything(false)]);
  const bank = createSandboxBank(database.pool);
  const driver = createSandboxBankDriver(database.pool);
  const cards = createTestCards(database, services, organization);
  const ports: ReconciledPorts = { bank, cards: createSandboxCardNetwork(database.pool) };

  /** Money from outside, through the bank. @returns the bank's reference */
  async function deposit(amountInCents: number): Promise<string> {
    const { reference } = await driver.deposit({
      organizationId,
      accountId: pod,
      amountInCents,
      origin: "DIRECT_DEPOSIT",
      payerName: "Halden Health",
      businessNow: clock.now(),
    });
    await collectBankNotices(services, bank, 50);
    return reference;
  }

  /** @returns the transfer's id */
  async function order(direction: "OUT" | "IN", amountInCents: number): Promise<string> {
    const [sourceAccountId, destinationAccountId] = direction === "OUT" ? [pod, checking] : [checking, pod];
    const route = { sourceAccountId, destinationAccountId, amountInCents };
    const { id } = await askTransfer(services, key.context, route);
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 50);
    return id;
  }

  async function passDays(days: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      clock.advance(DAY_MS);
      await collectBankNotices(services, bank, 50);
      await cards.collect();
    }
  }

  /** As if a member had asked: until nothing is due anymore, waits and retries included. */
  async function reconcile(using: ReconciledPorts = ports): Promise<void> {
    await database.pool.query(
      `insert into reconciliations (organization_id, due_at) values ($1, $2)
       on conflict (organization_id) do update set due_at = excluded.due_at`,
      [organizationId, clock.now()],
    );
    for (let turn = 0; turn < MAXIMUM_TURNS; turn += 1) {
      await reconcileDue(services, using, 50);
      const { rows } = await database.pool.query<{ dueAt: Date; isOver: boolean }>(
        `select due_at as "dueAt",
            lines_from is null and waits = 0 and retries = 0 and due_at > $2::timestamptz + interval '10 minutes'
            as "isOver"
           from reconciliations where organization_id = $1`,
        [organizationId, clock.now()],
      );
      const state = rows[0];
      if (!state || state.isOver) return;
      if (state.dueAt > clock.now()) clock.set(state.dueAt);
    }
    throw new Error("The reconciliation does not end");
  }

  async function differences() {
    const { rows } = await database.pool.query<{
      id: string;
      kind: string;
      state: string;
      resolution: string | null;
      bankInCents: number;
      booksInCents: number;
      reference: string | null;
    }>(
      `select id, kind, state, resolution, bank_in_cents as "bankInCents", books_in_cents as "booksInCents",
          line_reference as reference
         from bank_differences where organization_id = $1 order by id`,
      [organizationId],
    );
    return rows;
  }

  async function last() {
    const { rows } = await database.pool.query<{
      bank: number;
      books: number;
      expected: number;
      open: number;
      unexplained: number;
    }>(
      `select bank_in_cents as bank, books_in_cents as books, expected_in_cents as expected, open_in_cents as open,
          unexplained_in_cents as unexplained
         from reconciliations where organization_id = $1`,
      [organizationId],
    );
    if (!rows[0]) throw new Error("Nothing was reconciled");
    return rows[0];
  }

  return {
    services,
    clock,
    woken,
    organization,
    organizationId,
    pod,
    bank,
    driver,
    cards,
    ports,
    deposit,
    order,
    passDays,
    reconcile,
    differences,
    last,
  };
}
