import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { remindDeciders } from "@/lib/core/approvals/expire-proposals";
import { proposeMoveBack } from "@/lib/core/approvals/propose-move-back";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import type { Queryable } from "@/lib/db/transaction";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { arrangeNotices } from "@/lib/testing/notices";
import { overlap } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";

// The workers process all organizations, so each test has its own database.
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const HOUR_MS = 3_600_000;

/** A transfer by a key that has settled, and the proposal of its owner to move it back. */
async function arrange(reason = "") {
  const { services, clock } = createTestServices(database);
  const world = await arrangeNotices(database, services);
  const { organization, owner } = world;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 900_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([moveAnything(false)], "trusted");
  const { id: settledId } = await askTransfer(services, key.context, {
    sourceAccountId: operating,
    destinationAccountId: taxes,
    amountInCents: 12_500,
  });
  await bookDueTransfers(services, 10);
  await world.deliver();
  world.mails.length = 0;
  clock.advance(HOUR_MS);
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const now = () => ({ ...owner, now: clock.now() });
  const backId = await proposeMoveBack(services, now(), { transferId: settledId, reason });
  const approval = async (id: string) => {
    const view = await getApproval({ services, context: now(), time: time() }, id);
    if (view?.kind !== "TRANSFER") throw new Error("There is no such proposal");
    return view;
  };
  const detail = (id: string) => readTransferDetail({ services, context: now(), time: time() }, id);
  return { ...world, services, clock, settledId, backId, approval, detail };
}

describe("a proposal to move money back", () => {
  it("names the transfer that it reverses, which names it in turn and is not offered again", async () => {
    const { settledId, backId, approval, detail } = await arrange();
    expect((await approval(backId)).reverses).toEqual({
      href: `/transfers/${settledId}`,
      settledAt: "2026-01-15T17:00:00.000Z",
    });
    expect(await detail(backId)).toMatchObject({ reversesHref: `/transfers/${settledId}` });
    expect(await detail(settledId)).toMatchObject({
      reversesHref: null,
      movedBackHref: `/?approvalTransferId=${backId}`,
      moveBackHref: null,
    });
  });

  it("can be made again once it was denied", async () => {
    const { settledId, backId, detail } = await arrange();
    await database.ownerPool.query("update transfers set status = 'APPROVAL_DENIED' where id = $1", [backId]);
    expect(await detail(settledId)).toMatchObject({
      movedBackHref: null,
      moveBackHref: `/transfers/${settledId}/move-back`,
    });
  });

  it.each(["APPROVAL_PENDING", "PROCESSING", "COMPLETE"])(
    "is the only one while its transfer is %s",
    async (status) => {
      const { organization, settledId, backId } = await arrange();
      // Their rows of a booking or an order do not matter here.
      await database.ownerPool.query("alter table transfers disable trigger user");
      await database.ownerPool.query(
        `update transfers set status = $2, accepted_at = case when $2 <> 'APPROVAL_PENDING' then created_at end,
            completed_at = case when $2 = 'COMPLETE' then created_at end where id = $1`,
        [backId, status],
      );
      const { rows } = await database.pool.query("select open_reversal($1, $2) as id", [
        organization.organizationId,
        settledId,
      ]);
      expect(rows).toEqual([{ id: backId }]);
    },
  );

  it("is proposed once by two members at the same moment", async () => {
    const { organization, settledId } = await arrange();
    const look = (client: Queryable) =>
      client.query("select open_reversal($1, $2)", [organization.organizationId, settledId]);
    const { hasWaited } = await overlap(database, look, () => look(database.pool));
    expect(hasWaited).toBe(true);
  });

  it("notifies the other deciders, not its author, in words for a person", async () => {
    const { owner, jonas, deliver, mails, recipients } = await arrange();
    await deliver();
    expect(recipients()).toEqual([jonas.actor.email]);
    expect(mails[0]?.subject).toContain("Move $125.00 back from ");
    expect(mails[0]?.text).toContain("asks. They gave no reason.");
    expect(mails[0]?.text).toMatch(
      /It reverses the transfer from \S*Operating\S* to \S*Taxes\S* that settled /,
    );
    expect(mails[0]?.text).not.toContain("proposals approved");
    expect(recipients()).not.toContain(owner.actor.email);
  });

  it("is called a move back when the others hear of its decision", async () => {
    const { owner, jonas, services, clock, backId, deliver, mails, recipients } = await arrange();
    await deliver();
    mails.length = 0;
    const actor = { ...owner.actor, authenticatedAt: clock.now() };
    const decided = await decideProposal(
      services,
      { ...owner, actor, now: clock.now() },
      { proposalId: backId, decision: "DENY", digest: "", note: null, confirmation: { kind: "NONE" } },
    );
    expect(decided).toEqual({ kind: "DECIDED" });
    await deliver();
    expect(recipients()).toEqual([jonas.actor.email]);
    expect(mails[0]?.subject).toContain(" denied: Move $125.00 back from ");
  });

  it("reminds everyone before it expires, also who asked", async () => {
    const { services, clock, deliver, mails, recipients, deciders } = await arrange("Too much.");
    await deliver();
    mails.length = 0;
    clock.advance(22 * HOUR_MS);
    await remindDeciders(services, 10);
    await deliver();
    expect(recipients()).toEqual(deciders);
    expect(mails[0]?.text).toContain("They wrote:");
  });
});
