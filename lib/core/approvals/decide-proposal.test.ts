import { describe, expect, it } from "vitest";
import type { Confirmation, DecideInput } from "@/lib/contract/confirmation/decision";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { beginConfirmation } from "@/lib/core/sign-in/confirmation";
import { hashPassword } from "@/lib/core/sign-in/password";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { countQueries, RACING, useTestDatabase } from "@/lib/testing/database";
import { enrollPasskey, TEST_PASSWORD } from "@/lib/testing/members";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";
import { getApproval } from "@/lib/views/approvals/get-approval";

const database = useTestDatabase(RACING);

async function arrange({ balanceInCents = 1_000_000, floorInCents = 800_000 } = {}) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents,
    floorInCents,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(true)], "claude-bookkeeping");
  const propose = async (amountInCents = 125_000) => {
    const transfer = await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents,
      reasonForApproval: "Q4 tax",
    });
    return transfer.id;
  };
  // A recent sign-in, so that no further confirmation is required.
  const at = (member: Context<MemberActor>) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const look = async (id: string, member = organization.owner) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: at(member), time }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const decide = (
    proposalId: string,
    decision: DecideInput["decision"],
    digest: string,
    member = organization.owner,
    note: string | null = null,
  ) =>
    decideProposal(services, at(member), {
      proposalId,
      decision,
      digest,
      note,
      confirmation: { kind: "NONE" },
    });
  const read = (id: string) => getTransfer(services, key.context, id);
  return { services, clock, organization, operating, taxes, key, propose, look, decide, read };
}

describe("an approval", () => {
  it("books the transfer in the same transaction and records who, when and how", async () => {
    const { services, propose, look, decide, read, organization } = await arrange();
    const id = await propose();
    expect(await decide(id, "APPROVE", (await look(id)).digest)).toEqual({ kind: "DECIDED" });
    expect(await read(id)).toMatchObject({ status: "COMPLETE", approvalUrl: null });
    expect(await bookDueTransfers(services, 10)).toBe(0);
    const view = await look(id);
    expect(view).toMatchObject({
      status: "SETTLED",
      decision: {
        kind: "APPROVED",
        byName: organization.owner.actor.name,
        byViewer: true,
        method: "RECENT_SIGN_IN",
      },
    });
    expect(view.history.map((item) => item.kind)).toEqual(["PROPOSED", "APPROVED", "SETTLED"]);
  });

  it("emits both events of the transfer, the acceptance first", async () => {
    const { services, clock, organization, propose, look, decide } = await arrange();
    await addEndpoint(services, createTestWebhooks(), organization.organizationId, "https://hooks.example/x");
    const id = await propose();
    clock.advance(1_000);
    const approvedAt = clock.now().getTime();
    expect(await decide(id, "APPROVE", (await look(id)).digest)).toEqual({ kind: "DECIDED" });
    const { rows } = await database.ownerPool.query<{ createdAt: Date }>(
      `select created_at as "createdAt" from webhook_events where resource_id = $1 order by id`,
      [id],
    );
    // As receivers get them, in the order of their ids.
    expect(rows.map((row) => row.createdAt.getTime() - approvedAt)).toEqual([-1_000, 0, 1]);
  });

  it.each(["source", "destination"] as const)(
    "decides nothing if its %s was renamed, since an approver reads names",
    async (side) => {
      const { operating, taxes, propose, look, decide, read } = await arrange();
      const id = await propose();
      const seen = await look(id);
      await database.pool.query("update accounts set name = 'Payroll' where id = $1", [
        side === "source" ? operating : taxes,
      ]);
      expect(await decide(id, "APPROVE", seen.digest)).toMatchObject({ kind: "CHANGED" });
      expect(await read(id)).toMatchObject({ status: "APPROVAL_PENDING" });
      expect(await decide(id, "APPROVE", (await look(id)).digest)).toEqual({ kind: "DECIDED" });
    },
  );

  it("shows a flag if another account’s name looks the same, even in another script", async () => {
    const { organization, propose, look, decide } = await arrange();
    const id = await propose();
    const seen = await look(id);
    expect(seen.checks.map(({ kind }) => kind)).not.toContain("LOOK_ALIKE");
    // Starts with a Cyrillic letter.
    const twin = await organization.addAccount({ name: "\u0422axes", type: "POD" });
    expect(await decide(id, "APPROVE", seen.digest)).toEqual({
      kind: "CHANGED",
      changes: ["Another name looks like one of these."],
    });
    expect((await look(id)).checks).toContainEqual({
      kind: "LOOK_ALIKE",
      outcome: "LOOK",
      names: [{ kind: "ACCOUNT", name: "Taxes", otherName: "\u0422axes" }],
    });
    await database.pool.query("update accounts set deleted_at = now() where id = $1", [twin]);
    expect((await look(id)).checks.map(({ kind }) => kind)).not.toContain("LOOK_ALIKE");
  });

  it("waits for money that is being spent, and decides nothing if too little is left", async () => {
    const { organization, propose, look, decide, operating } = await arrange();
    const id = await propose(150_000);
    const seen = await look(id);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("select reserve($1, $2, 60000, false)", [organization.organizationId, operating]),
      () => decide(id, "APPROVE", seen.digest),
    );
    expect({ hasWaited, result }).toMatchObject({ hasWaited: true, result: { kind: "CHANGED" } });
  });

  it("waits for a change of its member's role in progress, and decides nothing without the right one", async () => {
    const { organization, propose, look, decide, read } = await arrange();
    const coOwner = await organization.addMember("CO_OWNER", "Ines");
    const id = await propose();
    const seen = await look(id);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("update memberships set role = 'VIEWER' where user_id = $1", [coOwner.actor.id]),
      () => decide(id, "APPROVE", seen.digest, coOwner),
    );
    expect({ hasWaited, result }).toMatchObject({ hasWaited: true, result: { kind: "REFUSED" } });
    expect(await read(id)).toMatchObject({ status: "APPROVAL_PENDING" });
  });

  it("decides nothing if the outcome of a check has changed, and says what changed", async () => {
    const { clock, propose, look, decide, read } = await arrange();
    const id = await propose(150_000);
    const seen = await look(id);
    const rival = await propose(60_000);
    expect(await decide(rival, "APPROVE", (await look(rival)).digest)).toEqual({ kind: "DECIDED" });
    clock.advance(1_000);
    expect(await decide(id, "APPROVE", seen.digest)).toEqual({
      kind: "CHANGED",
      changes: expect.arrayContaining([
        "The source would now go below its floor.",
        "There is now a similar transfer in the last 24 hours.",
      ]),
    });
    expect(await read(id)).toMatchObject({ status: "APPROVAL_PENDING" });
    expect(await decide(id, "APPROVE", (await look(id)).digest)).toEqual({ kind: "DECIDED" });
  });

  it("succeeds if a balance changed without changing an outcome", async () => {
    const { organization, operating, propose, look, decide } = await arrange();
    const id = await propose();
    const seen = await look(id);
    await organization.deposit(operating, 5_000);
    expect((await look(id)).version).not.toBe(seen.version);
    expect(await decide(id, "APPROVE", seen.digest)).toEqual({ kind: "DECIDED" });
  });

  it("of more than is available fails the transfer without moving anything", async () => {
    const { services, propose, look, decide, read, organization } = await arrange();
    const id = await propose(1_000_001);
    expect((await look(id)).checks).toContainEqual(
      expect.objectContaining({ kind: "ENOUGH_MONEY", outcome: "BLOCKS" }),
    );
    await decide(id, "APPROVE", (await look(id)).digest);
    await bookDueTransfers(services, 10);
    expect(await read(id)).toMatchObject({ status: "FAILED", errorCode: "INSUFFICIENT_FUNDS" });
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongHolds: [],
      negative: [],
    });
  });

  it("may go below the floor, which the person sees and decides", async () => {
    const { services, propose, look, decide, read } = await arrange();
    const id = await propose(900_000);
    expect((await look(id)).checks).toContainEqual(
      expect.objectContaining({ kind: "FLOOR", outcome: "LOOK" }),
    );
    await decide(id, "APPROVE", (await look(id)).digest);
    await bookDueTransfers(services, 10);
    expect(await read(id)).toMatchObject({ status: "COMPLETE" });
  });
});

describe("a denial", () => {
  it("ends the transfer, stores the note for members, and needs no digest", async () => {
    const { propose, look, decide, read } = await arrange();
    const id = await propose();
    expect(await decide(id, "DENY", "", undefined, "Wait for invoice 318.")).toEqual({ kind: "DECIDED" });
    const transfer = await read(id);
    expect(transfer).toMatchObject({ status: "APPROVAL_DENIED" });
    expect(JSON.stringify(transfer)).not.toContain("invoice 318");
    expect(await look(id)).toMatchObject({ status: "DENIED", decision: { note: "Wait for invoice 318." } });
  });
});

describe("only an owner or co-owner", () => {
  it.each(["VIEWER", "ACCOUNTANT"] as const)("decides: a %s is refused by the server", async (role) => {
    const { organization, propose, look, decide, read } = await arrange();
    const id = await propose();
    const member = await organization.addMember(role, "Tomas");
    expect(await decide(id, "APPROVE", (await look(id)).digest, member)).toMatchObject({ kind: "REFUSED" });
    expect(await decide(id, "DENY", "", member)).toMatchObject({ kind: "REFUSED" });
    expect(await read(id)).toMatchObject({ status: "APPROVAL_PENDING" });
  });

  it("decides: the role at the decision counts, not the role when the page was loaded", async () => {
    const { organization, propose, look, decide, read } = await arrange();
    const id = await propose();
    const member = await organization.addMember("CO_OWNER", "Jonas");
    const { digest } = await look(id, member);
    await database.ownerPool.query("update memberships set role = 'VIEWER' where user_id = $1", [
      member.actor.id,
    ]);
    expect(await decide(id, "APPROVE", digest, member)).toMatchObject({ kind: "REFUSED" });
    expect(await read(id)).toMatchObject({ status: "APPROVAL_PENDING" });
  });

  it("decides: an owner of another organization is refused", async () => {
    const { propose, look, decide, read, services } = await arrange();
    const id = await propose();
    const other = await createTestOrganization(database, services, "Other");
    expect(await decide(id, "APPROVE", (await look(id)).digest, other.owner)).toMatchObject({
      kind: "REFUSED",
    });
    expect(await read(id)).toMatchObject({ status: "APPROVAL_PENDING" });
  });
});

describe("without a decision", () => {
  it("a proposal expires after 24 hours, shown as denied in the API and expired to members, and cannot be decided", async () => {
    const { services, clock, propose, look, decide, read } = await arrange();
    const id = await propose();
    clock.advance(24 * 3_600_000 - 1);
    await expireProposals(services, 10);
    expect(await read(id)).toMatchObject({ status: "APPROVAL_PENDING" });
    clock.advance(1);
    // Even before the worker has closed it.
    expect(await decide(id, "DENY", "")).toEqual({ kind: "EXPIRED" });
    expect((await look(id)).status).toBe("EXPIRED");
    await expireProposals(services, 10);
    expect(await read(id)).toMatchObject({ status: "APPROVAL_DENIED" });
    expect(await look(id)).toMatchObject({ status: "EXPIRED", decision: null });
  });
});

describe("racing decisions of one proposal", () => {
  it("end in exactly one: booked once if approved, never if denied; the others learn who decided", {
    timeout: 300_000,
  }, async () => {
    const rounds = proofSize(2, 6);
    const rivals = 200;
    for (let round = 0; round < rounds; round++) {
      const { services, organization, propose, look, decide, read } = await arrange();
      const members = [organization.owner];
      for (let index = 0; index < 4; index++)
        members.push(await organization.addMember("CO_OWNER", `Member${index}`));
      const id = await propose();
      const { digest } = await look(id);
      const results = await Promise.all(
        Array.from({ length: rivals }, (_, index) =>
          // In odd rounds the denials are sent first.
          decide(id, (index + round) % 2 === 0 ? "APPROVE" : "DENY", digest, members[index % members.length]),
        ),
      );
      const winners = results.filter((result) => result.kind === "DECIDED");
      expect(winners).toHaveLength(1);
      for (const result of results) {
        if (result.kind === "DECIDED") continue;
        expect(result).toMatchObject({ kind: "ALREADY_DECIDED", byName: expect.any(String) });
      }
      await bookDueTransfers(services, 10);
      await bookDueTransfers(services, 10);
      const { rows } = await database.ownerPool.query(
        "select count(*)::int as count from entries where transfer_id = $1",
        [id],
      );
      const transfer = await read(id);
      const wasApproved = transfer.status === "COMPLETE";
      expect([transfer.status, rows[0]?.count]).toEqual(
        wasApproved ? ["COMPLETE", 1] : ["APPROVAL_DENIED", 0],
      );
      expect(await auditBooks(database, organization.organizationId)).toMatchObject({
        wrongLedgers: [],
        wrongHolds: [],
        negative: [],
      });
    }
  });
});

describe("round trips from the click to the decision", () => {
  /** Each of the two actions reads the session once. */
  const SESSION_READS = 2;

  it.each(["PASSKEY", "RECENT_SIGN_IN", "PASSWORD"] as const)("are at most 12, by %s", async (method) => {
    const { services, clock, organization, propose, look, read } = await arrange();
    const proposalId = await propose();
    const { digest } = await look(proposalId);
    const fresh = { ...organization.owner.actor, authenticatedAt: clock.now() };
    const actor = method === "PASSWORD" ? { ...fresh, authenticatedAt: new Date(0) } : fresh;
    const passkey = method === "PASSKEY" ? await enrollPasskey(services, fresh) : null;
    await database.ownerPool.query("update users set password_hash = $2 where id = $1", [
      actor.id,
      await hashPassword(TEST_PASSWORD),
    ]);
    const counted = countQueries(services.pool);
    const watched = { ...services, pool: counted.pool };
    const subject = { proposalId, decision: "APPROVE", digest } as const;

    const request = await beginConfirmation(watched, actor, subject);
    const confirmation: Confirmation =
      request.kind === "PASSWORD"
        ? { kind: "PASSWORD", password: TEST_PASSWORD }
        : request.kind === "PASSKEY" && passkey
          ? { kind: "PASSKEY", response: passkey.authenticator.get(request.options) }
          : { kind: "NONE" };
    const context = { ...organization.owner, actor, now: clock.now() };
    expect(await decideProposal(watched, context, { ...subject, note: null, confirmation })).toEqual({
      kind: "DECIDED",
    });

    expect(await read(proposalId)).toMatchObject({ status: "COMPLETE" });
    expect((await look(proposalId)).decision).toMatchObject({ method });
    expect(counted.queries.length + SESSION_READS, counted.queries.join("\n")).toBeLessThanOrEqual(12);
  });
});
