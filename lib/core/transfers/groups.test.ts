/**
 * A group of transfers is written with one statement per table, and means the same as one transfer after the other. Two
 * equal worlds get the same random groups: one as groups, the other item by item through the loop that groups fall back
 * to, booked one at a time. Afterwards everything that can be seen must be equal.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { newId } from "@/lib/platform/ids";
import { moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { type TestDatabase, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";

/** Of the world that gets groups, and of the one that gets them item by item. */
const together = useTestDatabase();
const apart = useTestDatabase();

const MINUTE_MS = 60_000;
const CAP_IN_CENTS = 3_000;
/** Places of the accounts: a source, one with a floor, a destination, a closed one, one outside. */
const CLOSED = 3;
const OUTSIDE = 4;
/** Of the key `busy`, which may have 100. */
const WAITING_OF_BUSY = 98;
const KEYS = ["free", "capped", "revoked", "busy"] as const;

/** May all be written together, unless they exceed a cap, a floor, a balance or the proposals that may wait. */
const plainWish = fc.record({
  organization: fc.nat(2),
  key: fc.oneof(
    { weight: 6, arbitrary: fc.constant("free" as const) },
    fc.constant("capped" as const),
    fc.constant("busy" as const),
  ),
  from: fc.constantFrom(0, 1),
  to: fc.constantFrom(2, 2, OUTSIDE),
  amountInCents: fc.integer({ min: 1, max: 1_500 }),
  needsApproval: fc.nat(2).map((one) => one === 0),
  idempotencyKey: fc.constant(null),
});

const oddWish = fc.record({
  organization: fc.nat(2),
  key: fc.constantFrom(...KEYS, "free" as const, "free" as const, "capped" as const, "busy" as const),
  from: fc.constantFrom(0, 0, 0, 1, 1, 2, CLOSED, OUTSIDE),
  to: fc.constantFrom(0, 1, 2, 2, 2, CLOSED, OUTSIDE),
  amountInCents: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 6_000 })),
  needsApproval: fc.nat(4).map((one) => one === 0),
  /** Few, so that they repeat within a group and across groups. */
  idempotencyKey: fc.option(fc.nat(9), { freq: 2 }),
});
type Wish = typeof oddWish extends fc.Arbitrary<infer T> ? T : never;

const group = fc.record({
  wishes: fc.oneof(
    fc.array<Wish>(plainWish, { minLength: 1, maxLength: 16 }),
    fc.array<Wish>(oddWish, { minLength: 1, maxLength: 24 }),
  ),
  closesGatesOf: fc.nat(12),
});

/** What few random groups contain: a repetition in the next group, and more proposals than may wait. */
const wish: Wish = {
  organization: 0,
  key: "busy",
  from: 0,
  to: 2,
  amountInCents: 100,
  needsApproval: true,
  idempotencyKey: null,
};
const CERTAIN = [
  { wishes: [{ ...wish, idempotencyKey: 1 }, wish, wish], closesGatesOf: 9 },
  { wishes: [{ ...wish, idempotencyKey: 1 }], closesGatesOf: 9 },
];

type Organization = Awaited<ReturnType<typeof arrangeOrganization>>;

async function arrangeOrganization(database: TestDatabase) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  await addEndpoint(services, createTestWebhooks(), organizationId, "https://hooks.example/sluice");
  const accounts = [
    await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 8_000 }),
    await organization.addAccount({
      name: "Reserve",
      type: "POD",
      balanceInCents: 5_000,
      floorInCents: 2_000,
    }),
    await organization.addAccount({ name: "Taxes", type: "POD" }),
    await organization.addAccount({ name: "Closed", type: "POD" }),
    await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT", balanceInCents: 1 }),
  ];
  await database.ownerPool.query(
    "update accounts set deleted_at = $3 where organization_id = $1 and id = $2",
    [organizationId, accounts[CLOSED], clock.now()],
  );
  const keys = {
    free: await organization.addKey([moveAnything(false)], "free"),
    capped: await organization.addKey([moveAnything(false)], "capped", CAP_IN_CENTS),
    revoked: await organization.addKey([moveAnything(false)], "revoked"),
    busy: await organization.addKey([moveAnything(false)], "busy"),
  };
  await database.ownerPool.query(
    `insert into proposals (organization_id, id, kind, state, api_key_id, created_at, expires_at)
       select $1, gen_random_uuid(), 'TRANSFER', 'WAITING', $2, $3, $3 from generate_series(1, $4)`,
    [organizationId, keys.busy.id, new Date(clock.now().getTime() - MINUTE_MS), WAITING_OF_BUSY],
  );
  await database.ownerPool.query(
    "update api_keys set revoked_at = $3 where organization_id = $1 and id = $2",
    [organizationId, keys.revoked.id, clock.now()],
  );
  return { services, clock, organization, organizationId, accounts, keys };
}

/** As create-transfer.ts sends it. */
function toItem(world: readonly Organization[], one: Wish, place: number, now: Date) {
  const { organizationId, accounts, keys } = world[one.organization] ?? fail();
  const keyId = keys[one.key].id;
  const id = newId(now);
  const transfer = {
    id,
    status: one.needsApproval ? "APPROVAL_PENDING" : "PROCESSING",
    executionMode: "LIVE",
    direction: one.to === OUTSIDE ? "MONEY_OUT" : one.from === OUTSIDE ? "MONEY_IN" : "INTERNAL",
    origin: "API",
    amountInCents: one.amountInCents,
    description: `n ${place}`,
    sourceAccountId: accounts[one.from],
    destinationAccountId: accounts[one.to],
    reasonForApproval: null,
    expectedCompletionDate: one.to === OUTSIDE ? null : "2026-01-15",
  };
  const path = "/platform/v1/transfers";
  return {
    organizationId,
    apiKeyId: keyId,
    proposedBy: { kind: "API_KEY", id: keyId, name: one.key },
    now,
    transfer,
    request: { method: "POST", path, body: {} },
    noticeId: newId(now),
    expiresAt: new Date(now.getTime() + MINUTE_MS),
    remindAt: now,
    aboveCap: null,
    idempotency:
      one.idempotencyKey === null
        ? null
        : {
            operation: "createTransfer",
            path,
            key: `key ${one.idempotencyKey}`,
            fingerprint: createHash("sha256").update(`${one.idempotencyKey}`).digest("hex"),
            status: 202,
            body: { place },
            expiresAt: new Date(now.getTime() + MINUTE_MS),
          },
    audit: {
      organizationId,
      id: newId(now),
      createdAt: now,
      apiKeyId: keyId,
      apiKeyName: one.key,
      method: "POST",
      path,
      action: "CREATE_TRANSFER",
      reason: null,
      requestId: `req_${place}`,
      outcome: "SUCCESS",
      errorCode: null,
    },
  };
}

function fail(): never {
  throw new Error("There is no such organization");
}

const CREATE = "select outcome, replay_status, replay_body->>'place' as replayed, replay_fingerprint,";
const SHOW_CAP = `case when outcome = 'ABOVE_CAP' then replay_body end as above`;

async function createTogether(items: readonly object[]): Promise<unknown[]> {
  const text = `${CREATE} ${SHOW_CAP} from create_transfers($1)`;
  return (await together.pool.query(text, [JSON.stringify(items)])).rows;
}

async function createOneByOne(items: readonly object[]): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const item of items) {
    const text = `${CREATE} ${SHOW_CAP} from create_transfers_one_by_one($1)`;
    rows.push(...(await apart.ownerPool.query(text, [JSON.stringify([item])])).rows);
  }
  return rows;
}

/** @param limit of one booking */
async function book(database: TestDatabase, now: Date, limit: number): Promise<void> {
  for (;;) {
    const ids = Array.from({ length: limit }, () => newId(now));
    const { rows } = await database.pool.query("select * from book_due_transfers($1, $2)", [now, ids]);
    expect(rows.filter((row) => row.last_error !== null)).toEqual([]);
    if (rows.length === 0) return;
  }
}

/** Everything that can be seen, without ids. */
async function readWorld(database: TestDatabase, world: readonly Organization[]) {
  const read = async (text: string, organizationId: string) =>
    (await database.ownerPool.query(text, [organizationId])).rows;
  return Promise.all(
    world.map(async ({ organizationId, accounts }) => ({
      balances: await read(
        `select name, credits_in_cents, debits_in_cents, held_in_cents from ledgers l join accounts a using (organization_id, id)
          where l.organization_id = $1 order by a.name`,
        organizationId,
      ),
      transfers: await read(
        `select description, status, error_code, error_message, amount_in_cents, hold_in_cents, next_step, proposed_by_name,
             created_at, accepted_at, expected_completion_date, completed_at is not null as "isOver",
             array_position('{${accounts.join()}}'::uuid[], source_account_id) as "from",
             array_position('{${accounts.join()}}'::uuid[], destination_account_id) as "to"
           from transfers where organization_id = $1 and origin = 'API' order by created_at, description`,
        organizationId,
      ),
      entries: await read(
        `select t.description, e.kind, e.amount_in_cents from entries e
           join transfers t on t.organization_id = e.organization_id and t.id = e.transfer_id
          where e.organization_id = $1 and t.origin = 'API' order by t.created_at, t.description`,
        organizationId,
      ),
      // A group's transfer may be booked as it is accepted, so only the first event's time is known.
      events: await read(
        `select t.description, count(*), min(v.created_at) = t.created_at as "isOfItsCreation"
           from webhook_events v join transfers t on t.organization_id = v.organization_id and t.id = v.resource_id
          where v.organization_id = $1 and t.origin = 'API' group by t.id, t.description, t.created_at
          order by t.created_at, t.description`,
        organizationId,
      ),
      created: await read(
        `select t.description from webhook_events v
           join transfers t on t.organization_id = v.organization_id and t.id = v.resource_id
          where v.organization_id = $1 and t.origin = 'API' and v.created_at = t.created_at
          group by t.description, t.created_at order by min(v.id::text)`,
        organizationId,
      ),
      usedOfCaps: await read(
        "select minute, last_at, in_cents from key_charges where organization_id = $1 order by minute",
        organizationId,
      ),
      results: await read(
        `select idempotency_key, status, body, encode(fingerprint, 'hex') as fingerprint, expires_at
           from idempotency_results where organization_id = $1 order by idempotency_key, body->>'place'`,
        organizationId,
      ),
      audited: await read(
        `select e.request_id, exists (select from audit_unsealed u where u.id = e.id) as "isQueued" from audit_entries e
          where organization_id = $1 order by created_at, request_id`,
        organizationId,
      ),
      proposals: await read(
        `select p.state, p.kind, p.created_at, p.expires_at, p.remind_at, p.request, p.cap_in_cents, t.description, k.name
           from proposals p join api_keys k on k.organization_id = p.organization_id and k.id = p.api_key_id
           left join transfers t on t.organization_id = p.organization_id and t.id = p.id
          where p.organization_id = $1 order by p.created_at, t.description`,
        organizationId,
      ),
      notices: await read(
        `select n.kind, n.due_at, t.description, k.name from notices n
           join transfers t on t.organization_id = n.organization_id and t.id = n.proposal_id
           left join api_keys k on k.organization_id = n.organization_id and k.id = n.api_key_id
          where n.organization_id = $1 order by n.created_at, t.description`,
        organizationId,
      ),
    })),
  );
}

it("a group of transfers means what the same transfers mean one after the other", {
  timeout: 600_000,
}, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 5 }), async (groups) => {
      const arrange = (database: TestDatabase) =>
        Promise.all([0, 1, 2].map(() => arrangeOrganization(database)));
      const [grouped, single] = [await arrange(together), await arrange(apart)];
      let now = grouped[0]?.clock.now() ?? new Date(0);
      let place = 0;
      for (const { wishes, closesGatesOf } of groups) {
        for (const world of [grouped, single]) {
          const closing = world[closesGatesOf];
          if (closing) await closeGates(closing.services, { ...closing.organization.owner, now });
        }
        const possible = wishes.filter(({ from, to }) => from !== to);
        const items = possible.map((one) => {
          now = new Date(now.getTime() + 1);
          place += 1;
          const each = (world: readonly Organization[]) => toItem(world, one, place, now);
          return [each(grouped), each(single)] as const;
        });
        const answers = await createTogether(items.map(([one]) => one));
        expect(answers).toEqual(await createOneByOne(items.map(([, other]) => other)));
        for (const answer of answers as { outcome: string }[]) seen.add(answer.outcome);
        now = new Date(now.getTime() + MINUTE_MS / 4);
        await book(together, now, 64);
        await book(apart, now, 1);
        const after = await readWorld(together, grouped);
        expect(after).toEqual(await readWorld(apart, single));
        for (const { transfers } of after)
          for (const { status, error_code } of transfers) seen.add(error_code ?? status);
        for (const { organizationId } of grouped)
          expect(await auditBooks(together, organizationId)).toMatchObject({
            wrongLedgers: [],
            negative: [],
            wrongHolds: [],
            unbookedCauses: [],
          });
      }
    }),
    { seed: proofSeed, numRuns: proofSize(12, 150), endOnFailure: true, examples: [[CERTAIN]] },
  );
  // Every way of answering and ending occurred, or the comparison proves less than it says.
  expect([...seen].sort()).toEqual([
    "ABOVE_CAP",
    "ACCOUNT_CLOSED",
    "APPROVAL_PENDING",
    "BELOW_FLOOR",
    "COMPLETE",
    "CREATED",
    "GATES_CLOSED",
    "INSUFFICIENT_FUNDS",
    "KEY_REVOKED",
    "PROCESSING",
    "REPLAY",
    "TOO_MANY_WAITING",
  ]);
});
