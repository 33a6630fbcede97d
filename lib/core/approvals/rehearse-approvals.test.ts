import { describe, expect, it } from "vitest";
import type { OneOfSeveral } from "@/lib/contract/confirmation/decide-together";
import { decideTogether } from "@/lib/core/approvals/decide-together";
import { rehearseApprovals } from "@/lib/core/approvals/rehearse-approvals";
import { closeGates } from "@/lib/core/keys/switch-gates";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { readTenantRows } from "@/lib/testing/foreign-ids";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

const database = useTestDatabase();

async function arrange({
  balanceInCents = 100_000,
  floorInCents,
}: {
  balanceInCents?: number;
  floorInCents?: number;
} = {}) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents,
    ...(floorInCents !== undefined && { floorInCents }),
  });
  const print = await organization.addAccount({ name: "Redline Print", type: "POD" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...anythingWithRules(true), moveAnything(true)], "bookkeeping");
  const kiln = await organization.addAccount({ name: "Kiln Studio", type: "POD" });
  const propose = async (amountInCents: number, destinationAccountId = print) => {
    const { id } = await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId,
      amountInCents,
      reasonForApproval: "An invoice",
    });
    return id;
  };
  /** A run that moves half of what Operating holds to Taxes. */
  const proposeRun = async () => {
    const ruleId = await writeRule(services, key.context, {
      name: "Half for taxes",
      trigger: { type: "MANUAL", accountId: operating },
      steps: [
        {
          conditions: null,
          actions: [
            {
              type: "PERCENTAGE",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              group: 0,
              percentage: 50,
              of: "SOURCE_BALANCE",
            },
          ],
        },
      ],
    });
    await makeActive(database, ruleId);
    return askRun(services, { ...key.context, now: clock.now() }, ruleId);
  };
  const now = (member: Context<MemberActor> = organization.owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const see = async (proposalId: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: now(), time }, proposalId);
    if (!view) throw new Error("a proposal was expected");
    return { proposalId, digest: view.digest };
  };
  const seeAll = (ids: readonly string[]) => Promise.all(ids.map(see));
  const accountIds = [operating, print, taxes, kiln];
  const rehearse = async (meant: Awaited<ReturnType<typeof seeAll>>) =>
    rehearseApprovals(services, now(), meant, accountIds);
  return { services, organization, kiln, propose, proposeRun, now, seeAll, rehearse };
}

const toApprove = (proposalId: string, digest: string): OneOfSeveral => ({
  proposalId,
  decision: "APPROVE",
  digest,
  note: null,
  reason: null,
});

function digestOf(outcome: Awaited<ReturnType<typeof rehearseApprovals>>[number] | undefined): string {
  if (outcome?.kind !== "FITS") throw new Error(`it does not fit: ${JSON.stringify(outcome)}`);
  return outcome.digest;
}

describe("rehearsing the approvals of a review", () => {
  it("says what each meets after those before it, and only that digest is then approved", async () => {
    const { services, propose, now, seeAll, rehearse } = await arrange({ floorInCents: 65_000 });
    const ids = [await propose(10_000), await propose(20_000), await propose(9_000)];
    const seen = await seeAll(ids);
    const [first, second, third] = await rehearse(seen);
    expect(first).toMatchObject({ kind: "FITS", digest: seen[0]?.digest, changes: [] });
    expect(second).toMatchObject({ kind: "FITS" });
    expect(third).toMatchObject({
      kind: "FITS",
      changes: expect.arrayContaining(["The source would now go below its floor."]),
    });
    expect(digestOf(third)).not.toBe(seen[2]?.digest);

    const asSeenAlone = [digestOf(first), digestOf(second), seen[2]?.digest ?? ""];
    const decide = (digests: readonly string[]) =>
      decideTogether(services, now(), {
        decisions: ids.map((id, index) => toApprove(id, digests[index] ?? "")),
        confirmation: { kind: "NONE" },
      });
    expect(await decide(asSeenAlone)).toMatchObject({
      outcomes: [
        { result: { kind: "DECIDED" } },
        { result: { kind: "DECIDED" } },
        { result: { kind: "CHANGED", changes: expect.arrayContaining([expect.stringContaining("floor")]) } },
      ],
    });
  });

  it("is what the confirmed review then does, to the last digest", async () => {
    const { services, propose, now, seeAll, rehearse } = await arrange({ floorInCents: 65_000 });
    const ids = [await propose(10_000), await propose(20_000), await propose(9_000), await propose(8_500)];
    const rehearsed = await rehearse(await seeAll(ids));
    const decided = await decideTogether(services, now(), {
      decisions: ids.map((id, index) => toApprove(id, digestOf(rehearsed[index]))),
      confirmation: { kind: "NONE" },
    });
    expect(decided).toEqual({
      kind: "DECIDED_TOGETHER",
      outcomes: ids.map((proposalId) => ({ proposalId, result: { kind: "DECIDED" } })),
    });
  });

  it("changes nothing", async () => {
    const { organization, propose, seeAll, rehearse } = await arrange();
    const ids = [await propose(10_000), await propose(20_000)];
    const seen = await seeAll(ids);
    const before = await readTenantRows(database.ownerPool, organization.organizationId);
    await rehearse(seen);
    expect(await readTenantRows(database.ownerPool, organization.organizationId)).toEqual(before);
  });

  it("leaves out what those before it leave no money for, and goes on with what still fits", async () => {
    const { propose, seeAll, rehearse } = await arrange({ balanceInCents: 100_000 });
    const ids = [await propose(60_000), await propose(50_000), await propose(40_000), await propose(100)];
    const rehearsed = await rehearse(await seeAll(ids));
    expect(rehearsed.map(({ kind }) => kind)).toEqual(["FITS", "BLOCKED", "FITS", "BLOCKED"]);
    expect(rehearsed[1]).toMatchObject({
      isByItself: false,
      checks: [{ kind: "ENOUGH_MONEY", availableInCents: 40_000, amountInCents: 50_000 }],
    });
  });

  it("names what changed since it was seen, and what has no money even by itself", async () => {
    const { kiln, propose, seeAll, rehearse } = await arrange();
    const seen = await seeAll([await propose(10_000), await propose(900_000, kiln)]);
    await propose(10_000);
    expect(await rehearse(seen)).toMatchObject([
      { kind: "CHANGED", changes: ["There is now a similar transfer in the last 24 hours."] },
      { kind: "BLOCKED", isByItself: true },
    ]);
  });

  it("leaves out a run that would move other amounts than were seen", async () => {
    const { propose, proposeRun, seeAll, rehearse } = await arrange();
    const [transfer, run] = [await propose(10_000), await proposeRun()];
    expect(await rehearse(await seeAll([run, transfer]))).toMatchObject([{ kind: "FITS" }, { kind: "FITS" }]);
    expect(await rehearse(await seeAll([transfer, run]))).toMatchObject([
      { kind: "FITS" },
      { kind: "RUN_DIFFERS", changes: ["Taxes would get $450.00, not $500.00."] },
    ]);
  });

  it("leaves out what was decided, what is not the organization's, and everything while the gates are closed", async () => {
    const { services, organization, kiln, propose, now, seeAll, rehearse } = await arrange();
    const ids = [await propose(10_000), await propose(20_000, kiln)];
    const seen = await seeAll(ids);
    const denial: OneOfSeveral = { ...toApprove(ids[0] ?? "", ""), decision: "DENY" };
    await decideTogether(services, now(), { decisions: [denial], confirmation: { kind: "NONE" } });
    expect(await rehearse(seen)).toMatchObject([
      { kind: "LEFT", result: { kind: "ALREADY_DECIDED", decision: "DENIED" } },
      { kind: "FITS" },
    ]);
    const other = await createTestOrganization(database, services);
    expect(await rehearseApprovals(services, now(other.owner), seen, [])).toMatchObject([
      { kind: "LEFT", result: { kind: "REFUSED" } },
      { kind: "LEFT", result: { kind: "REFUSED" } },
    ]);
    await closeGates(services, now(organization.owner));
    expect(await rehearse(seen.slice(1))).toMatchObject([{ kind: "LEFT", result: { kind: "REFUSED" } }]);
  });

  it("does not block itself, or decisions at the same time, whatever their order", async () => {
    const { services, propose, proposeRun, now, seeAll, rehearse } = await arrange();
    const ids = [await propose(1_000), await proposeRun(), await propose(2_000), await propose(3_000)];
    const seen = await seeAll(ids);
    const denial: OneOfSeveral = { ...toApprove(ids[3] ?? "", ""), decision: "DENY" };
    const rehearsals = await Promise.all([
      rehearse(seen),
      rehearse(seen.toReversed()),
      decideTogether(services, now(), { decisions: [denial], confirmation: { kind: "NONE" } }),
      rehearse(seen),
    ]);
    expect(rehearsals[2]).toMatchObject({ outcomes: [{ result: { kind: "DECIDED" } }] });
    for (const rehearsed of [rehearsals[0], rehearsals[1].toReversed(), rehearsals[3]]) {
      expect(rehearsed[0]).toMatchObject({ kind: "FITS" });
    }
  });
});
