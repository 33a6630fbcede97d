import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RunPage } from "@/app/rules/[id]/runs/[runId]/_components/run-page";
import { Acting } from "@/components/act/acting";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { createPool } from "@/lib/db/pool";
import { moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { renderInRouter } from "@/lib/testing/render-in-router";
import { anythingWithRules, askRun, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { readRun } from "@/lib/views/rules/read-run";

const TIME = { nowAt: "2026-01-15T12:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };

const database = useTestDatabase();
/** A single connection, so that pages share its session state. */
let reader: pg.Pool;
beforeAll(async () => {
  reader = createPool(database.ownerConnection, { max: 1 });
});
afterAll(async () => {
  await reader.end();
});

/** A rule that splits a balance, and the requesters of its runs. */
async function arrange(approvalRequired: boolean) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const income = await organization.addAccount({ name: "Income", type: "POD", balanceInCents: 10_000 });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([
    ...anythingWithRules(approvalRequired),
    moveAnything(approvalRequired),
  ]);
  const ruleId = await writeRule(services, key.context, {
    trigger: { type: "MANUAL", accountId: income },
    steps: [
      {
        actions: [
          {
            type: "PERCENTAGE",
            of: "SOURCE_BALANCE",
            percentage: 25,
            sourceAccountId: income,
            destinationAccountId: taxes,
            group: 0,
          },
        ],
      },
    ],
  });
  await makeActive(database, ruleId);
  const id = await askRun(services, key.context, ruleId);
  const owner = {
    ...organization.owner,
    now: clock.now(),
    actor: { ...organization.owner.actor, authenticatedAt: clock.now() },
  };
  const readers = { ...services, pool: reader };
  /** The heading of the run's page, read after the approval page on the same connection. */
  const look = async () => {
    const approval = approvalRequired
      ? await getApproval({ services: readers, context: owner, time: TIME }, id)
      : null;
    const run = await readRun({ services: readers, context: owner, time: TIME }, { ruleId, executionId: id });
    if (!run) throw new Error("The run does not exist");
    const page = renderInRouter(
      <Acting>
        <RunPage run={run} />
      </Acting>,
    );
    return { heading: page.match(/<h1[^>]*>([^<]*)/)?.[1], status: run.status, approval };
  };
  return { services, owner, id, look };
}

test("the page of a run is readable at every stage of the run", async () => {
  const { services, look } = await arrange(false);
  expect(await look()).toMatchObject({ heading: "About to run", status: "IN_PROGRESS" });
  await runAllRules(services);
  expect(await look()).toMatchObject({ heading: "It moved $25.00 to Taxes", status: "EXECUTED" });
});

test("the page of a run is readable at every stage of its approval, on a connection that read the approval", async () => {
  const { services, owner, id, look } = await arrange(true);
  const waiting = await look();
  expect(waiting).toMatchObject({ heading: "Needs your decision before it moves anything" });
  const decided = await decideProposal(services, owner, {
    proposalId: id,
    decision: "APPROVE",
    digest: waiting.approval?.digest ?? "",
    note: null,
    confirmation: { kind: "NONE" },
  });
  expect(decided).toEqual({ kind: "DECIDED" });
  expect(await look()).toMatchObject({ heading: "$25.00 is on its way to Taxes", status: "IN_PROGRESS" });
  await runAllRules(services);
  await bookDueTransfers(services, 10);
  expect(await look()).toMatchObject({ heading: "It moved $25.00 to Taxes", status: "EXECUTED" });
});
