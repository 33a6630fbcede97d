import { expect, it } from "vitest";
import { STARTER_PODS } from "@/lib/contract/onboarding";
import { openFirstPods } from "@/lib/core/rules/open-first-pods";
import { makeTestDeposit } from "@/lib/core/sandbox/play-bank";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { askUnbooked, moveAnything } from "@/lib/testing/api";
import { submitIdentity } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { type ChecklistItemId, type OnboardingOffers, readOnboarding } from "@/lib/views/read-onboarding";

/** The checklist. Risks: it claims what is not so, or offers test money beside a real provider. */
const SANDBOX: OnboardingOffers = { hasSandbox: true, hasSandboxIdentity: true, hasSms: true };
const REAL: OnboardingOffers = { hasSandbox: false, hasSandboxIdentity: false, hasSms: true };

const database = useTestDatabase();

async function arrange(status: "NEEDED" | "APPROVED" | null = "APPROVED") {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  if (status) {
    await database.pool.query(
      "insert into identity_checks (organization_id, status, application_id) values ($1, $2, $3)",
      [organizationId, status, status === "NEEDED" ? null : organizationId],
    );
  }
  const bank = createSandboxBank(database.pool);
  const read = (offers = SANDBOX, member: Context<MemberActor> = owner) =>
    readOnboarding({ services, context: member }, offers);
  return {
    ...organization,
    services,
    read,
    now: () => ({ ...owner, now: clock.now() }),
    item: async (id: ChecklistItemId, offers = SANDBOX) =>
      (await read(offers)).checklist.items.find((one) => one.id === id),
    work: async () => {
      await collectBankNotices(services, bank, 50);
      await bookDueTransfers(services, 50);
    },
  };
}

const doneOf = async ({ read }: { read: () => ReturnType<typeof readOnboarding> }) =>
  (await read()).checklist.items.filter(({ isDone }) => isDone).map(({ id }) => id);

it("checks off each step when it has happened: pods, arrived money, booked money", async () => {
  const scene = await arrange();
  const { services, read, owner, item, work, now } = scene;
  expect(await doneOf(scene)).toEqual(["IDENTITY"]);
  expect((await read()).checklist.starterPods).toEqual(STARTER_PODS.map(({ name }) => name));

  await openFirstPods(services, owner, STARTER_PODS);
  expect(await doneOf(scene)).toEqual(["IDENTITY", "PODS"]);
  expect(await item("MOVE")).toMatchObject({ note: "After money has arrived", link: null });
  expect(await item("RULE")).toMatchObject({ isDone: false, note: "Draft" });
  expect((await read()).checklist).toMatchObject({ starterPods: null, testDepositInCents: 100_000 });

  await makeTestDeposit(services, createTestSandbox(services), now());
  expect((await item("MONEY"))?.isDone).toBe(false);
  await work();
  expect(await doneOf(scene)).toEqual(["IDENTITY", "PODS", "MONEY"]);
  expect((await read()).checklist.testDepositInCents).toBeNull();

  const link = (await item("MOVE"))?.link;
  expect(link?.label).toBe("Move $100.00 to Taxes");
  const query = new URL(link?.href ?? "", services.appUrl).searchParams;
  const { context: key } = await scene.addKey([moveAnything(false)]);
  await askUnbooked(services, key, {
    sourceAccountId: query.get("from") ?? "",
    destinationAccountId: query.get("to") ?? "",
    amountInCents: Number(query.get("amountInCents")),
  });
  expect((await item("MOVE"))?.isDone).toBe(false);
  await work();
  expect(await doneOf(scene)).toEqual(["IDENTITY", "PODS", "MONEY", "MOVE", "KEY"]);
});

it("counts a rule only while one is active, and a connection only while it works", async () => {
  const { services, addAccount, addKey, item, read, organizationId, owner } = await arrange();
  const income = await addAccount({ name: "Income", type: "INCOME_SOURCE" });
  const taxes = await addAccount({ name: "Taxes", type: "POD" });
  const { context: key } = await addKey(anythingWithRules(false));
  const ruleId = await writeRule(services, key, {
    name: "Set aside",
    trigger: { type: "MANUAL", accountId: income },
    steps: [
      {
        actions: [
          {
            type: "FIXED",
            amountInCents: 100,
            sourceAccountId: income,
            destinationAccountId: taxes,
            group: 0,
          },
        ],
      },
    ],
  });
  expect(await item("RULE")).toMatchObject({
    isDone: false,
    note: "Set aside is not active",
    link: { href: `/rules/${ruleId}` },
  });
  expect((await read()).inactiveRule?.name).toBe("Set aside");
  await makeActive(database, ruleId);
  expect(await item("RULE")).toMatchObject({ isDone: true, note: "Set aside" });

  await database.ownerPool.query(
    `insert into connections (organization_id, id, provider, provider_item_id, institution_id, institution_name, status,
       created_by, created_at)
     values ($1, $2, 'SANDBOX', 'item', 'harbor', 'First Harbor', 'NEEDS_SIGN_IN', $3, now())`,
    [organizationId, ruleId, owner.actor.id],
  );
  expect(await item("BANK")).toMatchObject({ isDone: false, note: "First Harbor needs a new sign-in" });
});

it("offers a passkey, and a phone number where text messages can be sent, as optional", async () => {
  const { item, owner, now, read } = await arrange();
  expect(await item("PASSKEY")).toMatchObject({ isDone: false, isOptional: true });
  expect(await item("PHONE")).toMatchObject({ isDone: false, link: { label: "Add a phone number" } });
  expect(await item("PHONE", { ...SANDBOX, hasSms: false })).toBeUndefined();
  const setPhone = "update users set phone = '+12125550123', phone_verified_at = $2 where id = $1";
  await database.ownerPool.query(setPhone, [owner.actor.id, null]);
  expect(await item("PHONE")).toMatchObject({ isDone: false, note: "Not verified" });
  await database.ownerPool.query(setPhone, [owner.actor.id, now().now]);
  expect((await item("PHONE"))?.isDone).toBe(true);
  expect((await read()).checklist.items.filter(({ isOptional }) => isOptional).map(({ id }) => id)).toEqual([
    "BANK",
    "KEY",
    "PASSKEY",
    "PHONE",
  ]);
});

it("submits a sample identity that the sandbox's check approves, for either kind", async () => {
  const identity = createSandboxIdentity(database.pool);
  for (const kind of ["BUSINESS", "INDIVIDUAL"]) {
    const { services, read, now, organizationId } = await arrange("NEEDED");
    await database.ownerPool.query("update organizations set kind = $2 where id = $1", [
      organizationId,
      kind,
    ]);
    const { sampleIdentity } = await read();
    if (!sampleIdentity) throw new Error("No sample identity was offered");
    await submitIdentity(services, identity, now(), sampleIdentity, { isSandboxBank: true });
    const { rows } = await database.ownerPool.query<{ application_id: string }>(
      "select application_id from identity_checks where organization_id = $1",
      [organizationId],
    );
    const later = { organizationId, businessNow: new Date(now().now.getTime() + 60_000) };
    expect(await identity.find({ ...later, applicationId: rows[0]?.application_id ?? "" })).toMatchObject({
      state: "APPROVED",
    });
  }
});

it("beside real providers offers neither a sample identity nor test money nor a move, and deposits nothing", async () => {
  const fresh = await arrange("NEEDED");
  expect((await fresh.read(REAL)).sampleIdentity).toBeNull();
  expect((await fresh.read({ ...REAL, hasSandboxIdentity: true })).sampleIdentity).toBeNull();

  const { services, read, owner, item, addAccount, now } = await arrange();
  await openFirstPods(services, owner, STARTER_PODS);
  expect((await read(REAL)).checklist.testDepositInCents).toBeNull();
  await expect(makeTestDeposit(services, null, now())).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  await addAccount({ name: "Payroll", type: "POD", balanceInCents: 500_000 });
  expect((await item("MOVE", REAL))?.link).toEqual({ label: "Move money", href: "/transfers/new" });
});

it("is shown until it is put away, and without an identity check until money has moved", async () => {
  const signedUp = await arrange();
  await signedUp.addAccount({ name: "Operating", type: "POD", balanceInCents: 100 });
  expect((await signedUp.read()).isOpen).toBe(true);
  await database.pool.query("update identity_checks set onboarded_at = now() where organization_id = $1", [
    signedUp.organizationId,
  ]);
  expect((await signedUp.read()).isOpen).toBe(false);

  const exempt = await arrange(null);
  expect((await exempt.read()).checklist.items.map(({ id }) => id)).not.toContain("IDENTITY");
  expect((await exempt.read()).isOpen).toBe(true);
  await exempt.addAccount({ name: "Operating", type: "POD", balanceInCents: 100 });
  expect((await exempt.read()).isOpen).toBe(false);
});

it("offers a viewer nothing to press, and shows nothing of another organization", async () => {
  const theirs = await arrange();
  await openFirstPods(theirs.services, theirs.owner, STARTER_PODS);
  const ours = await arrange();
  const viewer = await ours.addMember("VIEWER", "Vera");
  const { checklist } = await ours.read(SANDBOX, viewer);
  expect(checklist).toMatchObject({
    canDecide: false,
    starterPods: null,
    testDepositInCents: null,
    canEnd: false,
  });
  expect(checklist.items.filter(({ isDone }) => isDone).map(({ id }) => id)).toEqual(["IDENTITY"]);
});
