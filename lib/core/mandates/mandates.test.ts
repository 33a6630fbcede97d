/**
 * Goal: a mandate lets through what people signed and nothing else. Method: the commands against a real database, also at
 * once; payees, policies, roles, keys and gates changed between a signature and a use.
 */
import { describe, expect, it } from "vitest";
import type { AppError } from "@/lib/contract/error";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import type { MemberRole } from "@/lib/contract/members";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { endMandate } from "@/lib/core/mandates/end-mandate";
import { readMandate } from "@/lib/core/mandates/read-mandates";
import { readMandateSigning, signMandate } from "@/lib/core/mandates/sign-mandate";
import { narrowMandate, writeMandate } from "@/lib/core/mandates/write-mandate";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { signedMandate, termsBetween } from "@/lib/testing/mandates/signed-mandate";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anyDeciders, asks, policyOf, putInForce } from "@/lib/testing/policies";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
const HOUR_MS = 3_600_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const profit = await organization.addAccount({ name: "Profit", type: "POD" });
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const key = await organization.addKey([moveAnything(true), ...readEverything], "claude");
  const keyId = key.context.actor.id;
  const fresh = (of: Context<MemberActor> = owner) => ({
    ...of,
    now: clock.now(),
    actor: { ...of.actor, authenticatedAt: clock.now() },
  });
  const ask = async (amountInCents: number, destinationAccountId = taxes, simulation = false) => {
    const sent = { sourceAccountId: operating, destinationAccountId, amountInCents, simulation };
    const transfer = await askTransfer(services, { ...key.context, now: clock.now() }, sent);
    const broken = transfer.checks?.find(({ code }) => code === "OUTSIDE_MANDATE")?.text ?? null;
    return { id: transfer.id, status: transfer.status, mandateId: transfer.mandateId, broken };
  };
  const sign = (changed: Partial<MandateTerms> = {}, destinations = [taxes]) =>
    signedMandate(services, owner, keyId, termsBetween([operating], destinations, changed));
  const look = (id: string) => readMandate(services.pool, { organizationId, now: clock.now() }, id);
  const signing = (id: string) => readMandateSigning(services.pool, { organizationId, now: clock.now() }, id);
  const signAs = async (of: Context<MemberActor>, id: string, hash?: string) =>
    signMandate(services, fresh(of), {
      id,
      hash: hash ?? (await signing(id))?.hash ?? "",
      confirmation: { kind: "NONE" },
    });
  const notices = async () => {
    const { rows } = await database.ownerPool.query<{ notice: string }>(
      `select concat_ws(' ', n.kind, u.name) as notice from notices n left join users u on u.id = n.user_id
        where n.organization_id = $1 and n.kind like 'MANDATE%' order by n.id`,
      [organizationId],
    );
    return rows.map(({ notice }) => notice);
  };
  const setRole = ({ actor }: Context<MemberActor>, role: MemberRole) =>
    database.ownerPool.query("update memberships set role = $3 where organization_id = $1 and user_id = $2", [
      organizationId,
      actor.id,
      role,
    ]);
  return {
    services,
    clock,
    organization,
    organizationId,
    owner,
    setRole,
    jonas,
    operating,
    taxes,
    profit,
    key,
    keyId,
    fresh,
    ask,
    sign,
    look,
    signing,
    signAs,
    notices,
  };
}

const WAITS = { status: "APPROVAL_PENDING", mandateId: null };
const because = (words: string) => ({ ...WAITS, broken: expect.stringContaining(words) });

describe("a mandate", () => {
  it("lets a transfer inside it through at once, which names it, and another one wait", async () => {
    const { ask, sign, look, profit } = await arrange();
    const id = await sign({ dayInCents: 50_000 });
    expect(await ask(35_000)).toMatchObject({ status: "PROCESSING", mandateId: id, broken: null });
    expect(await ask(15_001)).toMatchObject(because("today"));
    expect(await ask(15_000)).toMatchObject({ status: "PROCESSING", mandateId: id });
    expect(await ask(35_001)).toMatchObject(because("at a time"));
    expect(await ask(10_000, profit)).toMatchObject({ ...WAITS, broken: null });
    expect(await look(id)).toMatchObject({ used: { uses: 2, inCents: 50_000 }, left: { dayInCents: 0 } });
  });

  it("says in a dry run what the live transfer meets, and counts no dry run", async () => {
    const { ask, sign, look } = await arrange();
    const id = await sign({ totalInCents: 20_000 });
    expect(await ask(20_000, undefined, true)).toMatchObject({
      status: "COMPLETE",
      mandateId: null,
      broken: expect.stringContaining("without asking"),
    });
    expect(await ask(20_001, undefined, true)).toMatchObject({ broken: expect.stringContaining("in all") });
    expect((await look(id))?.used.uses).toBe(0);
  });

  it("counts what was canceled no longer, and everything else", async () => {
    const { services, fresh, ask, sign } = await arrange();
    const id = await sign({ totalInCents: 35_000 });
    const first = await ask(35_000);
    expect(await ask(100)).toMatchObject(because("in all"));
    expect(await cancelTransfer(services, fresh(), first.id)).toBe("CANCELLED");
    expect(await ask(35_000)).toMatchObject({ status: "PROCESSING", mandateId: id });
  });

  it("begins a new day in its own zone, also after the organization's has changed", async () => {
    const { clock, ask, sign, organizationId } = await arrange();
    await sign({ dayInCents: 30_000 });
    await ask(30_000);
    await database.ownerPool.query("update organizations set time_zone = 'Asia/Tokyo' where id = $1", [
      organizationId,
    ]);
    // 23:59 in New York; in Tokyo it is the next day.
    clock.set(new Date("2026-01-16T04:59:59.999Z"));
    expect(await ask(100)).toMatchObject(because("today"));
    clock.set(new Date("2026-01-16T05:00:00.000Z"));
    expect(await ask(30_000)).toMatchObject({ status: "PROCESSING" });
  });

  it("keeps what it says in the source, at exactly that", async () => {
    const { ask, sign } = await arrange();
    await sign({ keepsInCents: 990_000 });
    expect(await ask(10_001)).toMatchObject(because("hold less"));
    expect(await ask(10_000)).toMatchObject({ status: "PROCESSING" });
  });

  it("of two that a transfer is inside of, the first is charged, then the other", async () => {
    const { ask, sign } = await arrange();
    const first = await sign({ totalInCents: 10_000 });
    const second = await sign({ totalInCents: 10_000 });
    expect([await ask(10_000), await ask(10_000)].map(({ mandateId }) => mandateId)).toEqual([first, second]);
    expect(await ask(100)).toMatchObject(because("in all"));
  });

  it.each([
    ["NOT_YET", { from: "2026-02-01" }],
    ["OVER", { until: "2026-01-14" }],
  ] as const)("covers nothing outside its days: %s", async (constraint, days) => {
    const { ask, sign, look } = await arrange();
    const id = await sign(days);
    expect(await ask(10_000)).toMatchObject({ ...WAITS, broken: expect.anything() });
    expect((await look(id))?.stoppedBy).toBe(constraint);
  });
});

describe("what stops a mandate", () => {
  it("ends at once by one tap, after which a transfer waits; ending again changes nothing", async () => {
    const { services, fresh, jonas, ask, sign, look, notices } = await arrange();
    const id = await sign();
    expect(await endMandate(services, fresh(jonas), id)).toBe("IN_FORCE");
    expect(await ask(10_000)).toMatchObject({ ...WAITS, broken: null });
    expect(await endMandate(services, fresh(jonas), id)).toBe("ENDED");
    expect(await look(id)).toMatchObject({ state: "ENDED", endedByName: "Jonas", endReason: "MEMBER" });
    expect(await notices()).toEqual(["MANDATE_SIGNED", "MANDATE_ENDED"]);
  });

  it("ends with its key", async () => {
    const { services, fresh, keyId, sign, look } = await arrange();
    const id = await sign();
    await revokeApiKey(services, fresh(), keyId);
    expect(await look(id)).toMatchObject({ state: "ENDED", endReason: "KEY_ENDED", endedByName: null });
  });

  it("lets nothing through while the gates are closed", async () => {
    const { services, fresh, ask, sign } = await arrange();
    await sign();
    await closeGates(services, fresh());
    await expect(ask(10_000)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("has to be signed again once another policy is in force, by whom that asks for", async () => {
    const { organizationId, owner, jonas, ask, sign, look, signing, signAs } = await arrange();
    const id = await sign();
    await putInForce(database, organizationId, owner.actor.id, policyOf(asks([anyDeciders(2)])));
    expect(await ask(10_000)).toMatchObject(because("signed again"));
    expect(await look(id)).toMatchObject({ state: "IN_FORCE", stoppedBy: "SIGNATURES" });
    expect(await signAs(owner, id)).toEqual({ kind: "SIGNED" });
    expect(await ask(10_000)).toMatchObject(because("signed again"));
    expect((await signing(id))?.progress.maySign).toEqual([jonas.actor.id]);
    expect(await signAs(jonas, id)).toEqual({ kind: "IN_FORCE" });
    expect(await ask(10_000)).toMatchObject({ status: "PROCESSING", mandateId: id });
  });

  it("has to be signed again once who signed it no longer decides", async () => {
    const { organizationId, jonas, owner, services, keyId, operating, taxes, ask, look, signAs } =
      await arrange();
    const id = await signedMandate(services, jonas, keyId, termsBetween([operating], [taxes]));
    await database.ownerPool.query(
      "update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2",
      [organizationId, jonas.actor.id],
    );
    expect(await ask(10_000)).toMatchObject(because("signed again"));
    expect((await look(id))?.stoppedBy).toBe("SIGNATURES");
    expect(await signAs(owner, id)).toEqual({ kind: "IN_FORCE" });
    expect(await ask(10_000)).toMatchObject({ status: "PROCESSING" });
  });

  it("stays stopped when who signed it gets the role again, until it is signed again", async () => {
    const { organizationId, jonas, services, keyId, operating, taxes, ask, look, signAs, setRole } =
      await arrange();
    const id = await signedMandate(services, jonas, keyId, termsBetween([operating], [taxes]));
    await setRole(jonas, "VIEWER");
    await setRole(jonas, "CO_OWNER");
    expect(await ask(10_000)).toMatchObject(because("signed again"));
    expect((await look(id))?.stoppedBy).toBe("SIGNATURES");
    expect(await signAs(jonas, id)).toEqual({ kind: "IN_FORCE" });
    expect(await ask(10_000)).toMatchObject({ status: "PROCESSING", mandateId: id });
    // Someone who was removed and comes back has signed nothing either.
    await database.ownerPool.query(
      "with gone as (delete from memberships where organization_id = $1 and user_id = $2 returning *) select from gone",
      [organizationId, jonas.actor.id],
    );
    await database.ownerPool.query(
      "insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, 'CO_OWNER', now())",
      [organizationId, jonas.actor.id],
    );
    expect(await ask(10_000)).toMatchObject(because("signed again"));
  });

  it("may be signed again by who had signed it already", async () => {
    const { organizationId, owner, ask, sign, signAs } = await arrange();
    const id = await sign();
    await putInForce(database, organizationId, owner.actor.id, policyOf(asks([anyDeciders(1)])));
    expect(await signAs(owner, id)).toEqual({ kind: "IN_FORCE" });
    expect(await signAs(owner, id)).toMatchObject({ kind: "REFUSED" });
    expect(await ask(10_000)).toMatchObject({ status: "PROCESSING" });
  });
});

describe("signing a mandate", () => {
  it("binds to what was shown: narrowed terms need the page to be loaded again", async () => {
    const { services, fresh, owner, keyId, operating, taxes, signing, signAs, look } = await arrange();
    const terms = termsBetween([operating], [taxes]);
    const { id } = await writeMandate(services, fresh(), { apiKeyId: keyId, terms });
    const shown = (await signing(id))?.hash;
    await narrowMandate(services, fresh(), { id, revision: 1, terms: { ...terms, maximumInCents: 10_000 } });
    expect(await signAs(owner, id, shown)).toMatchObject({ kind: "CHANGED" });
    expect(await look(id)).toMatchObject({ state: "WAITING", revision: 2 });
    await expect(narrowMandate(services, fresh(), { id, revision: 1, terms })).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
  });

  it("is refused to a viewer, for one that ended, and after its time", async () => {
    const { services, clock, fresh, organization, owner, keyId, operating, taxes, signAs } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    const terms = termsBetween([operating], [taxes]);
    const { id } = await writeMandate(services, fresh(), { apiKeyId: keyId, terms });
    expect(await signAs(viewer, id)).toMatchObject({ kind: "REFUSED" });
    clock.advance(24 * HOUR_MS);
    expect(await signAs(owner, id)).toMatchObject({ kind: "REFUSED" });
    const other = await writeMandate(services, fresh(), { apiKeyId: keyId, terms });
    expect(await endMandate(services, fresh(), other.id)).toBe("WAITING");
    expect(await signAs(owner, other.id)).toMatchObject({ kind: "REFUSED" });
  });

  it("waits for its signatures as long as the policy gives for transfers inside it", async () => {
    const { services, owner, organizationId, fresh, keyId, operating, taxes, clock, look, signAs } =
      await arrange();
    const slow = asks([anyDeciders(1)], { expiresAfterHours: 48 });
    await putInForce(database, organizationId, owner.actor.id, policyOf(slow));
    const terms = termsBetween([operating], [taxes]);
    const { id } = await writeMandate(services, fresh(), { apiKeyId: keyId, terms });
    clock.advance(47 * 3_600_000);
    expect(await look(id)).toMatchObject({ isExpired: false });
    clock.advance(2 * 3_600_000);
    expect(await look(id)).toMatchObject({ isExpired: true });
    expect(await signAs(owner, id)).toMatchObject({ kind: "REFUSED" });
  });

  it("does not count a signature of someone who lost the role and got it again", async () => {
    const { services, organizationId, owner, jonas, fresh, keyId, operating, taxes, signAs, setRole } =
      await arrange();
    await putInForce(database, organizationId, owner.actor.id, policyOf(asks([anyDeciders(2)])));
    const terms = termsBetween([operating], [taxes]);
    const { id } = await writeMandate(services, fresh(), { apiKeyId: keyId, terms });
    expect(await signAs(jonas, id)).toEqual({ kind: "SIGNED" });
    await setRole(jonas, "VIEWER");
    await setRole(jonas, "CO_OWNER");
    expect(await signAs(owner, id)).toEqual({ kind: "SIGNED" });
    expect(await signAs(jonas, id)).toEqual({ kind: "IN_FORCE" });
  });

  it("needs what the policy asks for any transfer inside, not only for small ones", async () => {
    const { services, organizationId, owner, jonas, fresh, keyId, operating, taxes, signAs, signing } =
      await arrange();
    await putInForce(
      database,
      organizationId,
      owner.actor.id,
      policyOf(asks([anyDeciders(1)]), {
        name: "Large",
        when: { amountOver: 20_000 },
        ...asks([anyDeciders(2)]),
      }),
    );
    const small = termsBetween([operating], [taxes], { maximumInCents: 20_000 });
    const { id } = await writeMandate(services, fresh(), { apiKeyId: keyId, terms: small });
    expect(await signAs(owner, id)).toEqual({ kind: "IN_FORCE" });
    const large = termsBetween([operating], [taxes], { maximumInCents: 20_001 });
    const other = await writeMandate(services, fresh(), { apiKeyId: keyId, terms: large });
    expect((await signing(other.id))?.requirements.map(({ ruleName }) => ruleName)).toEqual(["Large", null]);
    expect(await signAs(owner, other.id)).toEqual({ kind: "SIGNED" });
    expect(await signAs(owner, other.id)).toMatchObject({ kind: "REFUSED" });
    expect(await signAs(jonas, other.id)).toEqual({ kind: "IN_FORCE" });
  });

  it("counts who changed it to let more through as its requester, and not who narrowed it", async () => {
    const scene = await arrange();
    const { services, organization, organizationId, owner, jonas, fresh, keyId, operating, taxes } = scene;
    const { look, signing, signAs } = scene;
    const priya = await organization.addMember("CO_OWNER", "Priya");
    const others = asks([anyDeciders(1)], { requesterCounts: false });
    await putInForce(database, organizationId, owner.actor.id, policyOf(others));
    const terms = termsBetween([operating], [taxes]);
    const { id } = await writeMandate(services, fresh(), { apiKeyId: keyId, terms });
    const change = (of: Context<MemberActor>, revision: number, maximumInCents: number) =>
      narrowMandate(services, fresh(of), { id, revision, terms: { ...terms, maximumInCents } });
    await change(jonas, 1, terms.maximumInCents - 100);
    expect((await signing(id))?.progress.maySign).toContain(jonas.actor.id);
    await change(jonas, 2, 1_000_000);
    expect((await signing(id))?.progress.maySign).toEqual([priya.actor.id]);
    expect(await signAs(jonas, id)).toMatchObject({ kind: "REFUSED" });
    expect(await look(id)).toMatchObject({ state: "WAITING" });
    expect(await signAs(priya, id)).toEqual({ kind: "IN_FORCE" });
  });

  it("is nothing of another organization", async () => {
    const { sign, services, fresh } = await arrange();
    const id = await sign();
    const stranger = await arrange();
    expect(await stranger.look(id)).toBeNull();
    await expect(endMandate(services, stranger.fresh(), id)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    expect(await stranger.signAs(stranger.owner, id)).toMatchObject({ kind: "REFUSED" });
    await expect(
      writeMandate(services, fresh(), {
        apiKeyId: stranger.keyId,
        terms: termsBetween([stranger.operating], [stranger.taxes]),
      }),
    ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  });

  it("is written for no key whose transfers need no approval: people would sign for nothing", async () => {
    const { services, organization, fresh, operating, taxes } = await arrange();
    const free = await organization.addKey([moveAnything(false)], "free");
    await expect(
      writeMandate(services, fresh(), {
        apiKeyId: free.context.actor.id,
        terms: termsBetween([operating], [taxes]),
      }),
    ).rejects.toThrow("need no approval");
  });

  it("covers only what its key may propose, from accounts that Sluice manages", async () => {
    const { services, organization, fresh, operating, taxes, profit } = await arrange();
    const outside = await organization.addAccount({ name: "Bank", type: "EXTERNAL_ACCOUNT" });
    const entries = [{ source: operating, target: taxes, max_amount: 10_000 }];
    const narrow = await organization.addKey(
      [{ type: "MANUAL_TRANSFER", entries, approval: { required: true } }],
      "narrow",
    );
    const write = (terms: MandateTerms) =>
      writeMandate(services, fresh(), { apiKeyId: narrow.context.actor.id, terms });
    await expect(write(termsBetween([operating], [taxes]))).rejects.toMatchObject({
      code: "MAXIMUM_AMOUNT_EXCEEDED",
    });
    await expect(
      write(termsBetween([operating], [profit], { maximumInCents: 10_000 })),
    ).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(write(termsBetween([outside], [taxes]))).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    expect(await write(termsBetween([operating], [taxes], { maximumInCents: 10_000 }))).toMatchObject({});
  });
});

describe("a mandate in a race", () => {
  it("is charged once by two uses that overlap: the later one waits for a person", async () => {
    const { ask, sign } = await arrange();
    const id = await sign({ totalInCents: 35_000 });
    const { hasWaited, result } = await overlap(
      database,
      (client) => client.query("select from mandates where id = $1 for update", [id]),
      () => Promise.all([ask(35_000), ask(35_000)]),
    );
    expect(hasWaited).toBe(true);
    expect(result.map(({ status }) => status).sort()).toEqual(["APPROVAL_PENDING", "PROCESSING"]);
  });

  it("of a key that is replaced while a use waits for it lets nothing more through, and the new key has none", async () => {
    const { services, key, keyId, fresh, operating, taxes, look, sign } = await arrange();
    const id = await sign();
    const sent = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 10_000 };
    const { hasWaited, result } = await overlap(
      database,
      (client) => client.query("select from api_keys where id = $1 for update", [keyId]),
      async () => {
        const replacing = replaceApiKey(services, fresh(), { keyId, grace: "NONE" });
        const using = askTransfer(services, key.context, sent).catch((error: AppError) => error.code);
        return { used: await using, made: await replacing };
      },
    );
    expect(hasWaited).toBe(true);
    const { used, made } = result;
    if (made.kind !== "CREATED") throw new Error("It waits");
    // Whichever came first: accepted before, or refused as a key that has ended.
    expect(typeof used === "string" ? used : used.mandateId).toBe(
      typeof used === "string" ? "UNAUTHORIZED" : id,
    );
    expect(await look(id)).toMatchObject({ state: "ENDED", endReason: "KEY_ENDED" });
    const context = { ...key.context, actor: { ...key.context.actor, id: made.id } };
    expect(await askTransfer(services, context, sent)).toMatchObject({ status: "APPROVAL_PENDING" });
  });

  it("that is ended while a use waits for it lets nothing more through", async () => {
    const { services, fresh, ask, sign, organizationId, owner, clock } = await arrange();
    const id = await sign();
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("select end_mandate($1, $2, $3, null, $4)", [
          organizationId,
          id,
          owner.actor.id,
          clock.now(),
        ]),
      () => ask(10_000),
    );
    expect({ hasWaited, ...result }).toMatchObject({ hasWaited: true, ...WAITS });
    expect(await endMandate(services, fresh(), id)).toBe("ENDED");
  });
});
