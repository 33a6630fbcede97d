import { expect, test } from "vitest";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import { newId } from "@/lib/platform/ids";
import { countQueries, PLANNED_AS_SERVED, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { COUNTED_RUNS, readRulesPage } from "@/lib/views/rules/read-rules-page";

const database = useTestDatabase(PLANNED_AS_SERVED);

const DAY_MS = 86_400_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const income = await organization.addAccount({ name: "Client payments", type: "POD" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(anythingWithRules(false), "claude-bookkeeping");
  const write = (name: string, more: { type: string; [field: string]: unknown } | null = null) =>
    writeRule(
      services,
      { ...key.context, now: services.clock.now() },
      {
        name,
        trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: income, minimumAmountInCents: null },
        steps: [
          {
            actions: [
              {
                sourceAccountId: income,
                destinationAccountId: taxes,
                group: 0,
                ...(more ?? { type: "PERCENTAGE", percentage: 25, of: "INCOMING_AMOUNT" }),
              },
            ],
          },
        ],
      },
    );
  const look = async (
    viewer = organization.owner,
    pool = services.pool,
    query: Record<string, string> = {},
  ) => {
    const now = services.clock.now();
    const time = { nowAt: now.toISOString(), timeZone: "UTC", locale: "en-US" };
    return readRulesPage(
      { services: { pool }, context: { ...viewer, now }, time },
      rulesSearchSchema.parse(query),
    );
  };
  return { services, clock, organization, income, taxes, key, write, look };
}

test("a rule is shown with its actions, its runs in 30 days, and what they moved; other organizations' rules are not", async () => {
  const { services, clock, organization, income, write, look } = await arrange();
  const ruleId = await write("Set tax aside");
  await makeActive(database, ruleId);
  await organization.deposit(income, 400_000);
  await runAllRules(services);
  clock.advance(31 * DAY_MS);
  for (const amount of [100_000, 60, 200_000]) {
    await organization.deposit(income, amount);
    await runAllRules(services);
    clock.advance(1_000);
  }
  const { rules, counts, waiting } = await look();
  expect(rules).toMatchObject([
    {
      id: ruleId,
      href: `/rules/${ruleId}`,
      name: "Set tax aside",
      line: "When money arrives in Client payments, sends 25% of it to Taxes.",
      state: "ACTIVE",
      next: { kind: "EACH_DEPOSIT" },
      lastRunAt: new Date(clock.now().getTime() - 1_000).toISOString(),
      latestRuns: [
        { movedInCents: 25_000, hasFailed: false },
        { movedInCents: 0, hasFailed: false },
        { movedInCents: 50_000, hasFailed: false },
      ],
      runCount: 3,
      movedInCents: 75_000,
      isAtLeast: false,
    },
  ]);
  expect({ counts, waiting }).toEqual({ counts: { ACTIVE: 1, PAUSED: 0, INACTIVE: 0 }, waiting: [] });
  const stranger = await createTestOrganization(database, services, "Elsewhere");
  expect((await look(stranger.owner)).rules).toEqual([]);
});

test("a version waits only while proposed: not a member's inactive rule, nor one that was deactivated", async () => {
  const { organization, write, look } = await arrange();
  const [proposed, ownDraft, deactivated, deleted] = [
    await write("Proposed"),
    await write("Written by a member"),
    await write("Deactivated"),
    await write("Deleted"),
  ];
  const { ownerPool } = database;
  await ownerPool.query("alter table rule_versions disable trigger rule_versions_append_only");
  await ownerPool.query("update rule_versions set created_by_kind = 'MEMBER' where rule_id = $1", [ownDraft]);
  await ownerPool.query("alter table rule_versions enable trigger rule_versions_append_only");
  await ownerPool.query(
    `insert into rule_events (organization_id, id, rule_id, kind, version, by_user_id, at)
      values ($1, $2, $3, 'ACTIVATED', 1, $4, now())`,
    [organization.organizationId, newId(organization.owner.now), deactivated, organization.owner.actor.id],
  );
  await ownerPool.query("update rules set deleted_at = now() where id = $1", [deleted]);
  const { rules, waiting } = await look();
  expect(rules.map(({ name, state }) => [name, state])).toEqual([
    ["Deactivated", "INACTIVE"],
    ["Proposed", "INACTIVE"],
    ["Written by a member", "INACTIVE"],
  ]);
  expect(waiting).toEqual([
    {
      href: `/rules/${proposed}`,
      name: "Proposed",
      version: 1,
      activeVersion: null,
      proposedBy: { kind: "API_KEY", name: "claude-bookkeeping" },
      proposedAt: expect.any(String),
    },
  ]);
});

test("a paused rule says so and has no next run; every role may view it, and only some decide", async () => {
  const { services, organization, write, look } = await arrange();
  const ruleId = await write("Split");
  await makeActive(database, ruleId);
  await database.ownerPool.query(
    "update rules set paused_at = $2, paused_by_transfer_id = $1 where id = $1",
    [ruleId, services.clock.now()],
  );
  const viewer = await organization.addMember("VIEWER", "Vic");
  const view = await look(viewer);
  expect(view.paused).toMatchObject([{ name: "Split", href: `/rules/${ruleId}/paused` }]);
  expect(view.rules).toMatchObject([{ state: "PAUSED", next: { kind: "NONE" } }]);
  expect({ counts: view.counts, viewer: view.viewer }).toEqual({
    counts: { ACTIVE: 0, PAUSED: 1, INACTIVE: 0 },
    viewer: { canDecide: false },
  });
});

test("a rule of another version of Sluice does not hide the others", async () => {
  const { write, look } = await arrange();
  const broken = await write("From the future");
  await write("Readable");
  const { ownerPool } = database;
  await ownerPool.query("alter table rule_versions disable trigger rule_versions_append_only");
  await ownerPool.query("update rule_versions set definition = '{}' where rule_id = $1", [broken]);
  await ownerPool.query("alter table rule_versions enable trigger rule_versions_append_only");
  expect((await look()).rules.map(({ name, line }) => [name, line === null])).toEqual([
    ["From the future", true],
    ["Readable", false],
  ]);
});

test("a rule with ten thousand runs takes six statements, which read at most a thousand of its runs", async () => {
  const { organization, write, look } = await arrange();
  const ruleId = await write("Busy");
  await makeActive(database, ruleId);
  const { ownerPool, pool } = database;
  // One transfer per run, as real runs leave them.
  await ownerPool.query(
    `with made as (
       insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
           created_at)
         select $1, new_id($3::timestamptz), $2, 1, 'EXECUTED', 'LIVE', '{"type": "MANUAL", "amountInCents": null}', $3
           from generate_series(1, 10000) returning organization_id, id)
     insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
         source_account_id, destination_account_id, rule_id, rule_execution_id, proposed_by_kind, proposed_by_name,
         created_at, updated_at)
       select m.organization_id, new_id($3::timestamptz), 'COMPLETE', 'LIVE', 'INTERNAL', 'RULE', 500,
           (select id from accounts where organization_id = $1 order by id limit 1),
           (select id from accounts where organization_id = $1 order by id desc limit 1),
           $2, m.id, 'RULE', 'Busy', $3, $3
         from made m`,
    [organization.organizationId, ruleId, organization.owner.now],
  );
  await ownerPool.query("analyze rule_executions, transfers, rules");
  const counted = countQueries(pool);
  const view = await look(organization.owner, counted.pool);
  expect(counted.queries).toEqual([
    "read_rules_page",
    "read_rule_counts",
    "list_waiting_versions",
    "read_paused_rules",
    "read_rule_names_for_look_alikes",
    "read_account_names",
  ]);
  expect(view.rules).toMatchObject([{ runCount: COUNTED_RUNS, isAtLeast: true }]);
  expect(view.rules[0]?.latestRuns).toHaveLength(12);
  expect(view.rules[0]?.movedInCents).toBe(COUNTED_RUNS * 500);
});

test("one page of thirty rules is read; the search finds by name and state, and each page links to its neighbors", async () => {
  const { write, look } = await arrange();
  for (let number = 10; number < 40; number++) await write(`Rule ${number}`);
  const active = await write("Another one");
  await makeActive(database, active);
  const pageOf = async (query: Record<string, string>) => {
    const { rules, matchCount, previousHref, nextHref, isLong } = await look(undefined, undefined, query);
    const names = rules.map(({ name }) => name);
    return { first: names[0], shown: names.length, matchCount, previousHref, nextHref, isLong };
  };
  const first = { first: "Another one", shown: 25, matchCount: 31, previousHref: null };
  expect(await pageOf({})).toEqual({ ...first, nextHref: "/rules?page=2", isLong: true });
  expect(await pageOf({ page: "2" })).toMatchObject({
    first: "Rule 34",
    shown: 6,
    previousHref: "/rules",
    nextHref: null,
  });
  expect(await pageOf({ page: "9" })).toMatchObject({
    shown: 0,
    previousHref: "/rules?page=2",
    nextHref: null,
  });
  expect(await pageOf({ state: "active" })).toMatchObject({ shown: 1, matchCount: 1, nextHref: null });
  expect(await pageOf({ q: "rULE 1" })).toMatchObject({ first: "Rule 10", shown: 10, isLong: true });
  // Wildcards in the search are literal.
  expect(await pageOf({ q: "%" })).toMatchObject({ shown: 0, matchCount: 0 });
  const { waiting, waitingCount } = await look();
  expect([waiting.length, waitingCount]).toEqual([3, 30]);
});
