/**
 * Changes that emit events: each transfer at its creation and at each change of its status, whatever the cause; each card
 * transaction; each external transaction when first seen and when it settles; and nothing else. The test records statuses
 * of transfers with its own trigger, so that expected events are not derived from emitted ones.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { listConnections } from "@/lib/core/connections/list-connections";
import { playInstitution } from "@/lib/core/connections/play-institution";
import { refreshDueConnections } from "@/lib/core/connections/refresh-due-connections";
import { refreshNow } from "@/lib/core/connections/refresh-now";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxInstitutions } from "@/lib/ports/aggregator/sandbox/sandbox-institutions";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestCards } from "@/lib/testing/cards";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { inOpenTransaction } from "@/lib/testing/overlap";
import { anythingWithRules, askRun, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const database = useTestDatabase();
beforeAll(async () => {
  await database.ownerPool.query(`
    create table seen_statuses (organization_id uuid, transfer_id uuid, status text, execution_mode text);
    create function see_status() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      -- Booked as it is accepted: its response said PROCESSING.
      if tg_op = 'INSERT' and new.status = 'COMPLETE' and new.origin = 'API' then
        insert into seen_statuses values (new.organization_id, new.id, 'PROCESSING', new.execution_mode);
      end if;
      if tg_op = 'INSERT' or old.status <> new.status then
        insert into seen_statuses values (new.organization_id, new.id, new.status, new.execution_mode);
      end if;
      return null;
    end $$;
    create trigger see_status after insert or update on transfers for each row execute function see_status();`);
});

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 500_000,
  });
  const listen = () =>
    addEndpoint(services, createTestWebhooks(), organizationId, "https://hooks.example/sluice");
  const free = await organization.addKey([moveAnything(false), ...anythingWithRules(false)], "free");
  const asking = await organization.addKey([moveAnything(true), ...anythingWithRules(true)], "asking");
  const move = (key: typeof free, amountInCents: number, destinationAccountId = taxes) =>
    askTransfer(services, key.context, { sourceAccountId: operating, destinationAccountId, amountInCents });
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const bank = createSandboxBank(database.pool);
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      clock.advance(DAY_MS);
      await submitDueTransfers(services, bank, 50);
      await collectBankNotices(services, bank, 50);
    }
  };
  /** How many events each resource has. */
  const emitted = async (type: string) => {
    const { rows } = await database.pool.query<{ resourceId: string; count: number }>(
      `select e.resource_id as "resourceId", count(*)::int as count from webhook_events e
        where e.organization_id = $1 and e.type = $2
          and exists (select from webhook_deliveries d
                       where d.organization_id = $1 and d.event_id = e.id and d.status = 'PENDING')
        group by e.resource_id`,
      [organizationId, type],
    );
    return new Map(rows.map((row) => [row.resourceId, row.count]));
  };
  /** How often each live transfer was created or changed its status, and those statuses. */
  const seen = async () => {
    const { rows } = await database.ownerPool.query<{ id: string; statuses: string[] }>(
      `select transfer_id as id, array_agg(status) as statuses from seen_statuses
        where organization_id = $1 and execution_mode = 'LIVE' group by transfer_id`,
      [organizationId],
    );
    return {
      counts: new Map(rows.map(({ id, statuses }) => [id, statuses.length])),
      statuses: new Set(rows.flatMap(({ statuses }) => statuses)),
    };
  };
  const forget = () =>
    database.ownerPool.query("delete from seen_statuses where organization_id = $1", [organizationId]);
  return {
    ...{ services, clock, organization, organizationId, operating, taxes, checking, listen, free, asking },
    ...{ move, owner, passDays, emitted, seen, forget },
  };
}

describe("a transfer", () => {
  it("emits an event at its creation and at each change of its status, whatever the cause", async () => {
    const scene = await arrange();
    const { services, free, asking, move, owner } = scene;
    await scene.listen();
    await scene.forget();

    await move(free, 1_000);
    await move(free, 90_000_000);
    await bookDueTransfers(services, 64);
    const cancelled = await move(free, 1_100, scene.checking);
    await cancelTransfer(services, owner(), cancelled.id);
    const denied = await move(asking, 1_200);
    const decided = await decideProposal(services, owner(), {
      proposalId: denied.id,
      decision: "DENY",
      confirmation: { kind: "NONE" },
      note: null,
      digest: "",
    });
    expect(decided).toEqual({ kind: "DECIDED" });
    await move(asking, 1_300);
    // The cents of an amount decide whether the sandbox bank refuses, returns or settles.
    for (const amount of [10_001, 10_002, 10_003, 20_000]) await move(free, amount, scene.checking);
    await scene.organization.deposit(scene.operating, 5_000);
    await scene.passDays(14);
    await expireProposals(services, 100);
    const waiting = await move(asking, 1_400);
    await revokeApiKey(services, owner(), asking.id);
    expect(waiting.status).toBe("APPROVAL_PENDING");

    const { counts, statuses } = await scene.seen();
    expect(await scene.emitted("transfer.changed")).toEqual(counts);
    expect(statuses).toEqual(
      new Set([
        "APPROVAL_PENDING",
        "APPROVAL_DENIED",
        "PROCESSING",
        "COMPLETE",
        "FAILED",
        "CANCELLED",
        "RETURNED",
      ]),
    );
  });

  it("of a rule's run emits events like any other", async () => {
    const scene = await arrange();
    const ruleId = await writeRule(scene.services, scene.free.context, {
      trigger: { type: "MANUAL", accountId: scene.operating },
      steps: [
        {
          actions: [scene.taxes, scene.checking].map((destinationAccountId) => ({
            type: "FIXED",
            sourceAccountId: scene.operating,
            destinationAccountId,
            group: 0,
            amountInCents: 20_000,
          })),
        },
      ],
    });
    await makeActive(database, ruleId);
    await scene.listen();
    await scene.forget();
    await askRun(scene.services, { ...scene.free.context, now: scene.clock.now() }, ruleId);
    await runAllRules(scene.services);
    await scene.passDays(7);
    const { counts, statuses } = await scene.seen();
    expect(counts.size).toBe(2);
    expect(statuses).toEqual(new Set(["PROCESSING", "COMPLETE"]));
    expect(await scene.emitted("transfer.changed")).toEqual(counts);
  });

  it("of a dry run emits nothing", async () => {
    const scene = await arrange();
    const ruleId = await writeRule(scene.services, scene.free.context, {
      trigger: { type: "MANUAL", accountId: scene.operating },
      steps: [
        {
          actions: [
            {
              type: "FIXED",
              sourceAccountId: scene.operating,
              destinationAccountId: scene.taxes,
              group: 0,
              amountInCents: 20_000,
            },
          ],
        },
      ],
    });
    await scene.listen();
    await askRun(scene.services, { ...scene.free.context, now: scene.clock.now() }, ruleId, {
      simulation: true,
    });
    const { rows } = await database.pool.query(
      "select from transfers where organization_id = $1 and execution_mode = 'SIMULATION'",
      [scene.organizationId],
    );
    expect(rows).toHaveLength(1);
    expect(await scene.emitted("transfer.changed")).toEqual(new Map());
  });

  it("emits nothing if its change is rolled back: event and change share a transaction", async () => {
    const scene = await arrange();
    await scene.listen();
    const { id } = await scene.move(scene.free, 1_000, scene.checking);
    await inOpenTransaction(database.ownerPool, (client) =>
      client.query(
        "update transfers set status = 'CANCELLED', next_step = null, hold_in_cents = 0 where id = $1",
        [id],
      ),
    );
    expect((await scene.emitted("transfer.changed")).get(id)).toBe(1);
  });

  it("writes no event without endpoints", async () => {
    const scene = await arrange();
    await scene.move(scene.free, 1_000);
    const { rowCount } = await database.pool.query("select from webhook_events where organization_id = $1", [
      scene.organizationId,
    ]);
    expect(rowCount).toBe(0);
  });
});

describe("a card transaction", () => {
  it("emits one event, whether it is a purchase, a refund or a payout", async () => {
    const scene = await arrange();
    const cards = createTestCards(database, scene.services, scene.organization);
    const cardId = await cards.issue({ accountId: scene.operating });
    await scene.listen();
    await cards.ask(cardId, 4_000, "auth-1");
    expect(
      await scene.emitted("card_transaction.changed"),
      "an authorization is not a card transaction yet",
    ).toEqual(new Map());
    await cards.report({
      kind: "SETTLED",
      cardId,
      amountInCents: 4_000,
      reference: "s-1",
      authorization: "auth-1",
    });
    await cards.report({
      kind: "SETTLED",
      cardId,
      amountInCents: 4_000,
      reference: "s-1",
      authorization: "auth-1",
    });
    await cards.report({ kind: "REFUND", cardId, amountInCents: 1_000, reference: "r-1" });
    await cards.report({ kind: "PAYOUT", cardId, amountInCents: 2_000, reference: "p-1" });
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from card_transactions where organization_id = $1",
      [scene.organizationId],
    );
    expect(rows).toHaveLength(3);
    expect(await scene.emitted("card_transaction.changed")).toEqual(new Map(rows.map(({ id }) => [id, 1])));
  });
});

describe("an external transaction", () => {
  it("emits an event when first seen and when it settles, but not when it is seen again", async () => {
    const scene = await arrange();
    const { services, owner } = scene;
    const aggregator = createSandboxAggregator(database.pool);
    await scene.listen();
    const { connectionId, accountIds } = await connectAccounts(services, aggregator, owner(), {
      kind: "CHOICE",
      institutionId: "sbx_first_harbor",
      templates: ["first_harbor_checking"],
    });
    await refreshDueConnections(services, aggregator, 100);
    const first = await scene.emitted("external_transaction.changed");
    expect(first.size, "a new connection's history counts as first seen").toBeGreaterThan(10);
    expect(new Set(first.values())).toEqual(new Set([1]));

    const [view] = await listConnections(services, owner());
    const account = view?.accounts.find(({ id }) => id === accountIds[0]);
    await playInstitution(services, createSandboxInstitutions(database.pool), owner(), connectionId, {
      kind: "MOVE",
      movement: {
        providerAccountId: account?.providerAccountId ?? "",
        direction: "MONEY_IN",
        amountInCents: 12_345,
        description: "Seen while pending",
        merchantName: null,
        providerCategory: "INCOME_WAGES",
        as: "PENDING",
      },
    });
    for (const passedMs of [HOUR_MS, ...Array.from({ length: 7 }, () => DAY_MS)]) {
      scene.clock.advance(passedMs);
      await refreshNow(services, owner(), connectionId);
      await refreshDueConnections(services, aggregator, 100);
    }
    // Found by its description, because other transactions may have the same amount.
    const { rows } = await database.pool.query<{ id: string; status: string; wasPending: boolean }>(
      `select id, status, description = 'Seen while pending' as "wasPending"
         from external_transactions where organization_id = $1`,
      [scene.organizationId],
    );
    const emitted = await scene.emitted("external_transaction.changed");
    const played = rows.find(({ wasPending }) => wasPending);
    expect(played?.status).toBe("COMPLETE");
    expect(emitted.get(played?.id ?? ""), "seen while pending, and settled").toBe(2);
    expect(new Set(emitted.keys())).toEqual(new Set(rows.map(({ id }) => id)));
  });
});
