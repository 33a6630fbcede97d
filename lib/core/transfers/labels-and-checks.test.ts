import { expect, test } from "vitest";
import { readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { getCheckedTransfer } from "@/lib/core/approvals/checks-for-programs";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { checkForProgram } from "@/lib/words/check-words";

/** What a program learns before and while it asks: checks, repetitions, and its own id and data. */
const database = useTestDatabase();

async function arrange(approvalRequired: boolean) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000_00,
  });
  const destination = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(approvalRequired)]);
  const ask = (amountInCents: number, more: object = {}) =>
    askTransfer(services, key.context, {
      sourceAccountId: source,
      destinationAccountId: destination,
      amountInCents,
      ...more,
    });
  const read = (id: string) => getCheckedTransfer(services, { ...key.context, now: clock.now() }, id);
  return { services, clock, organization, key, ask, read };
}

const codesToReview = (checks: { code: string; level: string }[] | null) =>
  (checks ?? []).filter(({ level }) => level !== "CLEAR").map(({ code }) => code);

test("a proposal answers the checks that its approver sees", async () => {
  const { services, clock, key, ask, read } = await arrange(true);
  const made = await ask(500_00);
  const facts = await readApprovalFacts(services.pool, key.context.organizationId, made.id, clock.now());
  if (!facts) throw new Error("no proposal");
  const shown = runChecks(facts).map(checkForProgram);
  expect(made.checks).toEqual(shown);
  expect((await read(made.id)).checks).toEqual(shown);
  expect(codesToReview(made.checks)).toEqual(["NEW_ROUTE"]);
});

test("a dry run answers the checks of the live transfer, and of nothing else", async () => {
  const { ask } = await arrange(true);
  const dry = await ask(500_00, { simulation: true });
  const live = await ask(500_00);
  expect(dry.checks).toEqual(live.checks);
  const again = await ask(500_00, { simulation: true });
  expect(codesToReview(again.checks)).toEqual(["NEW_ROUTE", "POSSIBLE_DUPLICATE"]);
});

test("a check blocks a dry run without money", async () => {
  const { ask } = await arrange(false);
  const dry = await ask(900_000_00, { simulation: true });
  expect(dry).toMatchObject({ errorCode: "INSUFFICIENT_FUNDS" });
  expect(dry.checks).toContainEqual(expect.objectContaining({ code: "INSUFFICIENT_FUNDS", level: "BLOCKS" }));
});

test("a transfer accepted at once says that it repeats one of its route and amount within a day", async () => {
  const { clock, ask } = await arrange(false);
  expect((await ask(500_00)).checks).toEqual([]);
  expect((await ask(501_00)).checks).toEqual([]);
  expect(codesToReview((await ask(500_00)).checks)).toEqual(["POSSIBLE_DUPLICATE"]);
  clock.advance(24 * 60 * 60_000 + 1);
  expect((await ask(500_00)).checks).toEqual([]);
});

test("nothing repeats a dry run", async () => {
  const { ask } = await arrange(false);
  await ask(500_00, { simulation: true });
  expect((await ask(500_00)).checks).toEqual([]);
});

test("its program's id and data are returned, and a repeated id is a check", async () => {
  const { ask, read } = await arrange(false);
  const labels = { externalId: "invoice-7", metadata: [{ key: "order", value: "10/42: «é»" }] };
  const made = await ask(500_00, labels);
  expect(made).toMatchObject({ ...labels, checks: [] });
  expect(await read(made.id)).toMatchObject(labels);
  expect(codesToReview((await ask(700_00, labels)).checks)).toEqual(["REPEATED_EXTERNAL_ID"]);
  expect(codesToReview((await ask(800_00, { ...labels, simulation: true })).checks)).toContain(
    "REPEATED_EXTERNAL_ID",
  );
});

test("the labels of a proposal above a cap, and of a dry run, are kept", async () => {
  const { organization, services, clock } = await arrange(false);
  const source = await organization.addAccount({ name: "Rent", type: "POD", balanceInCents: 10_000_00 });
  const destination = await organization.addAccount({ name: "Landlord", type: "POD" });
  const capped = await organization.addKey([...readEverything, moveAnything(false)], "capped", 100_00);
  const body = {
    sourceAccountId: source,
    destinationAccountId: destination,
    amountInCents: 500_00,
    externalId: "rent-11",
  };
  const held = await askTransfer(services, capped.context, body);
  expect(held).toMatchObject({ status: "APPROVAL_PENDING", externalId: "rent-11" });
  expect(codesToReview(held.checks)).toEqual(["ABOVE_DAILY_CAP", "NEW_ROUTE"]);
  const dry = await askTransfer(services, capped.context, {
    ...body,
    externalId: "rent-12",
    simulation: true,
  });
  const read = (id: string) => getCheckedTransfer(services, { ...capped.context, now: clock.now() }, id);
  expect(await read(dry.id)).toMatchObject({ externalId: "rent-12", checks: null });
  expect(await read(held.id)).toMatchObject({ externalId: "rent-11" });
});

test("labels of transfers that are written in one group are each kept", async () => {
  const { ask, services } = await arrange(true);
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, index) => ask(100_00 + index, { externalId: `bulk-${index}` })),
  );
  const { rows } = await services.pool.query<{ id: string }>(
    "select transfer_id as id from transfer_labels where transfer_id = any ($1) order by 1",
    [made.map(({ id }) => id)],
  );
  expect(rows.map(({ id }) => id)).toEqual(made.map(({ id }) => id).sort());
});
