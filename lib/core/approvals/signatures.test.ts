import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DecideInput } from "@/lib/contract/confirmation/decision";
import { DEFAULT_POLICY, type Policy } from "@/lib/contract/policies/policy";
import { decideAsTestPerson, decideProposal } from "@/lib/core/approvals/decide-proposal";
import { decideTogether } from "@/lib/core/approvals/decide-together";
import { addMemberDocument } from "@/lib/core/approvals/documents/add-document";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { rehearseApprovals } from "@/lib/core/approvals/rehearse-approvals";
import { withdrawSignature } from "@/lib/core/approvals/sign-proposal";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { samplePdf } from "@/lib/testing/documents";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anyDeciders, asks, named, policyOf, putInForce } from "@/lib/testing/policies";
import { proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

const database = useTestDatabase();

const TWO = policyOf(asks([anyDeciders(2)]));
const TWO_OTHERS = policyOf(asks([anyDeciders(2)], { requesterCounts: false }));

/** Mara made the key; Ana, Ben and Cleo are co-owners. */
async function arrange(
  policy?: Policy | ((people: Record<"ana" | "ben" | "cleo" | "mara", string>) => Policy),
) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner: mara } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 5_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const ana = await organization.addMember("CO_OWNER", "Ana");
  const ben = await organization.addMember("CO_OWNER", "Ben");
  const cleo = await organization.addMember("CO_OWNER", "Cleo");
  const key = await organization.addKey([...readEverything, moveAnything(true)], "claude-bookkeeping");
  const publish = (next: Policy) => putInForce(database, organizationId, mara.actor.id, next);
  const ids = { ana: ana.actor.id, ben: ben.actor.id, cleo: cleo.actor.id, mara: mara.actor.id };
  if (policy) await publish(typeof policy === "function" ? policy(ids) : policy);
  const propose = async (amountInCents = 125_000) => {
    clock.advance(10);
    const context = { ...key.context, now: clock.now() };
    const transfer = await askTransfer(services, context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents,
      reasonForApproval: "Q4 tax",
    });
    return transfer.id;
  };
  const at = (member: Context<MemberActor>) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const look = async (id: string, member = mara) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: at(member), time }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const decide = (
    proposalId: string,
    member: Context<MemberActor>,
    decision: DecideInput["decision"],
    digest: string,
  ) =>
    decideProposal(services, at(member), {
      proposalId,
      decision,
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  const sign = async (id: string, member: Context<MemberActor>) =>
    decide(id, member, "APPROVE", (await look(id, member)).digest);
  const statusOf = async (id: string) => (await getTransfer(services, key.context, id)).status;
  const setRole = (member: Context<MemberActor>, role: string) =>
    database.ownerPool.query("update memberships set role = $3 where organization_id = $1 and user_id = $2", [
      organizationId,
      member.actor.id,
      role,
    ]);
  return {
    ...{ services, clock, organization, organizationId, key, operating, taxes, mara, ana, ben, cleo },
    ...{ publish, propose, look, decide, sign, statusOf, setRole, at },
  };
}

describe("signatures", () => {
  it("move money only with the last that is needed, and say whose are missing", async () => {
    const { propose, sign, statusOf, ana, ben } = await arrange(TWO);
    const id = await propose();
    expect(await sign(id, ana)).toEqual({ kind: "SIGNED", waitsFor: "Mara, Ben or Cleo" });
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("COMPLETE");
  });

  it("of the default leave the digest of a proposal as it was before policies", async () => {
    const { propose, look, publish } = await arrange();
    const id = await propose();
    const before = (await look(id)).digest;
    await publish(DEFAULT_POLICY);
    expect((await look(id)).digest).not.toBe(before);
  });

  it("of one person count once", async () => {
    const { propose, sign, statusOf, ana } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    expect(await sign(id, ana)).toMatchObject({ kind: "REFUSED", message: /signed already/ });
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
  });

  it("of the member who made the requesting key do not count where the requester does not", async () => {
    const { propose, sign, statusOf, mara, ana, ben } = await arrange(TWO_OTHERS);
    const id = await propose();
    expect(await sign(id, mara)).toMatchObject({ kind: "REFUSED", message: /requested this/ });
    await sign(id, ana);
    expect(await sign(id, mara)).toMatchObject({ kind: "REFUSED" });
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("COMPLETE");
  });

  it("are given in the order of their stages", async () => {
    const { propose, sign, ana, ben, cleo } = await arrange((people) =>
      policyOf(asks([named([people.ana]), named([people.ben])])),
    );
    const id = await propose();
    expect(await sign(id, ben)).toMatchObject({ kind: "REFUSED", message: /earlier stage/ });
    expect(await sign(id, cleo)).toMatchObject({ kind: "REFUSED", message: /does not name you/ });
    expect(await sign(id, ana)).toEqual({ kind: "SIGNED", waitsFor: "Ben" });
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
  });

  it("are recorded with how they were confirmed, and sealed in the audit log", async () => {
    const { propose, sign, organizationId, ana } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    const { rows } = await database.ownerPool.query(
      `select user_id, policy_versions, method, withdrawn_at from signatures where subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { user_id: ana.actor.id, policy_versions: [1], method: "RECENT_SIGN_IN", withdrawn_at: null },
    ]);
    const log = await database.ownerPool.query(
      "select api_key_name as name, method from audit_entries where organization_id = $1 and path = $2",
      [organizationId, `/proposals/${id}/signatures`],
    );
    expect(log.rows).toEqual([{ name: "Ana", method: "POST" }]);
  });

  it("can be withdrawn while it waits, only by their signer, and given again", async () => {
    const { services, propose, sign, at, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    expect(await withdrawSignature(services, at(ben), id)).toMatchObject({ kind: "REFUSED" });
    expect(await withdrawSignature(services, at(ana), id)).toEqual({ kind: "WITHDRAWN" });
    expect(await sign(id, ben)).toMatchObject({ kind: "SIGNED" });
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
    expect(await withdrawSignature(services, at(ana), id)).toMatchObject({ kind: "REFUSED" });
  });

  it("do not stop one person from denying", async () => {
    const { propose, sign, decide, statusOf, ana, mara } = await arrange(TWO_OTHERS);
    const id = await propose();
    await sign(id, ana);
    expect(await decide(id, mara, "DENY", "")).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("APPROVAL_DENIED");
  });

  it("bind to names and amounts: after a change the signer is asked again", async () => {
    const { propose, sign, statusOf, taxes, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    await database.pool.query("update accounts set name = 'Payroll' where id = $1", [taxes]);
    expect(await sign(id, ben)).toEqual({ kind: "SIGNED", waitsFor: "Mara, Ana or Cleo" });
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
  });

  it("of a lower amount ask the earlier signers again, and a later one may lower further", async () => {
    const { services, clock, propose, sign, at, statusOf, ana, ben } = await arrange(TWO);
    const id = await propose(100_000);
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const signLess = async (member: Context<MemberActor>, approvedAmountInCents: number) => {
      const view = await getApproval({ services, context: at(member), time }, id, approvedAmountInCents);
      return decideProposal(services, at(member), {
        proposalId: id,
        decision: "APPROVE",
        digest: view?.digest ?? "",
        approvedAmountInCents,
        note: null,
        confirmation: { kind: "NONE" },
      });
    };
    await sign(id, ana);
    expect(await signLess(ben, 80_000)).toEqual({ kind: "SIGNED", waitsFor: "Mara, Ana or Cleo" });
    expect(await signLess(ana, 60_000)).toEqual({ kind: "SIGNED", waitsFor: "Mara, Ben or Cleo" });
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("COMPLETE");
    const { rows } = await database.ownerPool.query<{ inCents: number }>(
      `select amount_in_cents as "inCents" from transfers where id = $1`,
      [id],
    );
    expect(rows[0]?.inCents).toBe(60_000);
  });

  it("do not outlast a document that was added after them", async () => {
    const { services, propose, sign, at, statusOf, mara, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    const document = { name: "Invoice.pdf", content: samplePdf("Another account") };
    await addMemberDocument(services, at(mara), { transferId: id, document });
    expect(await sign(id, ben)).toEqual({ kind: "SIGNED", waitsFor: "Mara, Ana or Cleo" });
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("COMPLETE");
  });

  it("are given in a review, where what waits for others stays behind and stops nothing", async () => {
    const { services, propose, look, at, statusOf, operating, taxes, ana, ben } = await arrange(
      policyOf(asks([anyDeciders(1)]), {
        name: "Much",
        when: { amountOver: 100_000 },
        ...asks([anyDeciders(2)]),
      }),
    );
    const [much, little] = [await propose(), await propose(5_000)];
    const review = async (member: Context<MemberActor>, ids: readonly string[]) => {
      const meant = await Promise.all(
        ids.map(async (proposalId) => ({ proposalId, digest: (await look(proposalId, member)).digest })),
      );
      const rehearsed = await rehearseApprovals(services, at(member), meant, [operating, taxes]);
      const decisions = rehearsed.map((one, index) => {
        if (one.kind !== "FITS") throw new Error(`it does not fit: ${one.kind}`);
        const decision = { decision: "APPROVE" as const, digest: one.digest, note: null, reason: null };
        return { proposalId: ids[index] ?? "", ...decision };
      });
      const result = await decideTogether(services, at(member), {
        decisions,
        confirmation: { kind: "NONE" },
      });
      if (result.kind !== "DECIDED_TOGETHER") throw new Error(result.message);
      return { rehearsed, outcomes: result.outcomes.map((one) => one.result) };
    };
    const waitsFor = "Mara, Ben or Cleo";
    const { rehearsed, outcomes } = await review(ana, [much, little]);
    expect(rehearsed).toMatchObject([{ waitsFor }, { waitsFor: null }]);
    expect(outcomes).toEqual([{ kind: "SIGNED", waitsFor }, { kind: "DECIDED" }]);
    expect([await statusOf(much), await statusOf(little)]).toEqual(["APPROVAL_PENDING", "COMPLETE"]);
    expect((await review(ben, [much])).outcomes).toEqual([{ kind: "DECIDED" }]);
    expect(await statusOf(much)).toBe("COMPLETE");
  });

  it("outlast the changed outcome of a check", async () => {
    const { propose, sign, clock, operating, statusOf, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    await database.pool.query("update accounts set floor_in_cents = 4900000 where id = $1", [operating]);
    clock.advance(1_000);
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("COMPLETE");
  });

  it("are free of the policy for a sandbox's test person, and stay marked", async () => {
    const { services, propose, at, statusOf, look, ana } = await arrange(TWO);
    const id = await propose();
    expect(
      await decideAsTestPerson(services, at(ana), { proposalId: id, decision: "APPROVE", reason: null }),
    ).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("COMPLETE");
    expect((await look(id)).decision).toMatchObject({ method: "TEST_PERSON" });
  });
});

describe("a newer policy", () => {
  it("asks for its signatures too, and for those of before again; one signature serves both", async () => {
    const { propose, sign, look, decide, publish, statusOf, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    const seen = await look(id, ben);
    await publish(policyOf(asks([anyDeciders(1)])));
    expect(await decide(id, ben, "APPROVE", seen.digest)).toMatchObject({ kind: "CHANGED" });
    expect(await sign(id, ben)).toMatchObject({ kind: "SIGNED" });
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("COMPLETE");
  });

  it("binds proposals from before the first one", async () => {
    const { propose, sign, publish, ana, ben } = await arrange();
    const id = await propose();
    await publish(TWO);
    expect(await sign(id, ana)).toMatchObject({ kind: "SIGNED" });
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
  });

  it("stops a process that does not know policies", async () => {
    const { propose, organizationId, ana } = await arrange(TWO);
    const id = await propose();
    const decision = { organizationId, proposalId: id, state: "APPROVED", userId: ana.actor.id };
    await expect(
      database.pool.query("select write_decision($1)", [
        JSON.stringify({ ...decision, method: "PASSWORD", now: new Date() }),
      ]),
    ).rejects.toThrow(/other versions of the policy/);
  });
});

describe("attacks on signatures", () => {
  it.each(["VIEWER", "ACCOUNTANT"])("a signer who became %s counts no more", async (role) => {
    const { propose, sign, setRole, statusOf, ana, ben, cleo } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    await setRole(ana, role);
    expect(await sign(id, ben)).toMatchObject({ kind: "SIGNED" });
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
    expect(await sign(id, cleo)).toEqual({ kind: "DECIDED" });
  });

  it("a signer who lost the role and got it again is asked again", async () => {
    const { propose, sign, setRole, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    await setRole(ana, "VIEWER");
    await setRole(ana, "CO_OWNER");
    expect(await sign(id, ben)).toEqual({ kind: "SIGNED", waitsFor: "Mara, Ana or Cleo" });
    expect(await sign(id, ana)).toEqual({ kind: "DECIDED" });
  });

  it("a removed member neither signs nor counts", async () => {
    const { propose, sign, look, decide, statusOf, organizationId, ana, ben } = await arrange(TWO);
    const id = await propose();
    const { digest } = await look(id, ben);
    await sign(id, ana);
    await database.ownerPool.query(
      "delete from memberships where organization_id = $1 and user_id = any ($2)",
      [organizationId, [ana.actor.id, ben.actor.id]],
    );
    expect(await decide(id, ben, "APPROVE", digest)).toMatchObject({ kind: "REFUSED" });
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
  });

  it("the requester's second role counts no more than the first", async () => {
    const { propose, sign, setRole, statusOf, mara, ana } = await arrange((people) =>
      policyOf(asks([named([people.mara, people.ana]), anyDeciders(1)], { requesterCounts: false })),
    );
    const id = await propose();
    await setRole(mara, "CO_OWNER");
    expect(await sign(id, mara)).toMatchObject({ kind: "REFUSED" });
    await sign(id, ana);
    expect(await sign(id, mara)).toMatchObject({ kind: "REFUSED" });
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
  });

  it("splitting an amount does not stay under the tier of a window", async () => {
    const { propose, sign, ana } = await arrange(
      policyOf(asks([anyDeciders(1)]), {
        name: "Much in a week",
        when: { amountOver: 500_000, window: { days: 7, by: ["requester", "destination"] } },
        ...asks([anyDeciders(2)]),
      }),
    );
    const parts = [await propose(200_000), await propose(200_000), await propose(200_000)];
    expect(await sign(parts[2] ?? "", ana)).toMatchObject({ kind: "SIGNED" });
    expect(await sign(parts[0] ?? "", ana)).toEqual({ kind: "DECIDED" });
    expect(await sign(parts[1] ?? "", ana)).toEqual({ kind: "DECIDED" });
    expect(await sign(await propose(150_000), ana)).toMatchObject({ kind: "SIGNED" });
  });

  it("splitting it over two keys does not stay under the tier of a destination", async () => {
    const scene = await arrange(
      policyOf(asks([anyDeciders(1)]), {
        name: "Much to one account",
        when: { amountOver: 500_000, window: { days: 7, by: ["destination"] } },
        ...asks([anyDeciders(2)]),
      }),
    );
    const { services, clock, organization, operating, taxes, propose, sign, ana } = scene;
    expect(await sign(await propose(300_000), ana)).toEqual({ kind: "DECIDED" });
    const other = await organization.addKey([...readEverything, moveAnything(true)], "another key");
    clock.advance(10);
    const second = await askTransfer(
      services,
      { ...other.context, now: clock.now() },
      { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 300_000 },
    );
    expect(await sign(second.id, ana)).toMatchObject({ kind: "SIGNED" });
  });

  it("approving less, below a step, needs what the lower amount needs, which a window still counts", async () => {
    const scene = await arrange(
      policyOf(asks([anyDeciders(1)]), {
        name: "Large",
        when: { amountOver: 500_000, window: { days: 7, by: ["requester", "destination"] } },
        ...asks([anyDeciders(2)]),
      }),
    );
    const { services, clock, propose, sign, at, ana } = scene;
    const id = await propose(600_000);
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const signLess = async (member: Context<MemberActor>, approvedAmountInCents: number) => {
      const view = await getApproval({ services, context: at(member), time }, id, approvedAmountInCents);
      return decideProposal(services, at(member), {
        proposalId: id,
        decision: "APPROVE",
        digest: view?.digest ?? "",
        approvedAmountInCents,
        note: null,
        confirmation: { kind: "NONE" },
      });
    };
    expect(await signLess(ana, 500_001)).toMatchObject({ kind: "SIGNED" });
    expect(await signLess(ana, 500_000)).toEqual({ kind: "DECIDED" });
    expect(await sign(await propose(100), ana)).toMatchObject({ kind: "SIGNED" });
  });

  it("a deputy signs on their last day, and not on the next", async () => {
    const day = (clock: { now: () => Date }) => clock.now().toISOString().slice(0, 10);
    const scene = await arrange();
    const { clock, propose, sign, publish, ana, ben } = scene;
    await publish(policyOf(asks([named([ana.actor.id], 1, [{ member: ben.actor.id, until: day(clock) }])])));
    expect(await sign(await propose(), ben)).toEqual({ kind: "DECIDED" });
    clock.advance(24 * 3_600_000);
    const late = await propose();
    expect(await sign(late, ben)).toMatchObject({ kind: "REFUSED" });
    expect(await sign(late, ana)).toEqual({ kind: "DECIDED" });
  });

  it("a deputy signs in the last millisecond of their last day in the organization's zone, and not after it", async () => {
    const { clock, propose, sign, publish, ana, ben } = await arrange();
    // A day of 25 hours in New York, where clocks go back.
    clock.advance(Date.parse("2026-11-01T16:00:00Z") - clock.now().getTime());
    const slow = { expiresAfterHours: 48 };
    const deputies = [{ member: ben.actor.id, until: "2026-11-01" }];
    await publish(policyOf(asks([named([ana.actor.id], 1, deputies)], slow)));
    const [early, late] = [await propose(), await propose(130_000)];
    const endsAt = Date.parse("2026-11-02T05:00:00Z");
    clock.advance(endsAt - 1 - clock.now().getTime());
    expect(await sign(early, ben)).toEqual({ kind: "DECIDED" });
    clock.advance(1);
    expect(await sign(late, ben)).toMatchObject({ kind: "REFUSED" });
    expect(await sign(late, ana)).toEqual({ kind: "DECIDED" });
  });

  it("a signer of another organization is refused and leaves nothing", async () => {
    const { services, propose, look, decide, at } = await arrange(TWO);
    const id = await propose();
    const other = await createTestOrganization(database, services, "Other");
    const { digest } = await look(id);
    expect(await decide(id, other.owner, "APPROVE", digest)).toMatchObject({ kind: "REFUSED" });
    expect(await withdrawSignature(services, at(other.owner), id)).toMatchObject({ kind: "REFUSED" });
    const { rowCount } = await database.ownerPool.query("select from signatures where subject_id = $1", [id]);
    expect(rowCount).toBe(0);
  });
});

describe("races of signatures", () => {
  it("the last of two that could both complete it finds it decided", async () => {
    const { propose, sign, look, decide, ana, ben, cleo } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    const seen = [await look(id, ben), await look(id, cleo)];
    const results = await Promise.all([
      decide(id, ben, "APPROVE", seen[0]?.digest ?? ""),
      decide(id, cleo, "APPROVE", seen[1]?.digest ?? ""),
    ]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["ALREADY_DECIDED", "DECIDED"]);
  });

  it("two first signatures together complete it once", async () => {
    const { propose, look, decide, statusOf, ana, ben } = await arrange(TWO);
    const id = await propose();
    const { digest } = await look(id);
    const results = await Promise.all([
      decide(id, ana, "APPROVE", digest),
      decide(id, ben, "APPROVE", digest),
    ]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["DECIDED", "SIGNED"]);
    expect(await statusOf(id)).toBe("COMPLETE");
  });

  it("one person twice at once signs once", async () => {
    const { propose, look, decide, statusOf, ana } = await arrange(TWO);
    const id = await propose();
    const { digest } = await look(id);
    const results = await Promise.all([1, 2, 3].map(() => decide(id, ana, "APPROVE", digest)));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["REFUSED", "REFUSED", "SIGNED"]);
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
  });

  it("one person in two sessions at once signs once", async () => {
    const { propose, look, decide, statusOf, ana } = await arrange(TWO);
    const id = await propose();
    const sessionId = randomUUID();
    await database.ownerPool.query(
      `insert into sessions select (jsonb_populate_record(s, jsonb_build_object('id', $2::uuid))).*
         from sessions s where s.id = $1`,
      [ana.actor.sessionId, sessionId],
    );
    const elsewhere = { ...ana, actor: { ...ana.actor, sessionId } };
    const { digest } = await look(id);
    const results = await Promise.all([ana, elsewhere].map((one) => decide(id, one, "APPROVE", digest)));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["REFUSED", "SIGNED"]);
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
  });

  it("a signature against a denial ends in one of both", async () => {
    const { propose, sign, look, decide, statusOf, ana, ben, cleo } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    const { digest } = await look(id, ben);
    const results = await Promise.all([decide(id, ben, "APPROVE", digest), decide(id, cleo, "DENY", "")]);
    expect(results.filter(({ kind }) => kind === "DECIDED")).toHaveLength(1);
    expect(await statusOf(id)).toBe(results[0]?.kind === "DECIDED" ? "COMPLETE" : "APPROVAL_DENIED");
  });

  it("a signature in the last millisecond before the expiry decides", async () => {
    const { services, clock, propose, sign, statusOf, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    clock.advance(24 * 3_600_000 - 1);
    await expireProposals(services, 10);
    expect(await sign(id, ben)).toEqual({ kind: "DECIDED" });
    expect(await statusOf(id)).toBe("COMPLETE");
  });

  it("a signature after the expiry counts nothing", async () => {
    const { services, clock, propose, sign, look, decide, statusOf, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    const { digest } = await look(id, ben);
    clock.advance(24 * 3_600_000);
    const [result] = await Promise.all([decide(id, ben, "APPROVE", digest), expireProposals(services, 10)]);
    expect(result).toEqual({ kind: "EXPIRED" });
    await expireProposals(services, 10);
    expect(await statusOf(id)).toBe("APPROVAL_DENIED");
  });

  it("waits for a change of an earlier signer's role, and does not count them after it", async () => {
    const { propose, sign, look, decide, statusOf, organizationId, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    const { digest } = await look(id, ben);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2", [
          organizationId,
          ana.actor.id,
        ]),
      () => decide(id, ben, "APPROVE", digest),
    );
    expect({ hasWaited, result }).toMatchObject({ hasWaited: true, result: { kind: "SIGNED" } });
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
  });

  it("a policy published while a signature waits for its turn is asked for, too", async () => {
    const { propose, sign, look, decide, statusOf, organizationId, mara, ana, ben } = await arrange(TWO);
    const id = await propose();
    await sign(id, ana);
    const { digest } = await look(id, ben);
    const { hasWaited, result } = await overlap(
      database,
      async (client) => {
        await client.query("select from proposals where id = $1 for update", [id]);
        await putInForce(
          { ownerPool: database.ownerPool },
          organizationId,
          mara.actor.id,
          policyOf(asks([anyDeciders(3)])),
        );
      },
      () => decide(id, ben, "APPROVE", digest),
    );
    expect({ hasWaited, result }).toMatchObject({ hasWaited: true, result: { kind: "CHANGED" } });
    expect(await statusOf(id)).toBe("APPROVAL_PENDING");
  });
});

describe("for any policy and any order of people", () => {
  it("money moves only when every requirement is met by distinct, eligible, living signatures", {
    timeout: 300_000,
  }, async () => {
    const world = await arrange();
    const people = [world.mara, world.ana, world.ben, world.cleo];
    const index = fc.integer({ min: 0, max: 3 });
    const requirement = fc.record({
      stages: fc.array(
        fc.record({
          members: fc.uniqueArray(index, { minLength: 1, maxLength: 4 }),
          atLeast: fc.integer({ min: 1, max: 2 }),
        }),
        { minLength: 1, maxLength: 2 },
      ),
      requesterCounts: fc.boolean(),
    });
    const act = fc.record({
      who: index,
      what: fc.constantFrom("SIGN", "SIGN", "SIGN", "SIGN", "WITHDRAW", "DEMOTE", "PROMOTE"),
    });
    await fc.assert(
      fc.asyncProperty(requirement, fc.array(act, { maxLength: 8 }), async (drawn, acts) => {
        const stages = drawn.stages.map(({ members, atLeast }) =>
          named(
            members.map((member) => people[member]?.actor.id ?? ""),
            atLeast,
          ),
        );
        const version = await world.publish(
          policyOf(asks(stages, { requesterCounts: drawn.requesterCounts })),
        );
        for (const person of people) await world.setRole(person, "CO_OWNER");
        const id = await world.propose(100);
        const signed = new Set<number>();
        for (const { who, what } of acts) {
          const person = people[who];
          if (!person) throw new Error("no such person");
          if (what === "DEMOTE" || what === "PROMOTE") {
            await world.setRole(person, what === "DEMOTE" ? "VIEWER" : "CO_OWNER");
            // Its signature is void for good; with the role again, they sign again.
            if (what === "DEMOTE") signed.delete(who);
            continue;
          }
          if (what === "WITHDRAW") {
            const result = await withdrawSignature(world.services, world.at(person), id);
            if (result.kind === "WITHDRAWN") signed.delete(who);
            continue;
          }
          const result = await world.sign(id, person);
          if (result.kind === "SIGNED" || result.kind === "DECIDED") signed.add(who);
          const hasMoved = (await world.statusOf(id)) === "COMPLETE";
          expect(hasMoved).toBe(result.kind === "DECIDED");
          const counted = [...signed].filter((one) => drawn.requesterCounts || one !== 0);
          const isMet = meets(drawn.stages, counted);
          if (hasMoved) {
            expect({ isMet, version }).toEqual({ isMet: true, version });
            return;
          }
          if (result.kind === "SIGNED") expect(isMet).toBe(false);
        }
        // At most 100 of a key may wait.
        await world.setRole(world.mara, "CO_OWNER");
        const { digest } = await world.look(id);
        expect(await world.decide(id, world.mara, "DENY", digest)).toEqual({ kind: "DECIDED" });
      }),
      { numRuns: proofSize(12, 200) },
    );
  });
});

/** Whether people can be given one place each so that every stage is full; by trying all. */
function meets(
  stages: readonly { members: number[]; atLeast: number }[],
  signers: readonly number[],
): boolean {
  const places = stages.flatMap(({ members, atLeast }) => Array.from({ length: atLeast }, () => members));
  const fill = (place: number, left: readonly number[]): boolean => {
    const members = places[place];
    if (!members) return true;
    return left.some(
      (signer) =>
        members.includes(signer) &&
        fill(
          place + 1,
          left.filter((other) => other !== signer),
        ),
    );
  };
  return fill(0, signers);
}
