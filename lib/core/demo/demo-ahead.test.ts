/**
 * The demo after the day it was created: its clock moves eight weeks, and its income funds its rules, its card, and its
 * owner.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { collectCardNotices } from "@/lib/core/cards/collect-card-notices";
import { expireCardAuthorizations } from "@/lib/core/cards/expire-card-authorizations";
import { refreshDueConnections } from "@/lib/core/connections/refresh-due-connections";
import { createDemo } from "@/lib/core/demo/create-demo";
import { fireSchedules } from "@/lib/core/rules/fire-schedules";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import { createTestDatabase } from "@/lib/testing/database";
import { runAllRules } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { createTestWebhooks } from "@/lib/testing/webhooks";

const MADE_AT = new Date("2026-11-20T16:26:00Z");
const STEP_MS = 6 * 3_600_000;
const STEPS = (8 * 7 * 86_400_000) / STEP_MS;

const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
});

it("stays funded for eight weeks: no account is below zero, and nothing fails for lack of money", {
  timeout: 300_000,
}, async () => {
  const database = await createTestDatabase();
  opened.push(database.close);
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-demo-"));
  opened.push(() => rm(dataDirectory, { recursive: true }));
  const { services, clock } = createTestServices(database);
  clock.set(MADE_AT);
  const bank = createSandboxBank(database.pool);
  const aggregator = createSandboxAggregator(database.pool);
  const cards = createSandboxCardNetwork(database.pool);
  const ports = { bank, aggregator, webhooks: createTestWebhooks() };
  await createDemo(services, ports, { appUrl: "http://localhost:3000", dataDirectory });

  const below = new Set<string>();
  for (let step = 0; step < STEPS; step += 1) {
    clock.advance(STEP_MS);
    await expireProposals(services, 100);
    await collectBankNotices(services, bank, 16);
    await collectCardNotices(services, cards, 16);
    await expireCardAuthorizations(services, 100);
    await fireSchedules(services, 100);
    await runAllRules(services);
    await bookDueTransfers(services, 64);
    await submitDueTransfers(services, bank, 64);
    await refreshDueConnections(services, aggregator, 8);
    const { rows } = await database.ownerPool.query<{ name: string }>(
      `select a.name from accounts a
         left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
         left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
        where coalesce(l.credits_in_cents - l.debits_in_cents - l.held_in_cents, p.balance_in_cents) < 0`,
    );
    for (const { name } of rows) below.add(`${name}, ${clock.now().toISOString()}`);
  }
  expect([...below]).toEqual([]);
  const { rows: ends } = await database.ownerPool.query<{ moved: number; failed: string[] }>(
    `select (select count(*) from transfers where status = 'COMPLETE' and origin = 'RULE' and created_at > $1)::int as moved,
         array(select concat_ws(' ', proposed_by_name, error_code) from transfers
           where status = 'FAILED' and created_at > $1) ||
         array(select concat_ws(' ', r.name, e.error_message) from rule_executions e
           join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
           where e.status in ('FAILED', 'PARTIAL') and e.created_at > $1) as failed`,
    [MADE_AT],
  );
  // One payment a week, split five ways, plus the owner's pay, the card, and the quarterly tax.
  expect(ends[0]?.moved).toBeGreaterThan(45);
  expect(ends[0]?.failed).toEqual([]);
});
