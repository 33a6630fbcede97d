import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Decisions, OneOfSeveral } from "@/lib/contract/confirmation/decide-together";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { beginTogether, decideTogether } from "@/lib/core/approvals/decide-together";
import { rehearseApprovals } from "@/lib/core/approvals/rehearse-approvals";
import { markProposal, readMarks } from "@/lib/core/approvals/review-marks";
import { closeGates } from "@/lib/core/keys/switch-gates";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { RACING, useTestDatabase } from "@/lib/testing/database";
import { enrollPasskey } from "@/lib/testing/members";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { countDecided } from "@/lib/views/approvals/count-decided";
import { getApproval } from "@/lib/views/approvals/get-approval";

const database = useTestDatabase(RACING);

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 900_000,
  });
  const print = await organization.addAccount({ name: "Redline Print", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(true)], "claude-bookkeeping");
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
  const now = (member: Context<MemberActor> = organization.owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const statuses = (ids: string[]) =>
    Promise.all(ids.map(async (id) => (await getTransfer(services, key.context, id)).status));
  const look = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: now(), time }, id);
    if (!view) throw new Error("a proposal was expected");
    return view;
  };
  /** To approve these as the end of a review shows them. */
  const approvals = async (ids: readonly string[]): Promise<OneOfSeveral[]> => {
    const meant = await Promise.all(
      ids.map(async (proposalId) => ({ proposalId, digest: (await look(proposalId)).digest })),
    );
    const rehearsed = await rehearseApprovals(services, now(), meant, [operating, print, kiln]);
    return rehearsed.map((outcome, index) => {
      if (outcome.kind !== "FITS") throw new Error(`it does not fit: ${outcome.kind}`);
      return { proposalId: ids[index] ?? "", decision: "APPROVE", digest: outcome.digest, ...NO_WORDS };
    });
  };
  const proposeMany = async (count: number) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await propose(10_000 + index * 100));
    return ids;
  };
  return { services, organization, kiln, propose, proposeMany, now, statuses, look, approvals };
}

const NONE = { kind: "NONE" } as const;
const NO_WORDS = { note: null, reason: null };
const ONE_A_MONTH = {
  kind: "TOO_MUCH",
  text: "Redline sends one invoice a month from now on.",
  notBefore: null,
} as const;

function denials(ids: readonly string[], words: Pick<OneOfSeveral, "note" | "reason"> = NO_WORDS): Decisions {
  return {
    decisions: ids.map((proposalId) => ({ proposalId, decision: "DENY", digest: "", ...words })),
  };
}

describe("denying several proposals at once", () => {
  it("denies each of them with the one reason and note", async () => {
    const { services, propose, now, statuses, look } = await arrange();
    const ids = [await propose(18_400), await propose(9_600), await propose(21_200)];
    const subject = denials(ids, { reason: ONE_A_MONTH, note: "Told them by phone" });
    expect(await decideTogether(services, now(), { ...subject, confirmation: NONE })).toEqual({
      kind: "DECIDED_TOGETHER",
      outcomes: ids.map((proposalId) => ({ proposalId, result: { kind: "DECIDED" } })),
    });
    expect(await statuses(ids)).toEqual(["APPROVAL_DENIED", "APPROVAL_DENIED", "APPROVAL_DENIED"]);
    for (const id of ids) {
      expect((await look(id)).decision).toMatchObject({
        kind: "DENIED",
        note: "Told them by phone",
        reason: { kind: "TOO_MUCH", text: ONE_A_MONTH.text },
      });
    }
  });

  it("says how many of them are decided, and nothing of another organization's", async () => {
    const { services, organization, propose, now } = await arrange();
    const ids = [await propose(18_400), await propose(9_600), await propose(21_200)];
    expect(await countDecided({ services, context: now() }, ids)).toBe(0);
    await decideTogether(services, now(), { ...denials(ids.slice(0, 2)), confirmation: NONE });
    expect(await countDecided({ services, context: now() }, ids)).toBe(2);
    const stranger = { ...organization.owner, organizationId: randomUUID() };
    expect(await countDecided({ services, context: stranger }, ids)).toBe(0);
  });

  it("takes one passkey confirmation for all, which then denies nothing else", async () => {
    const { services, organization, propose, now, statuses } = await arrange();
    const { authenticator } = await enrollPasskey(services, organization.owner.actor);
    const ids = [await propose(18_400), await propose(9_600)];
    const confirm = confirming(services, now().actor, authenticator);
    const subject = denials(ids);
    const confirmation = await confirm(subject);
    const widened = { ...denials([...ids, await propose(30_000)]), confirmation };
    expect(await decideTogether(services, now(), widened)).toMatchObject({ kind: "NOT_CONFIRMED" });
    for (const words of [
      { reason: ONE_A_MONTH, note: null },
      { reason: null, note: "Never seen" },
    ]) {
      const reworded = { ...denials(ids, words), confirmation: await confirm(subject) };
      expect(await decideTogether(services, now(), reworded)).toMatchObject({ kind: "NOT_CONFIRMED" });
    }
    expect(await statuses(ids)).toEqual(["APPROVAL_PENDING", "APPROVAL_PENDING"]);

    const exact = { ...subject, confirmation: await confirm(subject) };
    expect(await decideTogether(services, now(), exact)).toMatchObject({ kind: "DECIDED_TOGETHER" });
    expect(await decideTogether(services, now(), exact)).toMatchObject({ kind: "NOT_CONFIRMED" });
    expect(await statuses(ids)).toEqual(["APPROVAL_DENIED", "APPROVAL_DENIED"]);
  });

  it("goes on past one that another member has decided, and says who", async () => {
    const { services, organization, propose, now, statuses } = await arrange();
    const coOwner = await organization.addMember("CO_OWNER", "Jonas");
    const ids = [await propose(18_400), await propose(9_600), await propose(21_200)];
    const [, second] = ids;
    await decideProposal(services, now(coOwner), {
      proposalId: second ?? "",
      decision: "DENY",
      digest: "",
      ...NO_WORDS,
      confirmation: NONE,
    });
    expect(await decideTogether(services, now(), { ...denials(ids), confirmation: NONE })).toMatchObject({
      outcomes: [
        { result: { kind: "DECIDED" } },
        { result: { kind: "ALREADY_DECIDED", byName: coOwner.actor.name, decision: "DENIED" } },
        { result: { kind: "DECIDED" } },
      ],
    });
    expect(new Set(await statuses(ids))).toEqual(new Set(["APPROVAL_DENIED"]));
  });

  it("decides nothing of another organization, nothing by a viewer, and nothing twice", async () => {
    const { services, organization, propose, now, statuses } = await arrange();
    const other = await createTestOrganization(database, services);
    const ids = [await propose(18_400)];
    const input = { ...denials(ids), confirmation: NONE };
    expect(await decideTogether(services, now(other.owner), input)).toMatchObject({
      outcomes: [{ result: { kind: "REFUSED" } }],
    });
    const viewer = await organization.addMember("VIEWER", "Vera");
    expect(await decideTogether(services, now(viewer), input)).toMatchObject({ kind: "REFUSED" });
    const twice = { ...denials([...ids, ...ids]), confirmation: NONE };
    expect(await decideTogether(services, now(), twice)).toMatchObject({ kind: "REFUSED" });
    expect(await statuses(ids)).toEqual(["APPROVAL_PENDING"]);
  });
});

describe("deciding a review", () => {
  it("approves and denies with one passkey confirmation that fits no other order, digest or reason", async () => {
    const { services, organization, proposeMany, now, statuses, approvals } = await arrange();
    const { authenticator } = await enrollPasskey(services, organization.owner.actor);
    const confirm = confirming(services, now().actor, authenticator);
    const [one = "", two = "", three = ""] = await proposeMany(3);
    const [first, second] = await approvals([one, two]);
    if (!first || !second) throw new Error("two approvals were expected");
    const third: OneOfSeveral = {
      proposalId: three,
      decision: "DENY",
      digest: "",
      note: null,
      reason: ONE_A_MONTH,
    };
    const decisions = [first, second, third];
    const others: OneOfSeveral[][] = [
      [second, first, third],
      [first, third],
      [first, { ...second, digest: `${second.digest}x` }, third],
      [first, { ...second, decision: "DENY" }, third],
      [first, second, { ...third, reason: null }],
    ];
    for (const other of others) {
      const input = { decisions: other, confirmation: await confirm({ decisions }) };
      expect(await decideTogether(services, now(), input)).toMatchObject({ kind: "NOT_CONFIRMED" });
    }
    expect(new Set(await statuses([one, two, three]))).toEqual(new Set(["APPROVAL_PENDING"]));

    const input = { decisions, confirmation: await confirm({ decisions }) };
    const both = await Promise.all([
      decideTogether(services, now(), input),
      decideTogether(services, now(), input),
    ]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["DECIDED_TOGETHER", "NOT_CONFIRMED"]);
    expect(await statuses([one, two, three])).toEqual(["COMPLETE", "COMPLETE", "APPROVAL_DENIED"]);
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      negative: [],
      wrongHolds: [],
      unbookedCauses: [],
    });
  });

  it("leaves one that has changed since, says what, and decides the others in their order", async () => {
    const { services, kiln, propose, now, statuses, approvals } = await arrange();
    const ids = [await propose(10_000), await propose(20_000, kiln), await propose(30_000)];
    const decisions = await approvals(ids);
    await propose(21_000, kiln);
    expect(await decideTogether(services, now(), { decisions, confirmation: NONE })).toMatchObject({
      outcomes: [
        { result: { kind: "DECIDED" } },
        { result: { kind: "CHANGED", changes: ["There is now a similar transfer in the last 24 hours."] } },
        { result: { kind: "DECIDED" } },
      ],
    });
    expect(await statuses(ids)).toEqual(["COMPLETE", "APPROVAL_PENDING", "COMPLETE"]);
  });

  it("decides each once when two members confirm reviews of the same proposals at once", async () => {
    const { services, organization, proposeMany, now, statuses, approvals } = await arrange();
    const coOwner = await organization.addMember("CO_OWNER", "Jonas");
    const ids = await proposeMany(8);
    const decisions = await approvals(ids);
    const results = await Promise.all([
      decideTogether(services, now(), { decisions, confirmation: NONE }),
      decideTogether(services, now(coOwner), { decisions: decisions.toReversed(), confirmation: NONE }),
    ]);
    const decided = results.flatMap((result) =>
      result.kind === "DECIDED_TOGETHER"
        ? result.outcomes
            .filter(({ result: { kind } }) => kind === "DECIDED")
            .map(({ proposalId }) => proposalId)
        : [],
    );
    // The other one's approvals change what some show, which then still wait.
    expect(new Set(decided).size).toBe(decided.length);
    const completed = (await statuses(ids)).filter((status) => status === "COMPLETE");
    expect(completed).toHaveLength(decided.length);
    expect(decided.length).toBeGreaterThan(0);
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      negative: [],
      wrongHolds: [],
      unbookedCauses: [],
    });
  });

  it("decides each once when one member confirms the same review twice at once", async () => {
    const { services, organization, proposeMany, now, statuses, approvals } = await arrange();
    const ids = await proposeMany(6);
    const [last = "", ...first] = ids.toReversed();
    const decisions = [...(await approvals(first)), ...denials([last]).decisions];
    const results = await Promise.all(
      [1, 2].map(() => decideTogether(services, now(), { decisions, confirmation: NONE })),
    );
    const kinds = results.flatMap((result) =>
      result.kind === "DECIDED_TOGETHER" ? result.outcomes.map(({ result: { kind } }) => kind) : [],
    );
    expect(kinds.filter((kind) => kind === "DECIDED").length).toBeLessThanOrEqual(ids.length);
    const all = await statuses(ids);
    expect(all.filter((status) => status === "APPROVAL_DENIED")).toHaveLength(1);
    expect(all.filter((status) => status === "COMPLETE").length).toBe(
      kinds.filter((kind) => kind === "DECIDED").length - 1,
    );
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      negative: [],
      wrongHolds: [],
      unbookedCauses: [],
    });
  });

  it("approves nothing and still denies once the gates were closed in between", async () => {
    const { services, proposeMany, now, statuses, approvals } = await arrange();
    const [one = "", two = ""] = await proposeMany(2);
    const decisions = [...(await approvals([one])), ...denials([two]).decisions];
    await closeGates(services, now());
    expect(await decideTogether(services, now(), { decisions, confirmation: NONE })).toMatchObject({
      outcomes: [{ result: { kind: "REFUSED" } }, { result: { kind: "DECIDED" } }],
    });
    expect(await statuses([one, two])).toEqual(["APPROVAL_PENDING", "APPROVAL_DENIED"]);
  });

  it("decides nothing for a member whose role was lost in between", async () => {
    const { services, organization, proposeMany, now, statuses, approvals } = await arrange();
    const coOwner = await organization.addMember("CO_OWNER", "Jonas");
    const [one = "", two = ""] = await proposeMany(2);
    const decisions = [...(await approvals([one])), ...denials([two]).decisions];
    const stale = now(coOwner);
    await database.ownerPool.query("update memberships set role = 'VIEWER' where user_id = $1", [
      coOwner.actor.id,
    ]);
    expect(await decideTogether(services, stale, { decisions, confirmation: NONE })).toMatchObject({
      outcomes: [{ result: { kind: "REFUSED" } }, { result: { kind: "REFUSED" } }],
    });
    expect(await statuses([one, two])).toEqual(["APPROVAL_PENDING", "APPROVAL_PENDING"]);
  });

  it("forgets the marks of what was decided, and keeps those of what still waits", async () => {
    const { services, kiln, propose, now, approvals } = await arrange();
    const [one, two] = [await propose(10_000), await propose(20_000, kiln)];
    const decisions = await approvals([one, two]);
    for (const { proposalId, digest } of decisions) {
      await markProposal(services, now(), { proposalId, mark: "APPROVE", digest });
    }
    await propose(21_000, kiln);
    await decideTogether(services, now(), { decisions, confirmation: NONE });
    expect([...(await readMarks(services.pool, now())).keys()]).toEqual([two]);
  });
});

/** Answers the challenge of exactly these decisions. */
function confirming(
  services: Parameters<typeof beginTogether>[0],
  actor: MemberActor,
  authenticator: Awaited<ReturnType<typeof enrollPasskey>>["authenticator"],
) {
  return async (subject: Decisions) => {
    const request = await beginTogether(services, actor, subject);
    if (request.kind !== "PASSKEY") throw new Error("a passkey was expected");
    return { kind: "PASSKEY", response: authenticator.get(request.options) } as const;
  };
}
