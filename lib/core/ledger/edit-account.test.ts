import { describe, expect, it } from "vitest";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { editAccount } from "@/lib/core/ledger/edit-account";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { readRecordedChanges } from "@/lib/testing/recorded-changes";
import { createTestServices } from "@/lib/testing/services";
import { readAccountForm } from "@/lib/views/accounts/read-account-form";
import { getApproval } from "@/lib/views/approvals/get-approval";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const income = await organization.addAccount({ name: "Client payments", type: "INCOME_SOURCE" });
  const visa = await organization.addAccount({
    name: "Visa",
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "LIABILITY",
    balanceInCents: 5_000,
  });
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const owner = () => ({
    ...organization.owner,
    now: clock.now(),
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
  });
  const formOf = async (id: string) => {
    const form = await readAccountForm({ services, context: owner() }, id);
    if (!form) throw new Error("no such account");
    return form;
  };
  type Edit = Parameters<typeof editAccount>[2];
  const edit = async (id: string, changes: Partial<Edit>, member = owner()) => {
    const {
      accountId,
      seenUpdatedAt,
      name,
      description,
      floorInCents,
      savingsTargetInCents,
      linkedAccountId,
    } = await formOf(id);
    const form = {
      accountId,
      seenUpdatedAt,
      name,
      description,
      floorInCents,
      savingsTargetInCents,
      linkedAccountId,
    };
    await editAccount(services, member, { ...form, ...changes });
  };
  return { services, clock, organization, operating, taxes, income, visa, checking, owner, formOf, edit };
}

describe("editing an account", () => {
  it("changes name, description, floor, target and the debt that a pod pays, and removes them again", async () => {
    const { edit, formOf, operating, visa } = await arrange();
    const all = {
      name: "Day to day",
      description: "Costs",
      floorInCents: 800_000,
      savingsTargetInCents: 2_000_000,
      linkedAccountId: visa,
    };
    await edit(operating, all);
    expect(await formOf(operating)).toMatchObject(all);
    const none = { description: null, floorInCents: null, savingsTargetInCents: null, linkedAccountId: null };
    await edit(operating, none);
    expect(await formOf(operating)).toMatchObject(none);
  });

  it("requires step-up to lower or remove a floor, and none to raise it", async () => {
    const { clock, edit, formOf, operating, organization } = await arrange();
    await edit(operating, { floorInCents: 800_000 });
    clock.advance(6 * 60_000);
    for (const floorInCents of [null, 799_999]) {
      await expect(edit(operating, { floorInCents, name: "Mine" })).rejects.toThrow(NotConfirmed);
    }
    expect(await formOf(operating)).toMatchObject({ name: "Operating", floorInCents: 800_000 });
    await edit(operating, { floorInCents: 900_000 });
    await database.ownerPool.query("update sessions set authenticated_at = $2 where id = $1", [
      organization.owner.actor.sessionId,
      clock.now(),
    ]);
    await edit(operating, { floorInCents: null });
    expect(await formOf(operating)).toMatchObject({ floorInCents: null });
  });

  it("records every changed name and floor, and nothing unchanged", async () => {
    const { clock, edit, operating, owner } = await arrange();
    const read = async () => {
      const changes = await readRecordedChanges(database, owner().organizationId);
      return changes.map(({ kind, subject, before, after, byName }) => [
        kind,
        subject,
        before,
        after,
        byName,
      ]);
    };
    await edit(operating, { description: "Costs", savingsTargetInCents: 100_000 });
    expect(await read()).toEqual([]);
    await edit(operating, { floorInCents: 800_000 });
    clock.advance(1_000);
    await edit(operating, { name: "Day to day" });
    clock.advance(1_000);
    await edit(operating, { floorInCents: null });
    expect(await read()).toEqual([
      ["ACCOUNT_FLOOR", "Day to day", "800000", null, "Mara"],
      ["ACCOUNT_RENAMED", null, "Operating", "Day to day", "Mara"],
      ["ACCOUNT_FLOOR", "Operating", null, "800000", "Mara"],
    ]);
  });

  it.each([
    ["an income source has no target", "income", { savingsTargetInCents: 100 }, "savingsTargetInCents"],
    ["an external account has no floor", "checking", { floorInCents: 100 }, "floorInCents"],
    ["a pod is linked only to a debt", "operating", { linkedAccountId: "checking" }, "linkedAccountId"],
    ["only a pod pays a debt", "income", { linkedAccountId: "visa" }, "linkedAccountId"],
  ] as const)("%s", async (_, which, changes, field) => {
    const world = await arrange();
    const linked = "linkedAccountId" in changes ? { linkedAccountId: world[changes.linkedAccountId] } : {};
    await expect(world.edit(world[which], { ...changes, ...linked })).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      details: [{ field }],
    });
  });

  it("does not link another organization's debt", async () => {
    const [world, other] = [await arrange(), await arrange()];
    await expect(world.edit(world.operating, { linkedAccountId: other.visa })).rejects.toMatchObject({
      details: [{ field: "linkedAccountId" }],
    });
  });

  it("is for owners and co-owners of the organization", async () => {
    const world = await arrange();
    const viewer = { ...(await world.organization.addMember("VIEWER", "Vic")) };
    await expect(world.edit(world.operating, { name: "Mine" }, viewer)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    const stranger = (await arrange()).owner();
    await expect(world.edit(world.operating, { name: "Mine" }, stranger)).rejects.toMatchObject({
      code: "ACCOUNT_NOT_FOUND",
    });
  });

  it("refuses the second of two edits of the same version", async () => {
    const { edit, formOf, operating } = await arrange();
    const { seenUpdatedAt } = await formOf(operating);
    const outcomes = await Promise.allSettled([
      edit(operating, { seenUpdatedAt, floorInCents: 100_000 }),
      edit(operating, { seenUpdatedAt, floorInCents: 200_000 }),
    ]);
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("a floor that changed", () => {
  async function propose(world: Awaited<ReturnType<typeof arrange>>) {
    const key = await world.organization.addKey([moveAnything(true)]);
    const { id } = await askTransfer(world.services, key.context, {
      sourceAccountId: world.operating,
      destinationAccountId: world.taxes,
      amountInCents: 400_000,
    });
    const time = { nowAt: world.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const look = async () => {
      const view = await getApproval({ services: world.services, context: world.owner(), time }, id);
      if (!view) throw new Error("no such proposal");
      return view;
    };
    const approve = (digest: string) =>
      decideProposal(world.services, world.owner(), {
        proposalId: id,
        decision: "APPROVE",
        digest,
        note: null,
        confirmation: { kind: "NONE" },
      });
    return { look, approve };
  }

  it("and changes an outcome: nothing is decided, and the approver sees what changed", async () => {
    const world = await arrange();
    const { look, approve } = await propose(world);
    const seen = await look();
    await world.edit(world.operating, { floorInCents: 800_000 });
    expect(await approve(seen.digest)).toEqual({
      kind: "CHANGED",
      changes: ["The source would now go below its floor."],
    });
    expect((await look()).status).toBe("WAITING");
    expect(await approve((await look()).digest)).toEqual({ kind: "DECIDED" });
  });

  it("without changing an outcome: the approval remains valid", async () => {
    const world = await arrange();
    await world.edit(world.operating, { floorInCents: 100_000 });
    const { look, approve } = await propose(world);
    const seen = await look();
    await world.edit(world.operating, { floorInCents: 200_000 });
    expect(await approve(seen.digest)).toEqual({ kind: "DECIDED" });
  });

  it("a new name invalidates the approval", async () => {
    const world = await arrange();
    const { look, approve } = await propose(world);
    const seen = await look();
    await world.edit(world.taxes, { name: "Holidays" });
    expect((await approve(seen.digest)).kind).toBe("CHANGED");
  });

  it("applies from then on to unapproved transfers", async () => {
    const world = await arrange();
    await world.edit(world.operating, { floorInCents: 800_000 });
    const key = await world.organization.addKey([moveAnything(false)]);
    const { id } = await askTransfer(world.services, key.context, {
      sourceAccountId: world.operating,
      destinationAccountId: world.taxes,
      amountInCents: 400_000,
    });
    await bookDueTransfers(world.services, 64);
    const { rows } = await database.pool.query(
      `select status, error_code as "errorCode" from transfers
  where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ status: "FAILED", errorCode: "BELOW_FLOOR" }]);
  });
});
