import { createHmac } from "node:crypto";
import {
  eventsOf,
  type HistoryEvent,
  type OpenedOrganization,
  type Received,
  type Violation,
} from "@/proof/torture/checker/history";
import type { Database, TransferRow } from "@/proof/torture/checker/read-database";

const DELIVERED = "every event is delivered, only to its own organization";
const REPORTED = "every change of a transfer is an event";
const AUTHENTIC = "an event is signed by its endpoint's secret";
/** Of a delivery; the sender's clock may be wrong by some seconds. */
const MOST_SKEWED_SECONDS = 60;

/** Compares the receivers' records with what happened to the transfers. */
export function checkEvents(
  history: readonly HistoryEvent[],
  database: Database,
  opened: readonly OpenedOrganization[],
): Violation[] {
  const received = eventsOf(history, "received");
  const secrets = new Map(opened.flatMap(({ endpoints }) => endpoints.map(({ id, secret }) => [id, secret])));
  return [
    ...received.flatMap((one) => checkSignature(one, secrets.get(one.endpointId) ?? "")),
    ...checkDelivered(received, database),
    ...checkReported(database, opened),
  ];
}

function checkSignature(
  { signature, body, receivedAtSeconds, eventId }: Received,
  secret: string,
): Violation[] {
  const [, t = "", v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const mine = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  if (mine !== v1) return [{ promise: AUTHENTIC, what: `${eventId} is not` }];
  if (JSON.parse(body).id !== eventId)
    return [{ promise: AUTHENTIC, what: `${eventId} has another id inside` }];
  if (Math.abs(receivedAtSeconds - Number(t)) <= MOST_SKEWED_SECONDS) return [];
  return [{ promise: AUTHENTIC, what: `${eventId} was signed at ${t}, received at ${receivedAtSeconds}` }];
}

function checkDelivered(received: readonly Received[], { events }: Database): Violation[] {
  const taken = new Set(
    received.filter(({ answered }) => answered === 204).map((one) => `${one.organizationId} ${one.eventId}`),
  );
  const owners = new Map(events.map(({ id, organizationId }) => [id, organizationId]));
  const lost = events
    .filter(({ id, organizationId }) => !taken.has(`${organizationId} ${id}`))
    .map(({ id, resourceId }) => ({ promise: DELIVERED, what: `event ${id} of ${resourceId} never was` }));
  const strayed = received
    .filter(({ eventId, organizationId }) => owners.get(eventId) !== organizationId)
    .map(({ eventId, organizationId }) => ({
      promise: DELIVERED,
      what: `${eventId} came to ${organizationId}`,
    }));
  return [...lost, ...strayed];
}

/** As many events as it had states. */
function checkReported(database: Database, opened: readonly OpenedOrganization[]): Violation[] {
  const { transfers, events, proposals } = database;
  const before = new Set(opened.flatMap(({ openingTransferIds }) => openingTransferIds));
  const counts = new Map<string, number>();
  for (const { resourceId } of events) counts.set(resourceId, (counts.get(resourceId) ?? 0) + 1);
  const approvals = new Map(proposals.map(({ id, state }) => [id, state]));
  return transfers
    .filter(({ id, mode }) => mode === "LIVE" && !before.has(id))
    .flatMap((transfer) => {
      const isOfApprovedRun = approvals.get(transfer.executionId ?? "") === "APPROVED";
      const wanted = statesOf(transfer, approvals.get(transfer.id) ?? null, isOfApprovedRun);
      const count = counts.get(transfer.id) ?? 0;
      if (count === wanted) return [];
      return [
        {
          promise: REPORTED,
          what: `transfer ${transfer.id} is ${transfer.status} after ${count} events, not ${wanted}`,
        },
      ];
    });
}

function statesOf(
  { status, byKind, direction, acceptedAt }: TransferRow,
  approval: string | null,
  isOfApprovedRun: boolean,
): number {
  // A rule's run books between managed accounts at once, and creates what it cannot move as failed; an approved one is
  // accepted with the decision, and booked after it.
  const isMadeEnded =
    byKind === "RULE" && !isOfApprovedRun && (direction === "INTERNAL" || acceptedAt === null);
  const made = isMadeEnded ? 0 : 1;
  const asked = approval === "APPROVED" ? 1 : 0;
  return made + asked + (status === "RETURNED" ? 2 : 1);
}
