import { describe, expect, it } from "vitest";
import type { Confirmation } from "@/lib/contract/confirmation/decision";
import type { MemberRole } from "@/lib/contract/members";
import type { MoveDraft } from "@/lib/contract/move";
import { beginMove, moveMoney } from "@/lib/core/approvals/move-money";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { closeAccount } from "@/lib/core/ledger/close-account";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { changeMemberRole } from "@/lib/core/organizations/change-member";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { endSession } from "@/lib/core/sign-in/end-session";
import { hashPassword } from "@/lib/core/sign-in/password";
import { newId } from "@/lib/platform/ids";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { auditBooks } from "@/lib/testing/conservation";
import { RACING, useTestDatabase } from "@/lib/testing/database";
import { enrollPasskey } from "@/lib/testing/members";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { previewMove, readMovePage } from "@/lib/views/transfers/read-move-page";

const database = useTestDatabase(RACING);

const RIVALS = 20;
const NONE: Confirmation = { kind: "NONE" };

async function arrange({ balanceInCents = 1_000_000, floorInCents = 0 } = {}) {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents,
    floorInCents,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  // A recent sign-in, so that no further confirmation is required.
  const at = (member: Context<MemberActor> = organization.owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const time = () => ({
    nowAt: clock.now().toISOString(),
    timeZone: "America/New_York",
    locale: "en-US",
  });
  const draft = (changes: Partial<MoveDraft> = {}): MoveDraft => ({
    draftId: newId(clock.now()),
    sourceAccountId: operating,
    destinationAccountId: taxes,
    amountInCents: 250_000,
    achLabel: "TOP UP",
    note: "Bridge until Halden pays",
    ...changes,
  });
  const look = (drafted: MoveDraft, member?: Context<MemberActor>) =>
    previewMove({ services, context: at(member), time: time() }, drafted);
  const move = (
    drafted: MoveDraft,
    digest: string,
    member?: Context<MemberActor>,
    confirmation: Confirmation = NONE,
  ) => moveMoney(services, at(member), { ...drafted, digest, confirmation });
  const transfers = async () => {
    const { rows } = await database.pool.query<{
      id: string;
      status: string;
      origin: string;
      amountInCents: number;
      holdInCents: number;
    }>(
      `select id, status, origin, amount_in_cents as "amountInCents", hold_in_cents as "holdInCents" from transfers
        where organization_id = $1 and origin = 'USER' order by id`,
      [organization.organizationId],
    );
    return rows;
  };
  return { services, clock, woken, organization, operating, taxes, at, time, draft, look, move, transfers };
}

/** `/?approvalTransferId=<id>` */
const idIn = (href: string) => new URL(href, "http://localhost").searchParams.get("approvalTransferId") ?? "";

describe("a member who moves money", () => {
  it("sees a preview and confirms it, and the transfer is accepted as their own approval", async () => {
    const { services, organization, woken, at, time, draft, look, move, transfers } = await arrange();
    const drafted = draft();
    const seen = await look(drafted);
    expect(seen).toMatchObject({
      amountInCents: 250_000,
      source: { name: "Operating", nowInCents: 1_000_000, afterInCents: 750_000 },
      together: { nowInCents: 1_000_000, changeInCents: 0, afterInCents: 1_000_000 },
    });
    expect(await transfers()).toEqual([]);

    const result = await move(drafted, seen.digest);
    expect(result).toMatchObject({ kind: "MOVED" });
    const [transfer] = await transfers();
    expect(transfer).toMatchObject({
      status: "COMPLETE",
      origin: "USER",
      amountInCents: 250_000,
      holdInCents: 0,
    });
    expect(woken).toEqual(expect.arrayContaining([RUN_RULES, SEND_NOTICES]));
    const view = await getApproval({ services, context: at(), time: time() }, transfer?.id ?? "");
    expect(view).toMatchObject({
      status: "SETTLED",
      reason: "Bridge until Halden pays",
      achLabel: "TOP UP",
      requester: { kind: "MEMBER", name: "Mara" },
      decision: { kind: "APPROVED", byViewer: true, method: "RECENT_SIGN_IN" },
    });
    expect(view?.history.map((item) => item.kind)).toEqual(["PROPOSED", "APPROVED", "SETTLED"]);
    expect(result).toMatchObject({ href: expect.stringContaining(transfer?.id ?? "none") });
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      wrongHolds: [],
      negative: [],
    });
  });

  it("may go below the floor, and sees it", async () => {
    const { draft, look, move } = await arrange({ floorInCents: 900_000 });
    const drafted = draft();
    const seen = await look(drafted);
    expect(seen.checks).toContainEqual(expect.objectContaining({ kind: "FLOOR", outcome: "LOOK" }));
    expect(await move(drafted, seen.digest)).toMatchObject({ kind: "MOVED" });
  });

  it("never moves more than is available, whatever digest is sent", async () => {
    const { organization, draft, look, move, transfers } = await arrange();
    const drafted = draft({ amountInCents: 1_000_001 });
    const seen = await look(drafted);
    expect(seen.checks).toContainEqual(expect.objectContaining({ kind: "ENOUGH_MONEY", outcome: "BLOCKS" }));
    await expect(move(drafted, seen.digest)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    expect(await transfers()).toEqual([]);
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({ wrongHolds: [] });
  });

  it("cannot move money from an unknown balance", async () => {
    const { organization, taxes, draft, look, move, transfers } = await arrange();
    const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
    const drafted = draft({ sourceAccountId: checking, destinationAccountId: taxes });
    const seen = await look(drafted);
    expect(seen.source.nowInCents).toBeNull();
    expect(seen.checks).toContainEqual(expect.objectContaining({ kind: "ENOUGH_MONEY", outcome: "BLOCKS" }));
    await expect(move(drafted, seen.digest)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    expect(await transfers()).toEqual([]);
  });

  it("confirms exactly one draft: a changed amount, account, label or note moves nothing", async () => {
    const { organization, draft, look, move, transfers } = await arrange();
    const savings = await organization.addAccount({ name: "Savings", type: "POD" });
    const drafted = draft();
    const { digest } = await look(drafted);
    const others: Partial<MoveDraft>[] = [
      { amountInCents: 250_001 },
      { destinationAccountId: savings },
      { achLabel: "OTHER" },
      { achLabel: null },
      { note: null },
      { draftId: draft().draftId },
    ];
    for (const other of others) {
      expect(await move({ ...drafted, ...other }, digest)).toMatchObject({ kind: "CHANGED" });
    }
    expect(await transfers()).toEqual([]);
  });

  it("sees what changed if the outcome of a check changed, and nothing moves", async () => {
    const { services, organization, operating, taxes, draft, look, move, transfers } = await arrange({
      floorInCents: 500_000,
    });
    const key = await organization.addKey([moveAnything(false)]);
    const drafted = draft();
    const seen = await look(drafted);
    await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: 400_000,
    });
    expect(await move(drafted, seen.digest)).toEqual({
      kind: "CHANGED",
      changes: expect.arrayContaining([
        "The source would now go below its floor.",
        "There is now a similar transfer in the last 24 hours.",
      ]),
    });
    expect(await transfers()).toEqual([]);
    expect(await move(drafted, (await look(drafted)).digest)).toMatchObject({ kind: "MOVED" });
  });

  it("notifies the other deciders once of the decision, without asking for approval", async () => {
    const { services, organization, draft, look, move } = await arrange();
    await organization.addMember("CO_OWNER", "Jonas");
    const drafted = draft();
    await move(drafted, (await look(drafted)).digest);
    await sendNotices(services, { isSandboxBank: true }, 10);
    const { rows } = await database.pool.query<{ kind: string; recipient: string }>(
      "select kind, recipient from messages where organization_id = $1",
      [organization.organizationId],
    );
    expect(rows).toEqual([{ kind: "APPROVAL_DECIDED", recipient: expect.stringMatching(/^jonas/) }]);
  });
});

describe("a move is refused", () => {
  it.each<MemberRole>(["VIEWER", "ACCOUNTANT"])("to %s, by every command", async (role) => {
    const { services, organization, at, time, draft, look, move, transfers } = await arrange();
    const member = await organization.addMember(role, "Ines");
    const drafted = draft();
    const { digest } = await look(drafted);
    await expect(look(drafted, member)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await expect(beginMove(services, at(member), { ...drafted, digest })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    await expect(move(drafted, digest, member)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    const prefill = { sourceAccountId: null, destinationAccountId: null, amountInCents: null };
    expect(await readMovePage({ services, context: at(member), time: time() }, prefill)).toMatchObject({
      viewer: { canMove: false },
    });
    expect(await transfers()).toEqual([]);
  });

  it("between accounts of another organization, as if they did not exist", async () => {
    const { organization, operating, draft, look, move, transfers } = await arrange();
    const stranger = await arrange();
    for (const drafted of [
      draft({ sourceAccountId: stranger.operating, destinationAccountId: operating }),
      draft({ destinationAccountId: stranger.taxes }),
    ]) {
      await expect(look(drafted)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
      const { digest } = await look({ ...drafted, ...draft() });
      await expect(move(drafted, digest)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    }
    expect(await transfers()).toEqual([]);
    expect(await stranger.transfers()).toEqual([]);
    expect(organization.organizationId).not.toBe(stranger.organization.organizationId);
  });

  it("on impossible routes: to itself, outside to outside, out of a debt, to or from a closed account", async () => {
    const { services, organization, operating, taxes, at, draft, look } = await arrange();
    const add = (name: string, externalAccountType: "DEPOSITORY" | "LIABILITY" | "INVESTMENT") =>
      organization.addAccount({
        name,
        type: "EXTERNAL_ACCOUNT",
        externalAccountType,
        balanceInCents: 900_000,
      });
    const checking = await add("Checking", "DEPOSITORY");
    const visa = await add("Visa", "LIABILITY");
    const fund = await add("Fund", "INVESTMENT");
    const closed = await organization.addAccount({ name: "Old", type: "POD" });
    await closeAccount(services, at(), closed);
    const routes: [string, string, RegExp][] = [
      [operating, operating, /to itself/],
      [checking, visa, /between two outside accounts/],
      [visa, taxes, /cannot be drawn from Visa/],
      [fund, taxes, /cannot be drawn from Fund/],
      [operating, closed, /Old is closed/],
      [closed, taxes, /Old is closed/],
    ];
    for (const [sourceAccountId, destinationAccountId, message] of routes) {
      await expect(look(draft({ sourceAccountId, destinationAccountId }))).rejects.toThrow(message);
    }
    expect(await look(draft({ destinationAccountId: visa }))).toMatchObject({ settlesOver: "ACH" });
  });

  it("five minutes after sign-in without the password, or with a wrong one", async () => {
    const { services, clock, organization, at, draft, look, transfers } = await arrange();
    const drafted = draft();
    const { digest } = await look(drafted);
    const stale = { ...at(), actor: { ...organization.owner.actor } };
    clock.advance(6 * 60_000);
    await database.ownerPool.query("update users set password_hash = $2 where id = $1", [
      stale.actor.id,
      await hashPassword("correct horse battery"),
    ]);
    const send = (confirmation: Confirmation) =>
      moveMoney(services, { ...stale, now: clock.now() }, { ...drafted, digest, confirmation });
    await expect(send(NONE)).rejects.toThrow(/more than 5 minutes ago/);
    await expect(send({ kind: "PASSWORD", password: "guess" })).rejects.toThrow(/not your password/);
    expect(await transfers()).toEqual([]);
    expect(await send({ kind: "PASSWORD", password: "correct horse battery" })).toMatchObject({
      kind: "MOVED",
    });
  });

  it("with anything but a passkey if one is enrolled", async () => {
    const { services, at, draft, look, move, transfers } = await arrange();
    await enrollPasskey(services, at().actor);
    const drafted = draft();
    const { digest } = await look(drafted);
    await expect(move(drafted, digest)).rejects.toThrow(/passkey/);
    const password: Confirmation = { kind: "PASSWORD", password: "correct horse battery" };
    await expect(move(drafted, digest, undefined, password)).rejects.toThrow(/passkey/);
    expect(await transfers()).toEqual([]);
  });
});

describe("races of a move", () => {
  it(`${RIVALS} confirmations of one draft at once make one transfer, and all get it as the result`, async () => {
    for (let round = 0; round < proofSize(3, 30); round++) {
      const { organization, draft, look, move, transfers } = await arrange();
      const drafted = draft();
      const { digest } = await look(drafted);
      const results = await Promise.all(Array.from({ length: RIVALS }, () => move(drafted, digest)));
      const all = await transfers();
      expect(all).toHaveLength(1);
      for (const result of results) {
        expect(result).toEqual({ kind: "MOVED", href: expect.stringContaining(all[0]?.id ?? "none") });
      }
      expect(await move(drafted, digest)).toMatchObject({ kind: "MOVED" });
      expect(await transfers()).toHaveLength(1);
      expect(await auditBooks(database, organization.organizationId)).toMatchObject({ wrongHolds: [] });
    }
  });

  it(`${RIVALS} at once with one passkey assertion make one transfer, and the assertion cannot be reused`, async () => {
    const { services, at, draft, look, move, transfers } = await arrange();
    const { authenticator } = await enrollPasskey(services, at().actor);
    const drafted = draft();
    const { digest } = await look(drafted);
    const begun = await beginMove(services, at(), { ...drafted, digest });
    if (begun.kind !== "BEGUN" || begun.request.kind !== "PASSKEY")
      throw new Error("no passkey was requested");
    const confirmation: Confirmation = {
      kind: "PASSKEY",
      response: authenticator.get(begun.request.options),
    };
    const other = draft();
    await expect(move(other, (await look(other)).digest, undefined, confirmation)).rejects.toMatchObject({
      name: "NotConfirmed",
    });

    const results = await Promise.all(
      Array.from({ length: RIVALS }, () => move(drafted, digest, undefined, confirmation)),
    );
    const all = await transfers();
    expect(all).toHaveLength(1);
    expect(
      new Set(results.map((result) => (result.kind === "MOVED" ? idIn(result.href) : result.kind))),
    ).toEqual(new Set([all[0]?.id]));
    await expect(move(other, (await look(other)).digest, undefined, confirmation)).rejects.toMatchObject({
      name: "NotConfirmed",
    });
    // A retry after a lost response gets the result without another confirmation.
    expect(await beginMove(services, at(), { ...drafted, digest })).toMatchObject({ kind: "MOVED" });
    expect(await transfers()).toHaveLength(1);
  });

  it("a draft that was confirmed once moves nothing else, for any member", async () => {
    const { organization, draft, look, move, transfers } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    const drafted = draft();
    await move(drafted, (await look(drafted)).digest);
    const more = { ...drafted, amountInCents: 300_000 };
    expect(await move(more, (await look(more)).digest)).toMatchObject({ kind: "USED" });
    expect(await move(drafted, (await look(drafted)).digest, jonas)).toMatchObject({ kind: "USED" });
    expect(await transfers()).toHaveLength(1);
  });

  it("different drafts of one account at once never take more than its balance", async () => {
    const { organization, draft, look, move, transfers } = await arrange();
    // Each one is covered alone; together they are five times the balance.
    const drafts = Array.from({ length: RIVALS }, () => draft());
    const digests = await Promise.all(drafts.map((drafted) => look(drafted)));
    await Promise.all(drafts.map((drafted, index) => move(drafted, digests[index]?.digest ?? "")));
    const moved = await transfers();
    expect(moved.reduce((sum, transfer) => sum + transfer.amountInCents, 0)).toBeLessThanOrEqual(1_000_000);
    expect(moved.every(({ status }) => status === "COMPLETE")).toBe(true);
    // The check for similar transfers changes its outcome for all but the first.
    expect(moved).toHaveLength(1);
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongHolds: [],
      negative: [],
    });
  });

  it("pulls from one outside account at once never take more than its reported balance", async () => {
    const { organization, taxes, draft, look, move, transfers } = await arrange();
    const checking = await organization.addAccount({
      name: "Checking",
      type: "EXTERNAL_ACCOUNT",
      balanceInCents: 400_000,
    });
    const drafts = Array.from({ length: RIVALS }, () =>
      draft({ sourceAccountId: checking, destinationAccountId: taxes }),
    );
    const { digest: _digest, ...first } = await look(drafts[0] ?? draft());
    expect(first.settlesOver).toBe("ACH");
    const seen = await Promise.all(drafts.map((drafted) => look(drafted)));
    await Promise.all(drafts.map((drafted, index) => move(drafted, seen[index]?.digest ?? "")));
    const moved = await transfers();
    expect(moved).toHaveLength(1);
    expect(moved[0]).toMatchObject({ status: "PROCESSING", holdInCents: 0 });
  });

  it("a member who loses the role or session before confirming moves nothing", async () => {
    const { services, organization, at, draft, look, move, transfers } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    const drafted = draft();
    const { digest } = await look(drafted, jonas);
    await changeMemberRole(services, at(), { userId: jonas.actor.id, role: "VIEWER" });
    // They were still a co-owner when the request started.
    await expect(move(drafted, digest, jonas)).rejects.toMatchObject({ code: "ACCESS_DENIED" });

    const kim = await organization.addMember("CO_OWNER", "Kim");
    const { digest: kims } = await look(drafted, kim);
    await endSession(services, kim.actor.sessionId);
    await expect(move(drafted, kims, kim)).rejects.toMatchObject({ name: "NotConfirmed" });
    expect(await transfers()).toEqual([]);
  });

  it("losing the role at the same moment either allows the whole move or prevents it", async () => {
    for (let round = 0; round < proofSize(4, 40); round++) {
      const { services, organization, at, draft, look, move, transfers } = await arrange();
      const jonas = await organization.addMember("CO_OWNER", "Jonas");
      const drafted = draft();
      const { digest } = await look(drafted, jonas);
      const [outcome] = await Promise.all([
        move(drafted, digest, jonas).catch((error: unknown) => error),
        changeMemberRole(services, at(), { userId: jonas.actor.id, role: "VIEWER" }),
      ]);
      const all = await transfers();
      if (all.length === 1) expect(outcome).toMatchObject({ kind: "MOVED" });
      else expect(outcome).toMatchObject({ code: "ACCESS_DENIED" });
      expect(all.filter(({ status }) => status !== "COMPLETE")).toEqual([]);
      expect(await auditBooks(database, organization.organizationId)).toMatchObject({ wrongHolds: [] });
    }
  });

  it("closing all gates at the same moment either allows the whole move or prevents it", async () => {
    for (let round = 0; round < proofSize(4, 40); round++) {
      const { services, at, draft, look, move, transfers } = await arrange();
      const drafted = draft();
      const { digest } = await look(drafted);
      const [outcome] = await Promise.all([
        move(drafted, digest).catch((error: unknown) => error),
        closeGates(services, at()),
      ]);
      const all = await transfers();
      if (all.length === 1) expect(outcome).toMatchObject({ kind: "MOVED" });
      else expect(outcome).toMatchObject({ code: "ACCESS_DENIED" });
      const later = draft({ amountInCents: 40_000 });
      const seen = await look(later);
      await expect(move(later, seen.digest)).rejects.toThrow(/All gates of this organization are closed/);
      expect(await transfers()).toEqual(all);
    }
  });
});
