/**
 * Goal: a program that asks and takes back again and again floods nobody, whatever it asks for. Method: over HTTP, everything
 * delivered after each step by the real workers to providers that keep it.
 */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestApi, moveAnything } from "@/lib/testing/api";
import { mandateTerms } from "@/lib/testing/api-proof/organization-with-everything";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { arrangeNotices } from "@/lib/testing/notices";
import { createTestServices } from "@/lib/testing/services";

// The workers process all organizations, so each test has its own database.
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const TIMES = 12;
/** Sent singly within an hour, to an owner and a co-owner; docs/behavior/approvals.md. */
const MOST_MAILS = 5 * 2;
const QUARTER_HOUR_MS = 15 * 60_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const world = await arrangeNotices(database, services);
  const pod = (name: string) =>
    world.organization.addAccount({ name, type: "POD", balanceInCents: 100_000_000 });
  const ids = { operating: await pod("Operating"), taxes: await pod("Taxes"), travel: await pod("Travel") };
  const key = await world.organization.addKey([moveAnything(true)], "claude");
  const call = createTestApi(services);
  const post = async (path: string, body: Record<string, unknown> = {}) => {
    const { status, body: answered } = await call(key.text, "POST", path, { body });
    expect(status, path).toBeLessThan(300);
    return Object(answered).data;
  };
  const line = (amountInCents: number) => ({
    sourceAccountId: ids.operating,
    destinationAccountId: ids.taxes,
    amountInCents,
  });
  return { ...world, clock, ids, post, line };
}

it("of proposals that it withdraws, people hear of five an hour", async () => {
  const { post, line, deliver, mails, clock } = await arrange();
  for (let time = 0; time < TIMES; time += 1) {
    const { id } = await post("/transfers", line(10_000 + time));
    await deliver();
    await post(`/transfers/${id}/cancel`);
    await deliver();
    clock.advance(1_000);
  }
  const withdrawn = mails.filter(({ subject }) => subject.includes("withdr"));
  expect(withdrawn.length).toBeGreaterThan(0);
  expect(withdrawn.length).toBeLessThanOrEqual(MOST_MAILS);
  // Nothing is left to decide, so no digest follows.
  const count = mails.length;
  clock.advance(QUARTER_HOUR_MS);
  await deliver();
  expect(mails).toHaveLength(count);
});

it("of batches that it withdraws, people hear of five an hour", async () => {
  const { post, line, deliver, mails, clock } = await arrange();
  for (let time = 0; time < TIMES; time += 1) {
    const { lines } = await post("/transfers/batch", {
      reasonForApproval: "Payday",
      transfers: [line(10_000 + time), line(20_000 + time)],
    });
    await deliver();
    await post(`/transfers/${Object(lines[0]).transferId}/cancel`);
    await deliver();
    clock.advance(1_000);
  }
  const withdrawn = mails.filter(({ subject }) => subject.includes("withdr"));
  expect(withdrawn.length).toBeGreaterThan(0);
  expect(withdrawn.length).toBeLessThanOrEqual(MOST_MAILS);
});

it("of mandates that it asks for, people hear of five an hour, then of the rest in one digest", async () => {
  const { post, ids, deliver, mails, texts, clock, verifyPhone, owner } = await arrange();
  await verifyPhone(owner.actor.id, "+12125550131");
  for (let time = 0; time < TIMES; time += 1) {
    const { id } = await post("/mandates", { terms: mandateTerms(ids), reason: "Each is approved" });
    await deliver();
    if (time < TIMES - 2) await post(`/mandates/${id}/cancel`);
    clock.advance(1_000);
  }
  expect(mails).toHaveLength(MOST_MAILS);
  expect(texts).toHaveLength(MOST_MAILS / 2);
  mails.length = 0;
  clock.advance(QUARTER_HOUR_MS);
  await deliver();
  // The others were withdrawn.
  expect(mails.map(({ subject }) => subject)).toEqual(
    Array(2).fill("2 more mandates wait for your signature"),
  );
  expect(mails[0]?.text).toMatch(/claude.*It may move/);
});
