import { expect, it } from "vitest";
import { arrangeBatches, signedBatch } from "@/lib/testing/approvals/batches";
import { useTestDatabase } from "@/lib/testing/database";
import { anyDeciders, asks, policyOf, putInForce } from "@/lib/testing/policies";
import { readPastProposals } from "@/lib/views/policies/read-past-proposals";

const database = useTestDatabase();

it("reads a batch as one proposal with its unstruck lines", async () => {
  const { services, organization, clock, propose, line, look, decide, profit } =
    await arrangeBatches(database);
  const past = () =>
    readPastProposals(
      services.pool,
      { organizationId: organization.organizationId, now: clock.now(), timeZone: "America/New_York" },
      [],
    );
  const { id } = await propose([line(10_000), line(7_000, profit), line(5_000)]);
  expect((await past()).waiting).toMatchObject([{ facts: { amountInCents: 22_000 } }]);
  expect(await decide(signedBatch(await look(id), [3]))).toEqual({ kind: "DECIDED" });
  clock.advance(1_000);
  await propose([line(400)]);
  const { proposals, waiting, titles } = await past();
  expect(waiting).toHaveLength(1);
  expect(proposals).toMatchObject([
    { facts: { amountInCents: 400 }, lines: [{ amountInCents: 400 }], approvedAt: null },
    {
      facts: { amountInCents: 17_000, destinationAccountIds: expect.arrayContaining([profit]) },
      lines: [{ amountInCents: 7_000 }, { amountInCents: 10_000 }],
      approvedAt: expect.any(Number),
    },
  ]);
  expect(titles.get(proposals[1]?.id ?? "")).toEqual({ words: "Batch of 2", amountInCents: 17_000 });
});

it("reads everyone who signed it, and nobody whose signature was for something else", async () => {
  const { services, organization, clock, propose, line, look, decide } = await arrangeBatches(database);
  const { organizationId, owner } = organization;
  await putInForce(database, organizationId, owner.actor.id, policyOf(asks([anyDeciders(2)])));
  const ana = await organization.addMember("CO_OWNER", "Ana");
  const ben = await organization.addMember("CO_OWNER", "Ben");
  const { id } = await propose([line(10_000), line(5_000)]);
  const sign = async (member: typeof ana, struck: number[]) =>
    decide(signedBatch(await look(id, member), struck), {}, member);
  expect(await sign(ben, [])).toMatchObject({ kind: "SIGNED" });
  // Fewer lines are another subject: Ben is asked again, and does not answer.
  expect(await sign(owner, [1])).toMatchObject({ kind: "SIGNED" });
  expect(await sign(ana, [1])).toEqual({ kind: "DECIDED" });
  const { proposals } = await readPastProposals(
    services.pool,
    { organizationId, now: clock.now(), timeZone: "America/New_York" },
    [],
  );
  expect(proposals[0]?.signatures.map(({ memberId }) => memberId)).toEqual([owner.actor.id, ana.actor.id]);
});
