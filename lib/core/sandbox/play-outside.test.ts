import { expect, test } from "vitest";
import { leaseConnections } from "@/lib/core/connections/apply-refresh";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { listConnections } from "@/lib/core/connections/list-connections";
import { refreshConnection } from "@/lib/core/connections/refresh-due-connections";
import {
  changeConnection,
  decidePending,
  listPendingOutside,
  moveOutside,
} from "@/lib/core/sandbox/play-outside";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { readActions } from "@/lib/views/sandbox/read-actions";

/** Controls of the simulated institutions. Risk: a page that reports something no one can find. */
const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { owner, organizationId } = organization;
  const aggregator = createSandboxAggregator(database.pool);
  const sandbox = createTestSandbox(services);
  const { connectionId, accountIds } = await connectAccounts(services, aggregator, owner, {
    kind: "CHOICE",
    institutionId: "sbx_first_harbor",
    templates: ["first_harbor_checking"],
  });
  /** Does what the worker does for this connection. */
  const refresh = async () => {
    const leased = await leaseConnections(services, "SANDBOX", 100);
    for (const one of leased.filter(({ id }) => id === connectionId)) {
      await refreshConnection(services, aggregator, one);
    }
  };
  const seen = async (merchantName: string) => {
    const { rows } = await database.pool.query(
      `select status, direction, amount_in_cents as amount, vanished_at is not null as "isGone"
         from external_transactions where organization_id = $1 and merchant_name = $2`,
      [organizationId, merchantName],
    );
    return rows;
  };
  await refresh();
  return {
    services,
    organization,
    owner,
    sandbox,
    connectionId,
    accountId: accountIds[0] ?? "",
    refresh,
    seen,
  };
}

const purchase = {
  direction: "MONEY_OUT",
  amountInCents: 6_420,
  partyName: "Harbor Cloud",
} as const;

test("a simulated movement outside is seen once, and listed", async () => {
  const { services, sandbox, owner, accountId, refresh, seen } = await arrange();
  await moveOutside(services, sandbox, owner, { ...purchase, accountId, isPending: false });
  await refresh();
  await refresh();
  expect(await seen("Harbor Cloud")).toEqual([
    { status: "COMPLETE", direction: "MONEY_OUT", amount: 6_420, isGone: false },
  ]);
  const [reported] = await readActions({ services, context: owner });
  expect(reported?.action).toMatchObject({
    kind: "MOVED_OUTSIDE",
    partyName: "Harbor Cloud",
    isPending: false,
  });
});

test("a pending transaction settles with another amount, or vanishes, as the member chooses", async () => {
  const { services, sandbox, owner, accountId, refresh, seen } = await arrange();
  await moveOutside(services, sandbox, owner, {
    ...purchase,
    accountId,
    partyName: "Tip Top",
    isPending: true,
  });
  await moveOutside(services, sandbox, owner, {
    ...purchase,
    accountId,
    partyName: "Gone Oil",
    isPending: true,
  });
  await refresh();
  const pending = await listPendingOutside(services, sandbox, owner);
  const idOf = (name: string) => pending.find(({ label }) => label.startsWith(name))?.id ?? "";
  await decidePending(services, sandbox, owner, { pendingId: idOf("TIP TOP"), settledInCents: 7_700 });
  await decidePending(services, sandbox, owner, { pendingId: idOf("GONE OIL"), settledInCents: null });
  await refresh();
  expect(await seen("Tip Top")).toMatchObject([{ status: "COMPLETE", amount: 7_700, isGone: false }]);
  expect(await seen("Gone Oil")).toMatchObject([{ isGone: true }]);
  await expect(
    decidePending(services, sandbox, owner, { pendingId: idOf("TIP TOP"), settledInCents: null }),
  ).rejects.toMatchObject({ code: "EXTERNAL_TRANSACTION_NOT_FOUND" });
});

test("a connection that needs a new sign-in stops, and resumes once it is restored", async () => {
  const { services, sandbox, owner, connectionId, refresh } = await arrange();
  const statusNow = async () => (await listConnections(services, owner))[0]?.status;
  await changeConnection(services, sandbox, owner, { connectionId, change: "SIGN_IN" });
  await refresh();
  expect(await statusNow()).toBe("NEEDS_SIGN_IN");
  await changeConnection(services, sandbox, owner, { connectionId, change: "HEALED" });
  await refresh();
  expect(await statusNow()).toBe("ACTIVE");
});

test("viewers and other organizations change nothing outside", async () => {
  const { services, sandbox, organization, connectionId, accountId } = await arrange();
  const stranger = await createTestOrganization(database, services, "Elsewhere");
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const movement = { ...purchase, accountId, isPending: false };
  const denied = { code: "ACCESS_DENIED" };
  await expect(moveOutside(services, sandbox, viewer, movement)).rejects.toMatchObject(denied);
  await expect(
    changeConnection(services, sandbox, viewer, { connectionId, change: "SIGN_IN" }),
  ).rejects.toMatchObject(denied);
  await expect(moveOutside(services, null, organization.owner, movement)).rejects.toMatchObject(denied);
  await expect(moveOutside(services, sandbox, stranger.owner, movement)).rejects.toMatchObject({
    code: "ACCOUNT_NOT_FOUND",
  });
  await expect(
    changeConnection(services, sandbox, stranger.owner, { connectionId, change: "SIGN_IN" }),
  ).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
});
