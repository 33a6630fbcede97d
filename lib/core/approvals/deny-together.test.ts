import { describe, expect, it } from "vitest";
import type { DenialsSubject } from "@/lib/contract/confirmation/decision";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { beginDenials, denyTogether } from "@/lib/core/approvals/deny-together";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { enrollPasskey } from "@/lib/testing/members";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

const database = useTestDatabase();

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
  const propose = async (amountInCents: number) => {
    const { id } = await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: print,
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
  const decisionOf = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    return (await getApproval({ services, context: now(), time }, id))?.decision;
  };
  return { services, clock, organization, propose, now, statuses, decisionOf };
}

const NONE = { kind: "NONE" } as const;
const NO_WORDS = { note: null, reason: null };
const ONE_A_MONTH = {
  kind: "TOO_MUCH",
  text: "Redline sends one invoice a month from now on.",
  notBefore: null,
} as const;

describe("denying several proposals at once", () => {
  it("denies each of them with the one reason and note", async () => {
    const { services, propose, now, statuses, decisionOf } = await arrange();
    const ids = [await propose(18_400), await propose(9_600), await propose(21_200)];
    const input = { proposalIds: ids, reason: ONE_A_MONTH, note: "Told them by phone", confirmation: NONE };
    expect(await denyTogether(services, now(), input)).toEqual({ kind: "DENIED", deniedCount: 3, left: [] });
    expect(await statuses(ids)).toEqual(["APPROVAL_DENIED", "APPROVAL_DENIED", "APPROVAL_DENIED"]);
    for (const id of ids) {
      expect(await decisionOf(id)).toMatchObject({
        kind: "DENIED",
        note: "Told them by phone",
        reason: { kind: "TOO_MUCH", text: ONE_A_MONTH.text },
      });
    }
  });

  it("takes one passkey confirmation for all, which then denies nothing else", async () => {
    const { services, organization, propose, now, statuses } = await arrange();
    const { authenticator } = await enrollPasskey(services, organization.owner.actor);
    const ids = [await propose(18_400), await propose(9_600)];
    const confirm = async (subject: DenialsSubject) => {
      const request = await beginDenials(services, now().actor, subject);
      if (request.kind !== "PASSKEY") throw new Error("a passkey was expected");
      return { kind: "PASSKEY", response: authenticator.get(request.options) } as const;
    };
    const subject = { proposalIds: ids, reason: null };
    const confirmation = await confirm(subject);
    const later = [...ids, await propose(30_000)];
    const widened = { proposalIds: later, ...NO_WORDS, confirmation };
    expect(await denyTogether(services, now(), widened)).toMatchObject({ kind: "NOT_CONFIRMED" });
    const reworded = { ...subject, note: null, reason: ONE_A_MONTH, confirmation: await confirm(subject) };
    expect(await denyTogether(services, now(), reworded)).toMatchObject({ kind: "NOT_CONFIRMED" });
    expect(await statuses(ids)).toEqual(["APPROVAL_PENDING", "APPROVAL_PENDING"]);

    const exact = { ...subject, note: null, confirmation: await confirm(subject) };
    expect(await denyTogether(services, now(), exact)).toMatchObject({ kind: "DENIED", deniedCount: 2 });
    expect(await denyTogether(services, now(), exact)).toMatchObject({ kind: "NOT_CONFIRMED" });
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
    const input = { proposalIds: ids, ...NO_WORDS, confirmation: NONE };
    expect(await denyTogether(services, now(), input)).toMatchObject({
      kind: "DENIED",
      deniedCount: 2,
      left: [{ kind: "ALREADY_DECIDED", byName: coOwner.actor.name, decision: "DENIED" }],
    });
    expect(new Set(await statuses(ids))).toEqual(new Set(["APPROVAL_DENIED"]));
  });

  it("decides nothing of another organization and nothing by a viewer", async () => {
    const { services, organization, propose, now, statuses } = await arrange();
    const other = await createTestOrganization(database, services);
    const ids = [await propose(18_400)];
    const input = { proposalIds: ids, ...NO_WORDS, confirmation: NONE };
    expect(await denyTogether(services, now(other.owner), input)).toMatchObject({
      deniedCount: 0,
      left: [{ kind: "REFUSED" }],
    });
    const viewer = await organization.addMember("VIEWER", "Vera");
    expect(await denyTogether(services, now(viewer), input)).toMatchObject({ kind: "REFUSED" });
    expect(await statuses(ids)).toEqual(["APPROVAL_PENDING"]);
  });
});
