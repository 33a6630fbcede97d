import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { IdentityInput } from "@/lib/contract/onboarding";
import { createAccountAsMember } from "@/lib/core/ledger/create-account";
import { checkIdentities } from "@/lib/core/organizations/check-identities";
import { endOnboarding } from "@/lib/core/organizations/end-onboarding";
import { addIdentityDocument, SETTLES_AFTER_MS } from "@/lib/core/organizations/submit-identity";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { IdentityPort } from "@/lib/ports/identity/identity-port";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { createTestApi } from "@/lib/testing/api";
import { openFirstPods, submitIdentity } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readOnboarding } from "@/lib/views/read-onboarding";

const database = useTestDatabase();
let identity: IdentityPort;
let test: ReturnType<typeof createTestServices>;
beforeAll(async () => {
  identity = createSandboxIdentity(database.pool);
});
beforeEach(() => {
  test = createTestServices(database);
});

const OFFERS = { hasSandbox: true, hasSandboxIdentity: true, hasSms: true };
const SETTING = { isSandboxBank: true };
const ADDRESS = { street: "1 Main Street", city: "New York", state: "ny", postalCode: "10013" };
const PODS = [
  { name: "Taxes", sharePercent: 30 },
  { name: "Operating", sharePercent: 70 },
];
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]);

/** A business that needs its check, as signing up creates it. */
async function arrange() {
  const organization = await createTestOrganization(database, test.services);
  await database.pool.query("insert into identity_checks (organization_id, status) values ($1, 'NEEDED')", [
    organization.organizationId,
  ]);
  return organization;
}

const inputOf = (...taxIds: string[]): IdentityInput => ({
  business: { name: "Northwind Studio LLC", taxId: "12-3456789", address: ADDRESS },
  people: taxIds.map((taxId, index) => ({
    name: `Owner ${index + 1}`,
    taxId,
    bornOn: "1988-04-02",
    ownsPercent: 50,
    address: ADDRESS,
  })),
});

const now = (context: Context<MemberActor>) => ({ ...context, now: test.clock.now() });
const submit = (context: Context<MemberActor>, ...taxIds: string[]) =>
  submitIdentity(test.services, identity, now(context), inputOf(...taxIds), SETTING);
const read = async (context: Context<MemberActor>) =>
  (await readOnboarding({ services: test.services, context }, OFFERS)).identity;

async function check(afterMs = 60_000): Promise<void> {
  test.clock.advance(afterMs);
  await checkIdentities(test.services, identity, SETTING, 100);
}

async function notifiedOf(organizationId: string): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ subject: string }>(
    "select subject from messages where organization_id = $1 and kind = 'IDENTITY_CHECK' order by id",
    [organizationId],
  );
  return rows.map(({ subject }) => subject);
}

const refusal = async (run: Promise<unknown>) =>
  await run.then(
    () => null,
    (error: unknown) => error,
  );

describe("an organization whose identity check is not approved", () => {
  it("opens no account for a member or a key until it is approved", async () => {
    const { owner, addKey } = await arrange();
    const draft = { type: "POD" as const, name: "Taxes", floorInCents: null };
    const key = await addKey([{ type: "CREATE_ACCOUNTS" }]);
    const call = createTestApi(test.services);
    const byKey = () => call(key.text, "POST", "/accounts", { body: { type: "POD", name: "Operating" } });
    for (const taxId of [null, "123450001"]) {
      if (taxId) await submit(owner, taxId);
      expect(await refusal(createAccountAsMember(test.services, owner, draft))).toMatchObject({
        code: "ACCESS_DENIED",
      });
      expect(await refusal(openFirstPods(test.services, owner, PODS))).toMatchObject({
        code: "ACCESS_DENIED",
      });
      const answer = await byKey();
      expect(answer.status).toBe(403);
      expect(JSON.stringify(answer.body)).toContain("identity check");
    }
    await check();
    await addIdentityDocument(
      test.services,
      identity,
      now(owner),
      { subjectIndex: 1, content: PNG },
      SETTING,
    );
    await check();
    expect((await read(owner)).status).toBe("APPROVED");
    expect((await byKey()).status).toBe(201);
  });

  it("is one that signed up: others need no check", async () => {
    const { owner } = await createTestOrganization(database, test.services);
    expect((await read(owner)).status).toBe("APPROVED");
    await expect(openFirstPods(test.services, owner, PODS)).resolves.toBeUndefined();
  });
});

describe("the identity check", () => {
  it("goes from checking to approved, and notifies the owners once", async () => {
    const { owner, organizationId } = await arrange();
    await submit(owner, "123456789", "987654321");
    expect((await read(owner)).status).toBe("CHECKING");
    await Promise.all([check(), checkIdentities(test.services, identity, SETTING, 100)]);
    await check();
    expect(await read(owner)).toMatchObject({
      status: "APPROVED",
      subjects: [
        { kind: "BUSINESS", ownsPercent: null, taxIdLast4: "6789" },
        { kind: "PERSON", name: "Owner 1", ownsPercent: 50, taxIdLast4: "6789" },
        { kind: "PERSON", name: "Owner 2", taxIdLast4: "4321" },
      ],
    });
    expect(await notifiedOf(organizationId)).toEqual(["Northwind can now hold money"]);
  });

  it("stores no tax number, birthday or address", async () => {
    const { owner, organizationId } = await arrange();
    await submit(owner, "123456789");
    const { rows } = await database.ownerPool.query(
      "select i::text as kept from identity_checks i where organization_id = $1",
      [organizationId],
    );
    expect(JSON.stringify(rows)).not.toMatch(/12345|1988|Main Street/);
  });

  it("asks for a document, accepts only a photo or PDF, and is approved with one", async () => {
    const { owner, organizationId } = await arrange();
    await submit(owner, "123450001");
    await check();
    expect(await read(owner)).toMatchObject({
      status: "NEEDS_DOCUMENT",
      subjects: [
        { said: { state: "APPROVED" } },
        { said: { state: "NEEDS_DOCUMENT", document: "PHOTO_ID" } },
      ],
    });
    const add = (subjectIndex: number, content: Uint8Array) =>
      addIdentityDocument(test.services, identity, now(owner), { subjectIndex, content }, SETTING);
    for (const [index, content] of [
      [1, new TextEncoder().encode("<html>")],
      [1, new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
      [1, new Uint8Array(0)],
      [1, new Uint8Array([...PNG, ...new Uint8Array(5 * 1024 * 1024)])],
      [0, PNG],
      [7, PNG],
    ] as const) {
      expect(await refusal(add(index, content))).toMatchObject({ code: "INVALID_PARAMETERS" });
    }
    await add(1, PNG);
    expect((await read(owner)).status).toBe("CHECKING");
    await check();
    expect((await read(owner)).status).toBe("APPROVED");
    expect(await notifiedOf(organizationId)).toHaveLength(2);
  });

  it("refuses with a reason, and then accepts other details", async () => {
    const { owner } = await arrange();
    await submit(owner, "123450002");
    await check();
    expect(await read(owner)).toMatchObject({
      status: "REFUSED",
      subjects: [{}, { said: { state: "REFUSED", reason: expect.any(String) } }],
    });
    await submit(owner, "123456789");
    await check();
    expect((await read(owner)).status).toBe("APPROVED");
  });

  it("is polled, not sent the details again, when its answer was lost", async () => {
    const { owner } = await arrange();
    const seen: string[] = [];
    const watched: IdentityPort = {
      ...identity,
      submit: (application, context) => {
        seen.push(application.applicationId);
        return identity.submit(application, context);
      },
    };
    await submitIdentity(test.services, watched, now(owner), inputOf("123450003"), SETTING);
    expect((await read(owner)).status).toBe("SUBMITTING");
    await check(0);
    expect((await read(owner)).status).toBe("CHECKING");
    await check();
    expect((await read(owner)).status).toBe("APPROVED");
    expect(seen).toHaveLength(1);
  });

  it("asks the member again if the details never arrived, but not before they must have", async () => {
    const { owner, organizationId } = await arrange();
    await submit(owner, "123450004");
    await check(1_000);
    expect((await read(owner)).status).toBe("SUBMITTING");
    await check(SETTLES_AFTER_MS);
    expect(await read(owner)).toMatchObject({ status: "NEEDED", subjects: [], problem: expect.any(String) });
    expect(await notifiedOf(organizationId)).toHaveLength(1);
  });

  it("accepts one of two forms submitted concurrently", async () => {
    const { owner } = await arrange();
    const outcomes = await Promise.all([
      refusal(submit(owner, "123456789")),
      refusal(submit(owner, "123456789")),
    ]);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  });

  it.each(["VIEWER", "ACCOUNTANT"] as const)("is closed to a %s", async (role) => {
    const { owner, addMember } = await arrange();
    const reader = await addMember(role, "Tomas");
    expect(await refusal(submit(reader, "123456789"))).toMatchObject({ code: "ACCESS_DENIED" });
    await submit(owner, "123450001");
    await check();
    const document = { subjectIndex: 1, content: PNG };
    const added = addIdentityDocument(test.services, identity, now(reader), document, SETTING);
    expect(await refusal(added)).toMatchObject({ code: "ACCESS_DENIED" });
    expect(await refusal(openFirstPods(test.services, reader, PODS))).toMatchObject({
      code: "ACCESS_DENIED",
    });
    expect(await refusal(endOnboarding(test.services, reader))).toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("of one organization reveals nothing about another's", async () => {
    const mine = await arrange();
    const other = await arrange();
    await submit(mine.owner, "123450001");
    await check();
    expect(await read(other.owner)).toEqual({ status: "NEEDED", problem: null, subjects: [] });
    const document = { subjectIndex: 1, content: PNG };
    expect(
      await refusal(addIdentityDocument(test.services, identity, now(other.owner), document, SETTING)),
    ).toMatchObject({ code: "INVALID_PARAMETERS" });
  });
});

describe("the first pods", () => {
  it("are opened once with the income source, and their shares become an inactive draft", async () => {
    const { owner, organizationId } = await createTestOrganization(database, test.services);
    const outcomes = await Promise.all([
      refusal(openFirstPods(test.services, owner, PODS)),
      refusal(openFirstPods(test.services, owner, PODS)),
    ]);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    const { rows } = await database.ownerPool.query(
      `select (select array_agg(name order by id) from accounts where organization_id = $1) as names,
          (select count(*)::int from rules where organization_id = $1) as rules,
          (select count(*)::int from rule_drafts where organization_id = $1) as drafts`,
      [organizationId],
    );
    expect(rows).toEqual([{ names: ["Income", "Taxes", "Operating"], rules: 0, drafts: 1 }]);
    const view = await readOnboarding({ services: test.services, context: owner }, OFFERS);
    expect(view.ruleDraftHref).toMatch(/^\/rules\/new\/edit\?draft=/);
    expect(view.nextHref).toBe("/welcome/bank");
  });

  it.each([
    ["more than everything", [...PODS, { name: "Profit", sharePercent: 1 }]],
    ["one name twice", [...PODS.slice(0, 1), { name: "taxes", sharePercent: 1 }]],
    ["a share below nothing", [{ name: "Taxes", sharePercent: -1 }]],
    ["no name", [{ name: " ", sharePercent: 1 }]],
  ])("are not opened with %s", async (_, pods) => {
    const { owner } = await createTestOrganization(database, test.services);
    expect(await refusal(openFirstPods(test.services, owner, pods))).toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    expect((await readOnboarding({ services: test.services, context: owner }, OFFERS)).pods).toEqual([]);
  });
});
