import { expect, it } from "vitest";
import { REVIEW_MARK_LIFETIME_MS } from "@/lib/contract/limits";
import { markProposal, readMarks } from "@/lib/core/approvals/review-marks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 90_000 });
  const destination = await organization.addAccount({ name: "Print", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(true)], "bookkeeping");
  const { id } = await askTransfer(services, key.context, {
    sourceAccountId: source,
    destinationAccountId: destination,
    amountInCents: 1_000,
  });
  const now = (member: Context<MemberActor> = organization.owner) => ({ ...member, now: clock.now() });
  return { services, clock, organization, proposalId: id, now };
}

it("a mark is its member's, can be changed and taken back, and counts for a day", async () => {
  const { services, clock, organization, proposalId, now } = await arrange();
  const coOwner = await organization.addMember("CO_OWNER", "Jonas");
  await markProposal(services, now(), { proposalId, mark: "APPROVE", digest: "seen" });
  await markProposal(services, now(), { proposalId, mark: "DENY", digest: "seen again" });
  expect([...(await readMarks(services.pool, now()))]).toEqual([
    [proposalId, { mark: "DENY", digest: "seen again", markedAt: clock.now() }],
  ]);
  expect((await readMarks(services.pool, now(coOwner))).size).toBe(0);
  await markProposal(services, now(), { proposalId, mark: null, digest: "" });
  expect((await readMarks(services.pool, now())).size).toBe(0);

  await markProposal(services, now(), { proposalId, mark: "SKIPPED", digest: "" });
  clock.advance(REVIEW_MARK_LIFETIME_MS + 1);
  expect((await readMarks(services.pool, now())).size).toBe(0);
  await forgetExpired(services, 100);
  const { rows } = await database.pool.query("select from review_marks where user_id = $1", [now().actor.id]);
  expect(rows).toEqual([]);
});

it("only what waits in the member's organization is marked", async () => {
  const { services, clock, proposalId, now } = await arrange();
  const other = await createTestOrganization(database, services);
  const input = { proposalId, mark: "APPROVE", digest: "" } as const;
  await expect(markProposal(services, now(other.owner), input)).rejects.toThrow(/no longer waits/);
  clock.advance(25 * 60 * 60_000);
  await expect(markProposal(services, now(), input)).rejects.toThrow(/no longer waits/);
});
