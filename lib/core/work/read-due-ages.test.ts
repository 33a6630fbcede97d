/**
 * What operators see of waiting work. Promise: every kind of due work shows: by the age of its oldest item, or by the time
 * since it last succeeded; and what waits outside (receivers of webhooks, the bank) shows as well.
 */

import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { ALL_KINDS } from "@/lib/core/shared/work-names";
import { dueWork } from "@/lib/core/work/due-work";
import { readDueAges } from "@/lib/core/work/read-due-ages";
import { readOutsideFigures } from "@/lib/core/work/read-outside-figures";
import { createProductSecrets } from "@/lib/platform/product-secrets";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { createMailboxMail } from "@/lib/ports/messages/create-mail";
import { createMailboxSms } from "@/lib/ports/messages/create-sms";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { testEntry, writeEntries } from "@/lib/testing/audit";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestPush } from "@/lib/testing/push/push-service";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";

const HOUR_MS = 3_600_000;

/** Kinds without the age of a queue, each with the reason (docs/operating.md names them, too). Their last success shows (`sluice_work_since_success_seconds`). */
const WITHOUT_AGE: Readonly<Record<string, string>> = {
  "archive-audit-reads":
    "off by default, and then by whole months of the calendar: what may leave is never late",
  "end-lapsed-connections": "due when the last of several tokens has expired, which no column holds",
  "keep-profiles-ready": "a cache: pages compute what is missing",
  "renew-encryption": "due only while a secret is replaced, and has metrics of its own",
};

const database = useTestDatabase();
let scene: ReturnType<typeof createTestServices> & { organizationId: string };
beforeEach(async () => {
  const test = createTestServices(database);
  scene = { ...test, organizationId: (await createTestOrganization(database, test.services)).organizationId };
});

async function ageOf(work: string): Promise<number> {
  const age = (await readDueAges(scene.services)).find(([name]) => name === work)?.[1];
  if (age === undefined) throw new Error(`${work} has no age`);
  return Math.round(age);
}

it("every kind of due work has the age of its queue, or a reason", async () => {
  const { services, clock } = scene;
  const ports = {
    bank: createSandboxBank(database.pool),
    aggregator: createSandboxAggregator(database.pool),
    cards: createSandboxCardNetwork(database.pool),
    identity: createSandboxIdentity(database.pool),
    mail: createMailboxMail(database.pool, clock),
    sms: createMailboxSms(database.pool, clock),
    webhooks: createTestWebhooks(),
    push: createTestPush(),
    auditArchives: { directory: "unused", readsDays: null },
  };
  const secrets = createProductSecrets("a product secret of tests", null);
  const kinds = dueWork(services, ports, secrets).map(({ name }) => name);
  expect([...ALL_KINDS].toSorted()).toEqual(kinds.toSorted());
  const aged = (await readDueAges(services)).map(([work]) => work);
  expect([...aged, ...Object.keys(WITHOUT_AGE)].toSorted()).toEqual(kinds.toSorted());
});

it("a webhook that waits shows, and one of an endpoint that is switched off does not", async () => {
  const { services, clock, organizationId } = scene;
  const { id } = await addEndpoint(
    services,
    createTestWebhooks(),
    organizationId,
    "https://receiver.example/hook",
  );
  await database.ownerPool.query(
    "insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at) values ($1, $2, $3, 'PENDING', $4)",
    [organizationId, id, randomUUID(), new Date(clock.now().getTime() - HOUR_MS)],
  );
  expect(await ageOf("deliver-events")).toBe(3_600);
  await database.ownerPool.query(
    "update webhook_endpoints set status = 'DISABLED', disabled_at = $2, disabled_because = 'GONE' where id = $1",
    [id, clock.now()],
  );
  expect(await ageOf("deliver-events")).toBe(0);
});

it("an entry that waits for its seal shows", async () => {
  const { services, clock, organizationId } = scene;
  await writeEntries(database.pool, [testEntry(services, organizationId, { outcome: "SUCCESS" })]);
  await database.ownerPool.query("update audit_unsealed set written_at = $1", [
    new Date(clock.now().getTime() - HOUR_MS),
  ]);
  expect(await ageOf("seal-audit")).toBe(3_600);
  await database.ownerPool.query("delete from audit_unsealed");
});

it("a notice from the bank that is not applied shows", async () => {
  const { clock, organizationId } = scene;
  await database.ownerPool.query(
    "insert into bank_inbox (organization_id, notice_reference, notice, occurred_at) values ($1, 'late', '{}', $2)",
    [organizationId, new Date(clock.now().getTime() - HOUR_MS)],
  );
  expect(await ageOf("collect-bank-notices")).toBe(3_600);
  await database.ownerPool.query("update bank_inbox set acknowledged_at = $1", [clock.now()]);
  expect(await ageOf("collect-bank-notices")).toBe(0);
});

it("a notification to a device shows as such, not as an email", async () => {
  const { clock, organizationId } = scene;
  await database.ownerPool.query(
    `insert into messages (organization_id, id, kind, channel, recipient, body_text, status, created_at, due_at)
      values ($1, gen_random_uuid(), 'APPROVAL_NEEDED', 'PUSH', 'a device', 'text', 'QUEUED', $2, $2)`,
    [organizationId, new Date(clock.now().getTime() - HOUR_MS)],
  );
  expect(await ageOf("send-push")).toBe(3_600);
  expect(await ageOf("send-messages")).toBe(0);
});

it("an event and a message that are kept for too long show, and what is kept for its time does not", async () => {
  const { clock, organizationId } = scene;
  const hoursAgo = (hours: number) => new Date(clock.now().getTime() - hours * HOUR_MS);
  const add = async (lateHours: number) => {
    const [eventAt, messageAt] = [hoursAgo(30 * 24 + lateHours), hoursAgo(90 * 24 + lateHours)];
    await database.ownerPool.query(
      `insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at)
        values ($1, first_id_at($2), 'transfer.changed', 'transfer', gen_random_uuid(), $2)`,
      [organizationId, eventAt],
    );
    await database.ownerPool.query(
      `insert into messages (organization_id, id, kind, channel, recipient, body_text, status, created_at, sent_at)
        values ($1, gen_random_uuid(), 'APPROVAL_NEEDED', 'EMAIL', 'mara@example.com', 'text', 'SENT', $2, $2)`,
      [organizationId, messageAt],
    );
  };
  await add(-1);
  expect([await ageOf("forget-events"), await ageOf("forget-messages")]).toEqual([0, 0]);
  await add(2);
  expect([await ageOf("forget-events"), await ageOf("forget-messages")]).toEqual([7_200, 7_200]);
});

it("a failing endpoint shows, until it succeeds", async () => {
  const { services, clock, organizationId } = scene;
  const { id } = await addEndpoint(
    services,
    createTestWebhooks(),
    organizationId,
    "https://receiver.example/hook",
  );
  expect(await readOutsideFigures(services)).toMatchObject({ failingEndpoints: 0, failingSeconds: 0 });
  await database.ownerPool.query(
    "update webhook_endpoints set failing_since = $2, consecutive_failures = 3 where id = $1",
    [id, new Date(clock.now().getTime() - HOUR_MS)],
  );
  const failing = await readOutsideFigures(services);
  expect(failing).toMatchObject({ failingEndpoints: 1 });
  expect(Math.round(failing.failingSeconds)).toBe(3_600);
});

it("a proposal that waits shows with its amount and age, until someone decides", async () => {
  const { services, clock } = scene;
  const organization = await createTestOrganization(database, services);
  const [sourceAccountId, destinationAccountId] = [
    await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 20_000 }),
    await organization.addAccount({ name: "Taxes", type: "POD" }),
  ];
  const { context } = await organization.addKey([moveAnything(true)]);
  const before = await readOutsideFigures(services);
  expect(before).toMatchObject({ waitingProposals: 0, waitingInCents: 0, oldestProposalSeconds: 0 });
  const { id } = await askTransfer(services, context, {
    sourceAccountId,
    destinationAccountId,
    amountInCents: 12_345,
  });
  clock.advance(HOUR_MS);
  expect(await readOutsideFigures(services)).toMatchObject({
    waitingProposals: 1,
    waitingInCents: 12_345,
    oldestProposalSeconds: 3_600,
  });
  await database.ownerPool.query("update proposals set state = 'EXPIRED', decided_at = $2 where id = $1", [
    id,
    clock.now(),
  ]);
  expect(await readOutsideFigures(services)).toMatchObject({ waitingProposals: 0, waitingInCents: 0 });
});
