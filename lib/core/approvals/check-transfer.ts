import type { CheckView } from "@/lib/contract/views/approval-view";
import type { TransferApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { assistantMayAsk } from "@/lib/core/approvals/check-assistant";
import { aboveDailyCap } from "@/lib/core/approvals/check-cap";
import { permissionIn, transferGrant } from "@/lib/core/shared/permits";

/** A route with fewer transfers than this has no usual amount. */
const MINIMUM_ROUTE_HISTORY = 3;
/** From this many times the median on, and outside the middle half, an amount is worth a look. */
const UNUSUAL_FACTOR = 1.5;

/** The checks of a proposed transfer, in their order. Pure. */
export function checkTransfer(facts: TransferApprovalFacts): CheckView[] {
  return [
    aboveDailyCap(facts),
    enoughMoney(facts),
    keyLimit(facts),
    assistantMayAsk(facts),
    floor(facts),
    knownRoute(facts),
    similarLately(facts),
    usualAmount(facts),
  ].filter((check) => check !== null);
}

function enoughMoney(facts: TransferApprovalFacts): CheckView {
  const { availableInCents } = facts.source;
  const isEnough = availableInCents !== null && availableInCents >= facts.amountInCents;
  return {
    kind: "ENOUGH_MONEY",
    outcome: isEnough ? "CLEAR" : "BLOCKS",
    accountName: facts.source.name,
    availableInCents,
    amountInCents: facts.amountInCents,
  };
}

function keyLimit(facts: TransferApprovalFacts): CheckView | null {
  if (!facts.key || facts.proposedBy.kind === "ASSISTANT") return null;
  const manualTransfer = permissionIn(facts.key.permissions, "MANUAL_TRANSFER");
  const grant = manualTransfer && transferGrant(manualTransfer, facts.source.id, facts.destination.id);
  const limitInCents = grant?.maximumAmountInCents ?? null;
  const isWithin = grant !== null && (limitInCents === null || facts.amountInCents <= limitInCents);
  return {
    kind: "KEY_LIMIT",
    outcome: isWithin ? "CLEAR" : "LOOK",
    keyName: facts.proposedBy.name,
    limitInCents,
    amountInCents: facts.amountInCents,
  };
}

/** A human may go below the floor, and is shown that it happens. */
function floor(facts: TransferApprovalFacts): CheckView | null {
  const { floorInCents, availableInCents, balanceInCents } = facts.source;
  if (floorInCents === null || availableInCents === null) return null;
  const afterInCents = availableInCents - facts.amountInCents;
  return {
    kind: "FLOOR",
    outcome: afterInCents >= floorInCents ? "CLEAR" : "LOOK",
    accountName: facts.source.name,
    floorInCents,
    afterInCents,
    onItsWayInCents: (balanceInCents ?? availableInCents) - availableInCents,
  };
}

function knownRoute(facts: TransferApprovalFacts): CheckView {
  return {
    kind: "KNOWN_ROUTE",
    outcome: facts.route.count > 0 ? "CLEAR" : "LOOK",
    transferCount: facts.route.count,
    firstAt: facts.route.firstAt?.toISOString() ?? null,
    lastAt: facts.route.lastAt?.toISOString() ?? null,
  };
}

function similarLately(facts: TransferApprovalFacts): CheckView {
  return {
    kind: "SIMILAR_LATELY",
    outcome: facts.similarLately.count > 0 ? "LOOK" : "CLEAR",
    transferCount: facts.similarLately.count,
    lastAt: facts.similarLately.lastAt?.toISOString() ?? null,
  };
}

function usualAmount(facts: TransferApprovalFacts): CheckView | null {
  const { count, lowInCents, medianInCents, highInCents } = facts.route;
  if (
    count < MINIMUM_ROUTE_HISTORY ||
    lowInCents === null ||
    medianInCents === null ||
    highInCents === null
  ) {
    return null;
  }
  const timesMedian = facts.amountInCents / medianInCents;
  const isUnusual = facts.amountInCents > highInCents && timesMedian >= UNUSUAL_FACTOR;
  return {
    kind: "USUAL_AMOUNT",
    outcome: isUnusual ? "LOOK" : "CLEAR",
    usualLowInCents: lowInCents,
    usualHighInCents: highInCents,
    timesMedian,
  };
}
