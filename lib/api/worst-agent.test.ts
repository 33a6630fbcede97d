import fc from "fast-check";
import { expect, it } from "vitest";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { readWholeOrganization } from "@/lib/testing/api-proof/organization-with-everything";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { commit, type Deed, deeds } from "@/lib/testing/worst-agent/deeds";
import { judge } from "@/lib/testing/worst-agent/judge";
import { type AgentWorld, CAP_IN_CENTS, createAgentWorld } from "@/lib/testing/worst-agent/world";

/**
 * An agent with a key of its own does its worst, over HTTP and MCP. Goal: what it moves without a person stays within its
 * cap, whatever it multiplies it by; what is not its business stays untouched; its owner is alerted, sees it and can stop it.
 * Method: seeded random deeds, races among them, while the worker works; then a judge adds up the records.
 */
const ROUNDS = proofSize(1, 10);
const DEEDS = proofSize(25, 120);

const database = useTestDatabase();

it("an agent at its worst moves no more alone than its cap, touches nothing else, and is stopped at once", {
  timeout: 1_800_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deeds, { minLength: DEEDS, maxLength: DEEDS }), async (sequence) => {
      const world = await createAgentWorld(database);
      await settle(world);
      const before = await readUntouchable(world);
      await rampage(world, sequence);
      await expectWithinCap(world);
      expect(await readUntouchable(world)).toEqual(before);
      await expectOwnerNotified(world);
      await expectStopped(world);
      await expectWithinCap(world);
    }),
    { numRuns: ROUNDS, seed: proofSeed, endOnFailure: true },
  );
});

/** However its random deeds were dealt, the agent tries to spend its cap, and more, and to be refused. */
const SURELY: Deed[] = [
  { kind: "RACE", from: "operating", to: "taxes", amount: 60_000, times: 25, idempotencyKey: null },
  { kind: "TRIGGER", rule: "spread", amount: undefined, times: 25 },
  ...Array.from({ length: 6 }, (): Deed => ({ kind: "READ", path: 0 })),
];

async function rampage(world: AgentWorld, sequence: readonly Deed[]): Promise<void> {
  for (const deed of [...sequence, ...SURELY]) {
    const statuses = await commit(world, deed);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    if (deed.kind !== "READ") await world.work();
  }
}

/** Until the watch has looked at every key that made the world, and looks no more. */
async function settle({ clock, work }: AgentWorld): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    clock.advance(60_000);
    await work();
  }
}

async function expectWithinCap(world: AgentWorld): Promise<void> {
  const record = await judge(world);
  for (const [day, cents] of record.byDay) expect([day, cents <= CAP_IN_CENTS]).toEqual([day, true]);
  expect(record.leftInCents).toBeLessThanOrEqual(CAP_IN_CENTS * record.byDay.size);
  const permitted = new Set<string>(Object.values(world.accounts));
  expect([...record.touched].filter((id) => !permitted.has(id))).toEqual([]);
  // Else this would show nothing: it moved money, rules multiplied it, and what was beyond waits.
  expect(Math.max(...record.byDay.values())).toBeGreaterThan(CAP_IN_CENTS / 2);
  expect(record.knockOnCount).toBeGreaterThan(0);
  expect(record.askedCount).toBeGreaterThan(1);
  const { organizationId } = world.own;
  const books = await auditBooks(database, organizationId);
  expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [], unbookedCauses: [] });
  expect(books.managedInCents).toBe(books.cameInInCents - books.wentOutInCents);
}

/** Another organization, whole; and of its own: the pod, the key and the proposal that are none of its business, its rules. */
async function readUntouchable({ own, stranger, key, vault, neighbors }: AgentWorld) {
  const { organizationId } = own;
  const rows = async (text: string, values: unknown[]) =>
    (await database.ownerPool.query<{ row: string }>(text, values)).rows.map(({ row }) => row);
  return {
    stranger: await readWholeOrganization(database, stranger.organizationId),
    vault: await rows("select l::text as row from ledgers l where organization_id = $1 and id = $2", [
      organizationId,
      vault,
    ]),
    neighbors: await rows(
      "select state || ' ' || coalesce(decided_at::text, '') as row from proposals where organization_id = $1 and id = $2",
      [organizationId, neighbors.id],
    ),
    keys: await rows(
      `select id || permissions::text || coalesce(daily_cap_in_cents::text, '') || (revoked_at is null) as row from api_keys
        where organization_id = $1 order by id`,
      [organizationId],
    ),
    // Versions that it wrote are there, and none of them runs.
    activeRules: await rows(
      "select id || ' ' || active_version as row from rules where organization_id = $1 and active_version is not null order by id",
      [organizationId],
    ),
    // Nothing that it asked for was decided by anyone.
    decided: await rows(
      "select id::text as row from proposals where organization_id = $1 and state = 'APPROVED'",
      [organizationId],
    ),
    gates: await rows("select id::text as row from gate_closings where organization_id = $1", [
      organizationId,
    ]),
    key: key.id,
  };
}

async function expectOwnerNotified({ own, key, services, work, clock }: AgentWorld): Promise<void> {
  for (const seconds of [15, 16 * 60]) {
    clock.advance(seconds * 1_000);
    await work();
  }
  const { rows } = await database.ownerPool.query<{ kind: string }>(
    "select distinct kind from key_alerts where organization_id = $1 and api_key_id = $2",
    [own.organizationId, key.id],
  );
  const kinds = rows.map(({ kind }) => kind);
  expect(kinds).toContain("CAP_REACHED");
  expect(kinds).toContain("REFUSALS");
  const { rows: messages } = await database.ownerPool.query<{ kind: string; count: number }>(
    "select kind, count(*)::int as count from messages where organization_id = $1 group by kind",
    [own.organizationId],
  );
  const count = (kind: string) => messages.find((message) => message.kind === kind)?.count ?? 0;
  expect(count("KEY_UNUSUAL")).toBeGreaterThanOrEqual(kinds.length);
  // Five by themselves in an hour, then one every quarter of it: however much it asks.
  const hours = (services.clock.now().getTime() - key.context.now.getTime()) / 3_600_000;
  expect(count("APPROVAL_ASKED")).toBeLessThanOrEqual(2 * (5 + 4) * (hours + 1));
}

/** One act of the owner each, in the middle of a storm: closed gates let nothing through, and a revoked key is none. */
async function expectStopped(world: AgentWorld): Promise<void> {
  const { services, own, key, clock, work } = world;
  clock.advance(86_400_000);
  const owner = () => ({ ...own.owner, now: clock.now() });
  const storm = () =>
    Promise.all([
      commit(world, {
        kind: "RACE",
        from: "operating",
        to: "taxes",
        amount: 5_000,
        times: 20,
        idempotencyKey: null,
      }),
      commit(world, { kind: "TRIGGER", rule: "spread", amount: undefined, times: 20 }),
    ]);
  await Promise.all([storm(), closeGates(services, owner())]);
  const accepted = await readAccepted(world);
  expect((await storm()).flat().filter((status) => status < 400)).toEqual([]);
  await work();
  expect(await readAccepted(world)).toEqual(accepted);
  await database.ownerPool.query(
    "update gate_closings set opened_at = $2, opened_by = $3, opening_method = 'PASSWORD' where organization_id = $1",
    [own.organizationId, clock.now(), own.owner.actor.id],
  );
  await Promise.all([storm(), revokeApiKey(services, owner(), key.id)]);
  expect(new Set((await storm()).flat())).toEqual(new Set([401]));
  await work();
  const { rows } = await database.ownerPool.query<{ count: number }>(
    "select count(*)::int as count from proposals where organization_id = $1 and api_key_id = $2 and state = 'WAITING'",
    [own.organizationId, key.id],
  );
  expect(rows).toEqual([{ count: 0 }]);
}

/** Every transfer that was ever accepted. What the bank had before a closing goes on its way, and is among them already. */
async function readAccepted({ own }: AgentWorld): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ id: string }>(
    "select id from transfers where organization_id = $1 and accepted_at is not null order by id",
    [own.organizationId],
  );
  return rows.map(({ id }) => id);
}
