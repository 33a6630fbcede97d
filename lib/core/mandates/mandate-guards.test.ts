/**
 * Goal: the SQL functions of mandates refuse by themselves what no command sends, and take their locks in order. Method:
 * each is called directly, as the application's role, also while another transaction is open.
 */
import { describe, expect, it } from "vitest";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import { readMandate } from "@/lib/core/mandates/read-mandates";
import { narrowMandate, writeMandate } from "@/lib/core/mandates/write-mandate";
import { newId } from "@/lib/platform/ids";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { connectTestAssistant } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { putMandate } from "@/lib/testing/mandates/put-mandate";
import { signedMandate, termsBetween } from "@/lib/testing/mandates/signed-mandate";
import { createTestOrganization } from "@/lib/testing/organization";
import { inOpenTransaction, overlap } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

const database = useTestDatabase();
const HOUR_MS = 3_600_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 10_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const key = await organization.addKey([moveAnything(true)], "claude");
  const fresh = () => ({
    ...owner,
    now: clock.now(),
    actor: { ...owner.actor, authenticatedAt: clock.now() },
  });
  const terms = (changed: Partial<MandateTerms> = {}) => termsBetween([operating], [taxes], changed);
  const sign = (changed: Partial<MandateTerms> = {}) =>
    signedMandate(services, owner, key.id, terms(changed));
  const write = () => writeMandate(services, fresh(), { apiKeyId: key.id, terms: terms() });
  const ask = (by = key, amountInCents = 10_000) =>
    askTransfer(
      services,
      { ...by.context, now: clock.now() },
      { sourceAccountId: operating, destinationAccountId: taxes, amountInCents },
    );
  const call = async <T>(sql: string, values: unknown[]): Promise<T> =>
    (await database.pool.query(`select ${sql} as result`, values)).rows[0].result;
  /** As the application writes one for a key. */
  const writeFor = (apiKeyId: string, maximum = 20) =>
    JSON.stringify({
      organizationId,
      id: newId(clock.now()),
      apiKeyId,
      terms: terms(),
      isOfProgram: true,
      reason: null,
      proposedBy: { kind: "API_KEY", id: apiKeyId, name: "claude" },
      timeZone: "UTC",
      now: clock.now(),
      expiresAt: new Date(clock.now().getTime() + HOUR_MS),
      maximum,
    });
  const writeDirectly = (apiKeyId: string, maximum?: number) =>
    call<string>("write_mandate($1)", [writeFor(apiKeyId, maximum)]);
  const use = (apiKeyId: string, changed: Record<string, unknown> = {}) =>
    call<string>("(select outcome from use_mandate($1))", [
      JSON.stringify({
        organizationId,
        apiKeyId,
        now: clock.now(),
        transfer: {
          id: newId(clock.now()),
          executionMode: "LIVE",
          status: "PROCESSING",
          sourceAccountId: operating,
          destinationAccountId: taxes,
          amountInCents: 10_000,
          ...changed,
        },
      }),
    ]);
  const signDirectly = (mandateId: string, userId: string, now: Date) =>
    call("sign_mandate($1)", [
      JSON.stringify({
        organizationId,
        userId,
        mandateId,
        id: newId(now),
        policyVersion: 0,
        hash: "seen",
        payeeVersions: {},
        method: "PASSWORD",
        passkeyName: null,
        now,
        day: "2026-11-20",
        isLast: true,
      }),
    ]);
  return {
    ...{ services, clock, organization, organizationId, owner, jonas, viewer, key, operating, taxes },
    ...{ fresh, terms, sign, write, ask, call, writeFor, writeDirectly, use, signDirectly },
  };
}

describe("using a mandate", () => {
  it("is for its own key: another one's transfer waits", async () => {
    const { organization, sign, ask, use } = await arrange();
    await sign();
    const other = await organization.addKey([moveAnything(true)], "another");
    expect(await use(other.id)).toBe("NO_MANDATE");
    expect(await ask(other)).toMatchObject({ status: "APPROVAL_PENDING", mandateId: null });
    expect(await ask()).toMatchObject({ status: "PROCESSING" });
  });

  it("is for no assistant, even where one had a mandate", async () => {
    const { organizationId, owner, clock, terms, use, writeDirectly } = await arrange();
    const { id } = await connectTestAssistant(database, { ...owner, now: clock.now() });
    const given = { organizationId, apiKeyId: id, memberId: owner.actor.id, terms: terms() };
    await putMandate(database, { ...given, timeZone: "UTC", now: clock.now() });
    expect(await use(id)).toBe("NO_MANDATE");
    expect(await writeDirectly(id)).toBe("NO_KEY");
  });

  it("is for live transfers that are accepted", async () => {
    const { key, sign, use } = await arrange();
    await sign();
    await expect(use(key.id, { executionMode: "SIMULATION" })).rejects.toThrow("only a live transfer");
    await expect(use(key.id, { status: "APPROVAL_PENDING" })).rejects.toThrow("only a live transfer");
  });

  it("ends after 1,000 transfers where no number is named", async () => {
    const { organizationId, clock, sign, ask, services } = await arrange();
    const id = await sign();
    const { id: first } = await ask();
    await database.ownerPool.query(
      `insert into transfers select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
           'status', 'COMPLETE', 'next_step', null, 'due_at', null, 'hold_in_cents', 0))).*
         from transfers t, generate_series(1, 998) where t.id = $1`,
      [first],
    );
    const left = async () =>
      (await readMandate(services.pool, { organizationId, now: clock.now() }, id))?.left.uses;
    expect(await left()).toBe(1);
    expect(await ask()).toMatchObject({ status: "PROCESSING" });
    expect(await left()).toBe(0);
    expect(await ask()).toMatchObject({ status: "APPROVAL_PENDING", mandateId: null });
  });

  /** While `sql` holds what comes first, a use must hold nothing that comes later. */
  async function waitsWithout(
    lock: { sql: string; values: unknown[] },
    later: { sql: string; values: unknown[] },
    start: () => Promise<unknown>,
  ): Promise<void> {
    const started = await inOpenTransaction(database.ownerPool, async (client) => {
      await client.query(lock.sql, lock.values);
      const using = start();
      using.catch(() => undefined);
      await waitUntil("the use waits", async () => {
        const { rowCount } = await database.ownerPool.query(
          `select from pg_locks l join pg_stat_activity a using (pid)
            where not l.granted and a.datname = current_database() limit 1`,
        );
        return rowCount !== 0;
      });
      await client.query(`${later.sql} for update nowait`, later.values);
      await client.query("commit");
      return { using };
    });
    expect(await started.using).toMatchObject({ status: "PROCESSING" });
  }

  it("waits for a revocation of its key before it holds the mandate, which the revocation ends", async () => {
    const { key, sign, ask } = await arrange();
    const id = await sign();
    await waitsWithout(
      { sql: "select from api_keys where id = $1 for update", values: [key.id] },
      { sql: "select from mandates where id = $1", values: [id] },
      () => ask(),
    );
  });

  it("waits for another use of its capped key before it holds mandate and ledgers", async () => {
    const { key, sign, ask } = await arrange();
    const id = await sign();
    // As one has that may also run rules without approval.
    await database.ownerPool.query("update api_keys set daily_cap_in_cents = 1000000 where id = $1", [
      key.id,
    ]);
    await waitsWithout(
      { sql: "select lock_key_use($1)", values: [key.id] },
      { sql: "select from mandates where id = $1", values: [id] },
      () => ask(),
    );
  });
});

describe("ending a mandate", () => {
  it("waits for its last signature, and then ends it", async () => {
    const { organizationId, jonas, clock, write, call } = await arrange();
    const { id } = await write();
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query(
          `update mandates set state = 'IN_FORCE', signed_at = created_at, signed_hash = 'seen', payee_versions = '{}',
             policy_version = 0 where id = $1`,
          [id],
        ),
      () => call("end_mandate($1, $2, $3, null, $4)", [organizationId, id, jonas.actor.id, clock.now()]),
    );
    expect({ hasWaited, result }).toEqual({ hasWaited: true, result: "IN_FORCE" });
  });

  it("is refused to who may not, also while their role is being taken", async () => {
    const { organizationId, jonas, viewer, clock, sign, call } = await arrange();
    const id = await sign();
    const end = (userId: string) =>
      call("end_mandate($1, $2, $3, null, $4)", [organizationId, id, userId, clock.now()]);
    await expect(end(viewer.actor.id)).rejects.toThrow("only an owner or co-owner");
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2", [
          organizationId,
          jonas.actor.id,
        ]),
      () => end(jonas.actor.id).catch((error: unknown) => String(error)),
    );
    expect(hasWaited).toBe(true);
    expect(result).toContain("only an owner or co-owner");
  });
});

describe("narrowing a mandate", () => {
  it("is refused once it is in force, and at the end of its time", async () => {
    const { services, clock, fresh, sign, terms, write } = await arrange();
    const narrower = terms({ maximumInCents: 100 });
    const narrow = (id: string) => narrowMandate(services, fresh(), { id, revision: 1, terms: narrower });
    await expect(narrow(await sign())).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    const { id } = await write();
    clock.advance(24 * HOUR_MS);
    await expect(narrow(id)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  });

  it("leaves no living signature of the wider terms", async () => {
    const { services, organizationId, jonas, clock, fresh, terms, write } = await arrange();
    const { id } = await write();
    await database.ownerPool.query(
      `insert into signatures (organization_id, subject_kind, subject_id, id, user_id, policy_versions, subject_hash, digest,
           method, signed_at, signed_on)
         values ($1, 'MANDATE', $2, $3, $4, '{0}', 'seen', 'seen', 'PASSWORD', $5, '2026-11-20')`,
      [organizationId, id, newId(clock.now()), jonas.actor.id, clock.now()],
    );
    await narrowMandate(services, fresh(), { id, revision: 1, terms: terms({ maximumInCents: 100 }) });
    const { rows } = await database.ownerPool.query(
      `select withdrawn_at is not null as "isVoid" from signatures where subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ isVoid: true }]);
  });
});

describe("signing a mandate", () => {
  it("is refused to who may not, and at the end of its time to everyone", async () => {
    const { clock, owner, viewer, write, signDirectly } = await arrange();
    const { id } = await write();
    await expect(signDirectly(id, viewer.actor.id, clock.now())).rejects.toThrow("only an owner or co-owner");
    const end = new Date(clock.now().getTime() + 24 * HOUR_MS);
    await expect(signDirectly(id, owner.actor.id, end)).rejects.toThrow("cannot be signed");
    await signDirectly(id, owner.actor.id, new Date(end.getTime() - 1));
  });
});

describe("asking for a mandate", () => {
  it("counts what waits and is in force, up to exactly the maximum, and not what expired", async () => {
    const { key, clock, sign, writeDirectly } = await arrange();
    await sign();
    expect(await writeDirectly(key.id, 2)).toBe("WRITTEN");
    expect(await writeDirectly(key.id, 2)).toBe("TOO_MANY");
    clock.advance(HOUR_MS);
    expect(await writeDirectly(key.id, 2)).toBe("WRITTEN");
  });

  it("waits for another one of the key, and counts it", async () => {
    const { key, writeFor, writeDirectly } = await arrange();
    const { hasWaited, result } = await overlap(
      database,
      (client) => client.query("select write_mandate($1)", [writeFor(key.id, 1)]),
      () => writeDirectly(key.id, 1),
    );
    expect({ hasWaited, result }).toEqual({ hasWaited: true, result: "TOO_MANY" });
  });

  it("is refused to a key that has ended", async () => {
    const { organization, key, clock, writeDirectly } = await arrange();
    const { id: next } = await organization.addKey([moveAnything(true)], "claude");
    await database.ownerPool.query("update api_keys set ends_at = $2, replaced_by = $3 where id = $1", [
      key.id,
      clock.now(),
      next,
    ]);
    expect(await writeDirectly(key.id)).toBe("NO_KEY");
  });
});
