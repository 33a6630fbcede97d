import { describe, expect, it } from "vitest";
import { leaseConnections } from "@/lib/core/connections/apply-refresh";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { listConnections } from "@/lib/core/connections/list-connections";
import { playInstitution } from "@/lib/core/connections/play-institution";
import { refreshConnection } from "@/lib/core/connections/refresh-due-connections";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { newId } from "@/lib/platform/ids";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import {
  createSandboxInstitutions,
  type MemberMovement,
} from "@/lib/ports/aggregator/sandbox/sandbox-institutions";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

/** Settled arrivals on outside accounts and cards trigger rules, once each; nothing else does. */
const database = useTestDatabase();

const DAY_MS = 86_400_000;
const CONNECTED_AT = new Date("2026-01-15T17:00:00Z");

// The clock starts on Thursday, 15 January 2026, 12:00 in New York.
async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const aggregator = createSandboxAggregator(database.pool);
  const institutions = createSandboxInstitutions(database.pool);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const { connectionId, accountIds } = await connectAccounts(services, aggregator, owner(), {
    kind: "CHOICE",
    institutionId: "sbx_first_harbor",
    templates: ["first_harbor_checking"],
  });
  const checking = accountIds[0] ?? "";
  const savings = await organization.addAccount({ name: "Savings", type: "POD", balanceInCents: 500_000 });
  const key = await organization.addKey([...anythingWithRules(false), moveAnything(false)]);
  const activate = async (accountId: string, destinationAccountId: string) => {
    const ruleId = await writeRule(services, key.context, {
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId, minimumAmountInCents: null },
      steps: [
        {
          actions: [
            {
              type: "PERCENTAGE",
              percentage: 10,
              of: "INCOMING_AMOUNT",
              sourceAccountId: accountId,
              destinationAccountId,
              group: 0,
              upTo: true,
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    return ruleId;
  };
  const [connection] = await listConnections(services, owner());
  const providerAccountId = connection?.accounts.find(({ id }) => id === checking)?.providerAccountId ?? "";
  const play = (movement: Partial<MemberMovement>) =>
    playInstitution(services, institutions, owner(), connectionId, {
      kind: "MOVE",
      movement: {
        providerAccountId,
        direction: "MONEY_IN",
        amountInCents: 200_000,
        description: "ORBIT MAPS",
        merchantName: null,
        providerCategory: "INCOME_WAGES",
        as: "POSTED",
        ...movement,
      },
    });
  /** Refreshes this connection when it is due; other tests' connections are in the same database. */
  const refresh = async () => {
    const leased = await leaseConnections(services, "SANDBOX", 100);
    for (const one of leased.filter(({ id }) => id === connectionId)) {
      await refreshConnection(services, aggregator, one);
    }
  };
  const runsOf = async (ruleId: string) =>
    (
      await database.pool.query(
        `select cause_kind as "causeKind", cause_id as "causeId",
            trigger_details ->> 'amountInCents' as amount from rule_executions
          where rule_id = $1 order by cause_id`,
        [ruleId],
      )
    ).rows;
  /** What has settled there since the connection was created, without its history. */
  const arrivalsOf = async (accountId: string) =>
    (
      await database.pool.query(
        `select 'EXTERNAL_TRANSACTION' as "causeKind", x.id::text as "causeId", x.amount_in_cents::text as amount
           from external_transactions x
          where x.account_id = $1 and x.status = 'COMPLETE' and x.direction = 'MONEY_IN' and x.transfer_id is null
            and x.vanished_at is null and x.transaction_date >= $2 order by x.id::text`,
        [accountId, CONNECTED_AT],
      )
    ).rows;
  return {
    services,
    clock,
    organization,
    key,
    checking,
    savings,
    activate,
    play,
    refresh,
    runsOf,
    arrivalsOf,
  };
}

describe("money on a connected account", () => {
  it("triggers its rule when it is reported as settled, but not as history, while pending, or when it leaves", async () => {
    const { services, clock, checking, savings, activate, play, refresh, runsOf, arrivalsOf } =
      await arrange();
    const ruleId = await activate(checking, savings);
    await refresh();
    // A year of history came with the connection.
    expect(await runsOf(ruleId)).toEqual([]);

    await play({ as: "PENDING", amountInCents: 70_000, description: "PENDING PAY" });
    await play({ direction: "MONEY_OUT", amountInCents: 30_000, description: "RENT" });
    await play({});
    clock.advance(DAY_MS);
    await refresh();
    expect((await runsOf(ruleId)).map(({ amount }) => amount)).toContain("200000");
    expect(await runsOf(ruleId)).toEqual(await arrivalsOf(checking));
    await refresh();
    // The institution decides when the pending one settles; then it is an arrival too.
    for (let day = 0; day < 6; day += 1) {
      clock.advance(DAY_MS);
      await refresh();
    }
    expect((await runsOf(ruleId)).map(({ amount }) => amount)).toContain("70000");
    const arrivals = await arrivalsOf(checking);
    expect(await runsOf(ruleId)).toEqual(arrivals);
    expect(await runAllRules(services)).toBe(arrivals.length);
  });

  it("that a Sluice transfer sent there triggers nothing", async () => {
    const { services, clock, key, checking, savings, activate, refresh, runsOf } = await arrange();
    await refresh();
    const ruleId = await activate(checking, savings);
    const bank = createSandboxBank(database.pool);
    await askTransfer(
      services,
      { ...key.context, now: clock.now() },
      { sourceAccountId: savings, destinationAccountId: checking, amountInCents: 123_400 },
    );
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 10);
    for (let day = 0; day < 6; day += 1) {
      clock.advance(DAY_MS);
      await collectBankNotices(services, bank, 10);
      await refresh();
    }
    const { rows } = await database.pool.query(
      `select transfer_id as "transferId" from external_transactions
        where account_id = $1 and amount_in_cents = 123400`,
      [checking],
    );
    expect(rows).toEqual([{ transferId: expect.any(String) }]);
    expect((await runsOf(ruleId)).filter(({ amount }) => amount === "123400")).toEqual([]);
  });
});

describe("a card", () => {
  it("triggers the rule of a card's pod by a payout, but not by a refund", async () => {
    const { services, clock, organization, savings, activate, runsOf } = await arrange();
    const profit = await organization.addAccount({ name: "Profit", type: "POD" });
    const ruleId = await activate(savings, profit);
    const cardId = newId(clock.now());
    await database.ownerPool.query(
      `insert into cards (organization_id, id, card_type, name, number_last4, account_id, status, created_at, updated_at)
        values ($1, $2, 'DEBIT_CARD', 'Studio', '7704', $3, 'ACTIVE', $4, $4)`,
      [organization.organizationId, cardId, savings, clock.now()],
    );
    for (const [subtype, amountInCents] of [
      ["REFUND", 4_000],
      ["PAYOUT", 9_000],
      ["PAYOUT", 9_000],
    ] as const) {
      // The same payout is reported twice.
      await database.pool.query(
        "select record_card_credit($1, $2, $3, $4, $5, $6, $7, 'Market', null, $8, $8)",
        [
          organization.organizationId,
          newId(clock.now()),
          newId(clock.now()),
          cardId,
          subtype,
          `${subtype}-${cardId}`,
          amountInCents,
          clock.now(),
        ],
      );
    }
    expect(await runsOf(ruleId)).toMatchObject([{ causeKind: "CARD_TRANSACTION", amount: "9000" }]);
    expect(await runAllRules(services)).toBe(1);
  });
});
