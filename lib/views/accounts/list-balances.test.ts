import { describe, expect, it } from "vitest";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { listBalances } from "@/lib/views/accounts/list-balances";

const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD", balanceInCents: 250_000 });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 400_000,
  });
  const visa = await organization.addAccount({
    name: "Visa",
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "LIABILITY",
    balanceInCents: 90_000,
  });
  const mover = await organization.addKey([moveAnything(false)]);
  const move = (sourceAccountId: string, destinationAccountId: string, amountInCents: number) =>
    askTransfer(services, mover.context, { sourceAccountId, destinationAccountId, amountInCents });
  const read = async (accounts: "ALL" | string[], pageSize = 100, page = 1) => {
    const { context } = await organization.addKey([{ type: "READ_ACCOUNTS", accounts }]);
    return listBalances(services, context, { page, pageSize });
  };
  return { services, organization, operating, taxes, checking, visa, move, read };
}

describe("the list of balances", () => {
  it("adds up all managed money that the key may read, whichever page is read", async () => {
    const { operating, taxes, read } = await arrange();
    const first = await read("ALL", 1);
    expect(first.items.map(({ accountId }) => accountId)).toEqual([operating]);
    expect(first.pagination.hasNextPage).toBe(true);
    expect(first.managed.balanceInCents).toBe(1_250_000);
    const second = await read("ALL", 1, 2);
    expect(second.items.map(({ accountId }) => accountId)).toEqual([taxes]);
    expect(second.managed).toEqual(first.managed);
  });

  it("says of each account what is arriving and leaving, and of a debt what is paid and not shown yet", async () => {
    const { operating, taxes, checking, visa, move, read } = await arrange();
    await move(operating, visa, 30_000);
    await move(operating, checking, 5_000);
    await move(checking, taxes, 20_000);
    const { items, managed } = await read("ALL");
    const of = (id: string) => items.find(({ accountId }) => accountId === id);
    expect(of(operating)).toMatchObject({
      balance: { balanceInCents: 1_000_000, availableBalanceInCents: 965_000 },
      arrivingInCents: 0,
      leavingInCents: 35_000,
      paymentsOnTheirWayInCents: null,
    });
    expect(of(taxes)).toMatchObject({ arrivingInCents: 20_000, leavingInCents: 0 });
    expect(of(checking)).toMatchObject({ arrivingInCents: 5_000, leavingInCents: null });
    expect(of(visa)).toMatchObject({
      balance: { balanceInCents: 90_000 },
      arrivingInCents: null,
      paymentsOnTheirWayInCents: 30_000,
    });
    expect(managed).toEqual({
      balanceInCents: 1_250_000,
      availableBalanceInCents: 1_215_000,
      arrivingInCents: 20_000,
      leavingInCents: 35_000,
    });
  });

  it("neither lists nor adds up an account outside the key's list, or of another organization", async () => {
    const { services, organization, operating, taxes, move, checking, read } = await arrange();
    const stranger = await createTestOrganization(database, services, "Elsewhere");
    const theirs = await stranger.addAccount({ name: "Theirs", type: "POD", balanceInCents: 777_000 });
    await move(operating, checking, 5_000);
    const own = await read([taxes]);
    expect(own.items.map(({ accountId }) => accountId)).toEqual([taxes]);
    expect(own.managed).toEqual({
      balanceInCents: 250_000,
      availableBalanceInCents: 250_000,
      arrivingInCents: 0,
      leavingInCents: 0,
    });
    const { context } = await organization.addKey([]);
    const permissions = [{ type: "READ_ACCOUNTS" as const, accounts: [theirs] }];
    const leaked = await listBalances(
      services,
      { ...context, actor: { ...context.actor, permissions } },
      { page: 1, pageSize: 10 },
    );
    expect(leaked.items).toEqual([]);
    expect(leaked.managed.balanceInCents).toBe(0);
  });

  it("leaves out a closed account once it is empty, so that the list adds up to the sum", async () => {
    const { organization, taxes, read } = await arrange();
    const close = (id: string) =>
      database.ownerPool.query(
        "update accounts set deleted_at = now() where organization_id = $1 and id = $2",
        [organization.organizationId, id],
      );
    await close(taxes);
    const holding = await read("ALL");
    expect(holding.items.find(({ accountId }) => accountId === taxes)?.isClosed).toBe(true);
    expect(holding.managed.balanceInCents).toBe(1_250_000);
    const empty = await organization.addAccount({ name: "Empty", type: "POD" });
    await close(empty);
    expect((await read("ALL")).items.map(({ accountId }) => accountId)).not.toContain(empty);
  });
});
