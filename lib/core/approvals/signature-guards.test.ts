/**
 * Goal: the SQL functions of signatures, lower amounts and batches refuse by themselves what no command sends, and wait for
 * what is decided at the same moment. Method: each is called directly, as the application's role, also while another
 * transaction is open.
 */
import { describe, expect, it } from "vitest";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { newId } from "@/lib/platform/ids";
import { askTransfer, createTestApi, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { inOpenTransaction, overlap } from "@/lib/testing/overlap";
import { anyDeciders, asks, policyOf, putInForce } from "@/lib/testing/policies";
import { createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

const database = useTestDatabase();
const DAY_MS = 86_400_000;

async function arrange({ isUnderPolicy = false } = {}) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const key = await organization.addKey([moveAnything(true)], "claude");
  const api = createTestApi(services);
  const govern = () => putInForce(database, organizationId, owner.actor.id, policyOf(asks([anyDeciders(2)])));
  if (isUnderPolicy) await govern();
  const line = (amountInCents: number) => ({
    sourceAccountId: operating,
    destinationAccountId: taxes,
    amountInCents,
  });
  const propose = async () =>
    (await askTransfer(services, { ...key.context, now: clock.now() }, line(10_000))).id;
  const proposeBatch = async (): Promise<{ id: string; lines: { transferId: string }[] }> => {
    const body = { reasonForApproval: "Payday", transfers: [line(6_000), line(9_000)] };
    const response = await api(key.text, "POST", "/transfers/batch", { body });
    expect(response.status, response.text).toBe(202);
    return Object(response.body).data;
  };
  const call = async (sql: string, values: unknown[]) =>
    (await database.pool.query(`select ${sql} as result`, values)).rows[0].result;
  const audit = (userId: string) => ({
    id: newId(clock.now()),
    organizationId,
    actorKind: "MEMBER",
    actorId: userId,
    actorName: "Jonas",
    action: "SIGN_PROPOSAL",
    outcome: "SUCCESS",
    occurredAt: clock.now(),
  });
  const sign = (proposalId: string, userId: string, change: Record<string, unknown> = {}) =>
    call("sign_proposal($1)", [
      JSON.stringify({
        organizationId,
        proposalId,
        id: newId(clock.now()),
        userId,
        policyVersions: [1],
        subjectHash: "seen",
        digest: "seen",
        method: "PASSWORD",
        passkeyName: null,
        noticeId: null,
        audit: audit(userId),
        now: clock.now(),
        ...change,
      }),
    ]);
  const decideBatch = (batchId: string, approved: Record<string, string>) =>
    call("decide_batch($1)", [
      JSON.stringify({
        organizationId,
        batchId,
        userId: owner.actor.id,
        method: "PASSWORD",
        passkeyName: null,
        note: null,
        noticeId: newId(clock.now()),
        reason: null,
        approved,
        expectedCompletionDate: "2026-11-23",
        now: clock.now(),
      }),
    ]);
  const lockBatch = (batchId: string, userId: string) =>
    call("(select role from lock_batch($1, $2, $3, '{}', $4))", [
      organizationId,
      batchId,
      userId,
      clock.now(),
    ]);
  return {
    ...{ services, clock, organizationId, owner, jonas, viewer, key, operating, taxes },
    ...{ govern, propose, proposeBatch, call, sign, decideBatch, lockBatch, audit },
  };
}

describe("a signature", () => {
  it("is refused to who does not decide, after the time to decide, and under other versions of the policy", async () => {
    const { clock, jonas, viewer, propose, sign } = await arrange({ isUnderPolicy: true });
    const id = await propose();
    await expect(sign(id, viewer.actor.id)).rejects.toThrow("may not sign");
    const end = new Date(clock.now().getTime() + DAY_MS);
    await expect(sign(id, jonas.actor.id, { now: end })).rejects.toThrow("does not wait");
    for (const policyVersions of [[0], [0, 1], [1, 2], []]) {
      await expect(sign(id, jonas.actor.id, { policyVersions })).rejects.toThrow("other versions");
    }
  });

  it("is not taken back once a denial in progress has decided", async () => {
    const { clock, organizationId, owner, jonas, propose, audit, call } = await arrange({
      isUnderPolicy: true,
    });
    const id = await propose();
    await database.ownerPool.query(
      `insert into signatures (organization_id, subject_kind, subject_id, id, user_id, policy_versions, subject_hash, digest,
           method, signed_at, signed_on)
         values ($1, 'PROPOSAL', $2, $3, $4, '{1}', 'seen', 'seen', 'PASSWORD', $5, '2026-11-20')`,
      [organizationId, id, newId(clock.now()), jonas.actor.id, clock.now()],
    );
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query(
          "select record_decision($1, $2, 'DENIED', $3, 'PASSWORD', null, null, 'digest', $4, null, $5)",
          [organizationId, id, owner.actor.id, newId(clock.now()), clock.now()],
        ),
      () =>
        call("withdraw_signature($1, $2, $3, $4, $5)", [
          organizationId,
          id,
          jonas.actor.id,
          JSON.stringify(audit(jonas.actor.id)),
          clock.now(),
        ]),
    );
    expect({ hasWaited, result }).toEqual({ hasWaited: true, result: "ENDED" });
  });
});

it("the amount that was asked is not a lower one", async () => {
  const { clock, organizationId, propose, call } = await arrange();
  const id = await propose();
  const lower = (amountInCents: number) =>
    call("lower_proposal($1, $2, $3, $4)", [organizationId, id, amountInCents, clock.now()]);
  for (const amountInCents of [10_001, 10_000, 0, -1]) expect(await lower(amountInCents)).toBe("NOT_LOWER");
  expect(await lower(9_999)).toBe("LOWERED");
});

describe("a decision about a batch", () => {
  it("waits for the role of who decides and for the end of its key", async () => {
    const { organizationId, jonas, key, proposeBatch, lockBatch } = await arrange();
    const { id } = await proposeBatch();
    const demoted = await overlap(
      database,
      (client) =>
        client.query("update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2", [
          organizationId,
          jonas.actor.id,
        ]),
      () => lockBatch(id, jonas.actor.id),
    );
    expect(demoted).toEqual({ hasWaited: true, result: "VIEWER" });
    const ended = await overlap(
      database,
      (client) => client.query("select from api_keys where id = $1 for update", [key.id]),
      () => lockBatch(id, jonas.actor.id),
    );
    expect(ended.hasWaited).toBe(true);
  });

  it("to approve waits for the role of everyone whose signature may count", async () => {
    const { organizationId, clock, owner, jonas, proposeBatch, call } = await arrange();
    const { id, lines } = await proposeBatch();
    const approvedIds = lines.map(({ transferId }) => transferId);
    const { hasWaited } = await overlap(
      database,
      (client) =>
        client.query("update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2", [
          organizationId,
          jonas.actor.id,
        ]),
      () =>
        call("(select role from lock_batch($1, $2, $3, $4, $5))", [
          organizationId,
          id,
          owner.actor.id,
          approvedIds,
          clock.now(),
        ]),
    );
    expect(hasWaited).toBe(true);
  });

  it("holds the ledgers of what it accepts, so that what was shown is what they hold", async () => {
    const { organizationId, clock, owner, operating, proposeBatch, call } = await arrange();
    const { id, lines } = await proposeBatch();
    const { hasWaited } = await overlap(
      database,
      (client) => client.query("select from ledgers where id = $1 for update", [operating]),
      () =>
        call("(select role from lock_batch($1, $2, $3, $4, $5))", [
          organizationId,
          id,
          owner.actor.id,
          lines.map(({ transferId }) => transferId),
          clock.now(),
        ]),
    );
    expect(hasWaited).toBe(true);
  });

  it("takes only its own lines, all of which wait and none of which was struck out, and not under another policy", async () => {
    const { organizationId, owner, govern, propose, proposeBatch, decideBatch, call } = await arrange();
    const { id, lines } = await proposeBatch();
    const [first, second] = lines.map(({ transferId }) => transferId);
    const foreign = await propose();
    await expect(decideBatch(id, { [first ?? ""]: "seen", [foreign]: "seen" })).rejects.toThrow(
      "is not a line",
    );
    await database.ownerPool.query(
      "update proposals set state = 'EXPIRED', decided_at = now(), remind_at = null where organization_id = $1 and id = $2",
      [organizationId, second],
    );
    await expect(decideBatch(id, { [first ?? ""]: "seen" })).rejects.toThrow("not every line");
    const other = await proposeBatch();
    const whole = Object.fromEntries(other.lines.map(({ transferId }) => [transferId, "seen"]));
    const strike = (batchId: string, lineId: string) =>
      call("strike_batch_lines($1, $2, $3, $4)", [organizationId, batchId, [lineId], owner.actor.id]);
    await expect(strike(other.id, foreign)).rejects.toThrow("not every struck line");
    await expect(strike(id, second ?? "")).rejects.toThrow("not every struck line");
    await strike(other.id, other.lines[0]?.transferId ?? "");
    await expect(decideBatch(other.id, whole)).rejects.toThrow("was struck out");
    const [, rest] = Object.keys(whole);
    await govern();
    await expect(decideBatch(other.id, { [rest ?? ""]: "seen" })).rejects.toThrow("under other versions");
  });
});

it("a batch is taken back only while all of it waits, and waits for a decision in progress", async () => {
  const { clock, organizationId, proposeBatch } = await arrange();
  const withdraw = async (id: string, now = clock.now()) =>
    // Its callers are functions of the database.
    (await database.ownerPool.query("select withdraw_batch($1, $2, $3) as result", [organizationId, id, now]))
      .rows[0].result;
  const { id } = await proposeBatch();
  expect(await withdraw(id, new Date(clock.now().getTime() + DAY_MS))).toBe(false);
  const { hasWaited, result } = await overlap(
    database,
    (client) =>
      client.query(
        "update proposals set state = 'EXPIRED', decided_at = now(), remind_at = null where organization_id = $1 and batch_id = $2",
        [organizationId, id],
      ),
    () => withdraw(id),
  );
  expect({ hasWaited, result }).toEqual({ hasWaited: true, result: false });
});

it("rehearsing waits for a decision in progress", async () => {
  const { organizationId, owner, operating, taxes, propose, call } = await arrange();
  const id = await propose();
  const { hasWaited } = await overlap(
    database,
    (client) => client.query("select from proposals where id = $1 for update", [id]),
    () => call("lock_decisions($1, $2, $3, $4)", [organizationId, owner.actor.id, [id], [operating, taxes]]),
  );
  expect(hasWaited).toBe(true);
});

it("rehearsing waits for the role of everyone who decides before it holds a proposal", async () => {
  const { organizationId, owner, jonas, operating, taxes, propose, call } = await arrange();
  const id = await propose();
  const { rehearsing } = await inOpenTransaction(database.ownerPool, async (client) => {
    await client.query("update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2", [
      organizationId,
      jonas.actor.id,
    ]);
    const rehearsing = call("lock_decisions($1, $2, $3, $4)", [
      organizationId,
      owner.actor.id,
      [id],
      [operating, taxes],
    ]);
    rehearsing.catch(() => undefined);
    await waitUntil("it waits", async () => {
      const { rowCount } = await database.ownerPool.query(
        `select from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and a.datname = current_database() limit 1`,
      );
      return rowCount !== 0;
    });
    await client.query("select from proposals where id = $1 for update nowait", [id]);
    await client.query("commit");
    return { rehearsing };
  });
  await rehearsing;
});

it("a batch is not proposed by a program while all gates are closed", async () => {
  const { services, clock, owner, organizationId, key, operating, taxes, call } = await arrange();
  await closeGates(services, { ...owner, now: clock.now() });
  const batch = {
    organizationId,
    id: newId(clock.now()),
    apiKeyId: key.id,
    now: clock.now(),
    reasonForApproval: null,
    proposedBy: { id: key.id, name: "claude" },
    request: null,
    expiresAt: new Date(clock.now().getTime() + DAY_MS),
    remindAt: null,
    noticeId: newId(clock.now()),
    lines: [
      {
        id: newId(clock.now()),
        direction: "INTERNAL",
        amountInCents: 6_000,
        description: null,
        sourceAccountId: operating,
        destinationAccountId: taxes,
      },
    ],
  };
  expect(await call("create_transfer_batch($1)", [JSON.stringify(batch)])).toBe("GATES_CLOSED");
});
