/**
 * Goal: members can make a real bank's sandbox do what happens at a bank, and nobody else can. Method: the simulations
 * of Increase in the emulator, and the product's own work that books what follows.
 */
import { expect, onTestFinished, test } from "vitest";
import { openAtBank } from "@/lib/core/ledger/create-account";
import { confirmPayee } from "@/lib/core/payees/decide-payee";
import { simulateDeposit, simulateReturn, simulateSettlement } from "@/lib/core/sandbox/simulate-bank";
import { COLLECT_BANK_NOTICES } from "@/lib/core/shared/work-names";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import { createIncreaseBank } from "@/lib/ports/bank/increase/create-increase-bank";
import { createIncreaseSimulations } from "@/lib/ports/bank/increase/simulations";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { addPayee } from "@/lib/testing/as-entered";
import { openTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readSimulationsPage } from "@/lib/views/sandbox/read-simulations-page";
import { openIncreaseEmulator } from "@/proof/emulators/increase/emulator";

async function arrange() {
  const database = await openTestDatabase();
  const { services, clock, woken } = createTestServices(database);
  const emulator = await openIncreaseEmulator({
    startsAt: clock.now(),
    apiKey: "emulated",
    openingInCents: 10_000_000,
  });
  onTestFinished(() => emulator.close());
  const setting = { apiKey: "emulated", environment: "sandbox", baseUrl: emulator.url } as const;
  const bank = createIncreaseBank(database.pool, setting);
  const simulations = createIncreaseSimulations(setting);
  if (!simulations) throw new Error("Increase's sandbox has simulations");
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const income = await organization.addAccount({ name: "Client payments", type: "INCOME_SOURCE" });
  await database.ownerPool.query(
    "update accounts set number_due_at = $2, account_number_last4 = null where id = $1",
    [income, clock.now()],
  );
  const here = (member = organization.owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const page = () =>
    readSimulationsPage(
      {
        services,
        context: here(),
        time: {
          nowAt: clock.now().toISOString(),
          timeZone: "America/New_York",
          locale: "en-US",
        },
      },
      simulations,
    );
  const collect = () => collectBankNotices(services, bank, 20);
  /** A payment to a payee that the bank has accepted. */
  const paid = async () => {
    const operating = await organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 1_000_000,
    });
    const payeeId = await addPayee(services, bank, here(), {
      name: "Harbor Print Shop",
      kind: "BUSINESS",
      account: {
        holderName: "Harbor Print Shop LLC",
        accountKind: "CHECKING",
        routingNumber: "101050001",
        accountNumber: "987654321",
      },
    });
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payee_details where organization_id = $1",
      [organizationId],
    );
    await confirmPayee(services, here(), { payeeId, detailsId: rows[0]?.id ?? "", callBackNote: null });
    const key = await organization.addKey([moveAnything(false)]);
    const { id } = await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: payeeId,
      amountInCents: 42_500,
    });
    clock.advance(BANK_WINDOW_MS);
    await emulator.advanceTo(clock.now());
    await submitDueTransfers(services, bank, 10);
    return id;
  };
  const statusOf = async (id: string) => {
    const { rows } = await database.pool.query(
      "select status, error_code as code from transfers where organization_id = $1 and id = $2",
      [organizationId, id],
    );
    return rows[0];
  };
  return {
    database,
    services,
    woken,
    bank,
    simulations,
    organization,
    income,
    here,
    page,
    collect,
    paid,
    statusOf,
  };
}

test("a simulated deposit arrives on its income source, and the page says so", async () => {
  const { services, woken, bank, simulations, income, here, page, collect } = await arrange();
  const deposit = { accountId: income, amountInCents: 710_000, payerName: "Halden Health" };
  await expect(simulateDeposit(services, simulations, here(), deposit)).rejects.toMatchObject({
    code: "ACCOUNT_NOT_FOUND",
  });
  await openAtBank(services, bank, 10);
  expect((await page()).receivers).toEqual([{ id: income, label: "Client payments" }]);
  await simulateDeposit(services, simulations, here(), deposit);
  expect(woken).toContain(COLLECT_BANK_NOTICES);
  await collect();
  const { actions, payerNames } = await page();
  expect(payerNames).toContain("Halden Health");
  expect(actions).toMatchObject([
    { memberName: "Mara", action: { kind: "DEPOSITED", amountInCents: 710_000 }, outcome: { settled: 1 } },
  ]);
});

test("an order settles and comes back when a member says so, each once", async () => {
  const { services, simulations, here, page, collect, paid, statusOf } = await arrange();
  const transferId = await paid();
  const choice = { id: transferId, label: "Harbor Print Shop, $425.00" };
  expect(await page()).toMatchObject({ settleable: [choice], returnable: [choice] });
  await simulateSettlement(services, simulations, here(), { transferId });
  await collect();
  expect(await statusOf(transferId)).toMatchObject({ status: "COMPLETE" });
  expect(await page()).toMatchObject({ settleable: [], returnable: [choice] });
  await expect(simulateSettlement(services, simulations, here(), { transferId })).rejects.toMatchObject({
    code: "TRANSFER_NOT_FOUND",
  });
  await expect(
    simulateReturn(services, simulations, here(), { transferId, code: "R01" }),
  ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  await simulateReturn(services, simulations, here(), { transferId, code: "R02" });
  await collect();
  expect(await statusOf(transferId)).toEqual({ status: "RETURNED", code: "ACH_R02" });
  await expect(
    simulateReturn(services, simulations, here(), { transferId, code: "R02" }),
  ).rejects.toMatchObject({ code: "TRANSFER_NOT_FOUND" });
  expect((await page()).actions.map(({ action, outcome }) => [action.kind, outcome.returned])).toEqual([
    ["SENT_BACK", 1],
    ["SETTLED", 1],
  ]);
});

test("only an owner or co-owner can, and never for another organization's money", async () => {
  const { database, services, simulations, organization, here, paid, statusOf } = await arrange();
  const transferId = await paid();
  const viewer = here(await organization.addMember("VIEWER", "Vic"));
  const stranger = (await createTestOrganization(database, services, "Harbor")).owner;
  for (const [member, code] of [
    [viewer, "ACCESS_DENIED"],
    [stranger, "TRANSFER_NOT_FOUND"],
  ] as const) {
    await expect(simulateSettlement(services, simulations, member, { transferId })).rejects.toMatchObject({
      code,
    });
    await expect(
      simulateReturn(services, simulations, member, { transferId, code: "R01" }),
    ).rejects.toMatchObject({ code });
  }
  const deposit = { accountId: newId(stranger.now), amountInCents: 100, payerName: "Halden Health" };
  await expect(simulateDeposit(services, simulations, stranger, deposit)).rejects.toMatchObject({
    code: "ACCOUNT_NOT_FOUND",
  });
  expect(await statusOf(transferId)).toMatchObject({ status: "PROCESSING" });
});

test("a bank that does not answer is named, and production has no simulations", async () => {
  const { services, here, paid } = await arrange();
  const transferId = await paid();
  const down = createIncreaseSimulations({
    apiKey: "emulated",
    environment: "sandbox",
    baseUrl: "http://127.0.0.1:9",
  });
  await expect(simulateSettlement(services, down, here(), { transferId })).rejects.toThrow(
    "The bank did not answer",
  );
  const real = { apiKey: "key", environment: "production", baseUrl: null } as const;
  expect(createIncreaseSimulations(real)).toBeNull();
  await expect(simulateSettlement(services, null, here(), { transferId })).rejects.toMatchObject({
    code: "ACCESS_DENIED",
  });
});
