import { describe, expect, it } from "vitest";
import { readMandateSigning, signMandate } from "@/lib/core/mandates/sign-mandate";
import { confirmPayee } from "@/lib/core/payees/decide-payee";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { addPayee, changePayee } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { signedMandate, termsBetween } from "@/lib/testing/mandates/signed-mandate";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";

/** Goal: a mandate pays the bank account that its signers saw and no other, also when it changes at the same moment. */
const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 10_000_000,
  });
  const reserve = await organization.addAccount({ name: "Reserve", type: "POD", balanceInCents: 10_000_000 });
  const key = await organization.addKey([moveAnything(true)], "claude");
  const free = await organization.addKey([moveAnything(false)], "free");
  const bank = createSandboxBank(database.pool);
  const here = () => ({
    ...organization.owner,
    now: clock.now(),
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
  });
  const confirm = async (payeeId: string) => {
    await database.ownerPool.query("update sessions set authenticated_at = $2 where organization_id = $1", [
      organizationId,
      clock.now(),
    ]);
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payee_details where organization_id = $1 and payee_id = $2 and state = 'WAITING'",
      [organizationId, payeeId],
    );
    await confirmPayee(services, here(), { payeeId, detailsId: rows[0]?.id ?? "", callBackNote: null });
  };
  const payee = await addPayee(services, bank, here(), {
    name: "Redline Print",
    kind: "BUSINESS",
    account: {
      holderName: "Redline Print LLC",
      accountKind: "CHECKING",
      routingNumber: "101050001",
      accountNumber: "987654321",
    },
  });
  await confirm(payee);
  const pay = async (amountInCents: number, by = key, from = operating) => {
    const sent = { sourceAccountId: from, destinationAccountId: payee, amountInCents };
    const { status, mandateId, checks } = await askTransfer(services, by.context, sent);
    const broken = checks?.find(({ code }) => code === "OUTSIDE_MANDATE")?.text ?? null;
    return { status, mandateId, broken };
  };
  const sign = () =>
    signedMandate(services, organization.owner, key.context.actor.id, termsBetween([operating], [payee]));
  const rename = async (name: string) => {
    await changePayee(services, bank, here(), { payeeId: payee, name, kind: "BUSINESS", account: null });
    await confirm(payee);
  };
  return { services, organizationId, reserve, free, here, payee, pay, sign, rename };
}

const CHANGED = { status: "APPROVAL_PENDING", mandateId: null, broken: expect.stringContaining("changed") };

describe("a mandate for a payee", () => {
  it("that changes pays it again only once it was signed again", async () => {
    const { services, organizationId, here, pay, sign, rename } = await arrange();
    const id = await sign();
    expect(await pay(10_000)).toMatchObject({ status: "PROCESSING", mandateId: id });
    await rename("Redline Print and Sign");
    expect(await pay(10_000)).toMatchObject(CHANGED);
    const signing = await readMandateSigning(services.pool, { organizationId, now: here().now }, id);
    expect(signing?.mandate.stoppedBy).toBe("DESTINATION_CHANGED");
    const subject = { id, hash: signing?.hash ?? "" };
    expect(await signMandate(services, here(), { ...subject, confirmation: { kind: "NONE" } })).toEqual({
      kind: "IN_FORCE",
    });
    expect(await pay(10_000)).toMatchObject({ status: "PROCESSING", mandateId: id });
  });

  it("does not pay one whose change a use has waited for", async () => {
    const { organizationId, payee, pay, sign } = await arrange();
    await sign();
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("update payees set version = version + 1 where organization_id = $1 and id = $2", [
          organizationId,
          payee,
        ]),
      () => pay(10_000),
    );
    expect({ hasWaited, ...result }).toMatchObject({ hasWaited: true, ...CHANGED });
  });

  it("pays a new one beside another key, from another account, without a deadlock", async () => {
    const { reserve, free, pay, sign } = await arrange();
    await sign();
    const paid = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? pay(1_000) : pay(1_000, free, reserve))),
    );
    expect(paid.map(({ status }) => status)).toEqual(paid.map(() => "PROCESSING"));
  });
});
