import type {
  CheckView,
  RuleProblem,
  RunProblem,
  SimilarTransferView,
} from "@/lib/contract/approvals/approval";
import { ruleHref, runHref } from "@/lib/contract/hrefs";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { movementHref } from "@/lib/contract/search/movement-search";
import type {
  ApprovalFacts,
  RunApprovalFacts,
  TransferApprovalFacts,
} from "@/lib/core/approvals/approval-facts";
import { approvableMoves, type ProposalFacts } from "@/lib/core/approvals/proposal-facts";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { SimilarTransfer } from "@/lib/core/approvals/transfer-subject";
import { covers, permissionIn, transferGrant } from "@/lib/core/shared/permits";

/**
 * The checks of an approval screen, in order. Pure; their outcomes are part of the digest
 * (docs/behavior/approvals.md).
 */
export function runChecks(facts: ApprovalFacts): CheckView[] {
  const own = facts.kind === "TRANSFER" ? checkTransfer(facts) : checkRun(facts);
  const checks = facts.payees.length === 0 ? own : [payees(facts), ...own];
  return facts.lookAlikes.length === 0
    ? checks
    : [...checks, { kind: "LOOK_ALIKE", outcome: "LOOK", names: facts.lookAlikes }];
}

function payees(facts: ApprovalFacts): CheckView {
  const isNew = facts.payees.some(({ novelty, coolsOffUntil }) => novelty !== null || coolsOffUntil !== null);
  return {
    kind: "PAYEE",
    outcome: isNew ? "LOOK" : "CLEAR",
    payees: facts.payees.map(
      ({ name, isOwn, accountNumberLast4, novelty, confirmedAt, coolsOffUntil, ...payee }) => ({
        name,
        isOwn,
        accountNumberLast4,
        novelty,
        confirmedAt: confirmedAt.toISOString(),
        coolsOffUntil: coolsOffUntil?.toISOString() ?? null,
        waits:
          facts.kind === "TRANSFER" &&
          payee.mayLeaveInCents !== null &&
          facts.amountInCents > payee.mayLeaveInCents,
      }),
    ),
  };
}

/** A route with fewer transfers than this has no usual amount. */
const MINIMUM_ROUTE_HISTORY = 3;

function checkTransfer(facts: TransferApprovalFacts): CheckView[] {
  return [
    lessThanProposed(facts),
    aboveDailyCap(facts),
    outsideMandate(facts),
    enoughMoney(facts),
    outgoingCap(facts),
    keyLimit(facts),
    assistantMayAsk(facts),
    floor(facts),
    knownRoute(facts),
    similarLately(facts),
    usualAmount(facts),
    externalId(facts),
    sameDocument(facts),
  ].filter((check) => check !== null);
}

/** Null: all of it moves. */
function lessThanProposed({
  requestedAmountInCents,
  amountInCents,
}: TransferApprovalFacts): CheckView | null {
  if (requestedAmountInCents === null) return null;
  return { kind: "LESS", outcome: "LOOK", requestedAmountInCents, amountInCents };
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

/** Null: as much may leave as there is. */
function outgoingCap({ outgoing, amountInCents }: TransferApprovalFacts): CheckView | null {
  if (!outgoing) return null;
  const { capInCents, leftInCents } = outgoing;
  const outcome = amountInCents <= leftInCents ? "CLEAR" : "BLOCKS";
  return { kind: "OUTGOING_CAP", outcome, capInCents, leftInCents, amountInCents };
}

function keyLimit(facts: TransferApprovalFacts): CheckView | null {
  if (!facts.key || facts.proposedBy.kind === "ASSISTANT") return null;
  const manualTransfer = permissionIn(facts.key.permissions, "MANUAL_TRANSFER");
  const grant = manualTransfer && transferGrant(manualTransfer, facts.source.id, facts.destination.id);
  const limitInCents = grant?.maximumAmountInCents ?? null;
  const isWithin = limitInCents !== null && facts.amountInCents <= limitInCents;
  return {
    kind: "KEY_LIMIT",
    outcome: grant !== null && limitInCents === null ? "UNCHECKED" : isWithin ? "CLEAR" : "LOOK",
    keyName: facts.proposedBy.name,
    limitInCents,
    amountInCents: facts.amountInCents,
  };
}

/** A person may approve going below the floor, but sees it. */
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
    isMore: facts.route.isMore,
    firstAt: facts.route.firstAt?.toISOString() ?? null,
    lastAt: facts.route.lastAt?.toISOString() ?? null,
  };
}

function similarLately({
  similarLately: { count, sameAmountCount, closest },
}: TransferApprovalFacts): CheckView {
  return {
    kind: "SIMILAR_LATELY",
    outcome: count > 0 ? "LOOK" : "CLEAR",
    transferCount: count,
    sameAmountCount,
    closest: closest && describeSimilar(closest),
  };
}

function describeSimilar({ id, status, createdAt, ...transfer }: SimilarTransfer): SimilarTransferView {
  const isWaiting = status === "APPROVAL_PENDING";
  return {
    ...transfer,
    href: isWaiting ? proposalHref(id) : movementHref("TRANSFERS", id),
    isWaiting,
    at: createdAt.toISOString(),
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
  const { amountInCents } = facts;
  return {
    kind: "USUAL_AMOUNT",
    outcome: amountInCents < lowInCents || amountInCents > highInCents ? "LOOK" : "CLEAR",
    usualLowInCents: lowInCents,
    usualHighInCents: highInCents,
    amountInCents,
    timesMedian: amountInCents / medianInCents,
  };
}

/** Null: its program gave none. */
function externalId({ labels, sameExternalId }: TransferApprovalFacts): CheckView | null {
  if (labels.externalId === null) return null;
  return {
    kind: "EXTERNAL_ID",
    outcome: sameExternalId === null ? "CLEAR" : "LOOK",
    externalId: labels.externalId,
    otherHref: sameExternalId && movementHref("TRANSFERS", sameExternalId),
  };
}

function sameDocument({ documents }: TransferApprovalFacts): CheckView | null {
  if (documents.length === 0) return null;
  const repeated = documents.find(({ alsoOnTransferId }) => alsoOnTransferId !== null);
  return {
    kind: "SAME_DOCUMENT",
    outcome: repeated ? "LOOK" : "CLEAR",
    documentName: repeated?.name ?? null,
    otherHref: repeated?.alsoOnTransferId ? proposalHref(repeated.alsoOnTransferId) : null,
  };
}

function checkRun(facts: RunApprovalFacts): CheckView[] {
  return [
    aboveDailyCap(facts),
    keyMayRun(facts),
    assistantMayAsk(facts),
    ruleRuns(facts),
    money(facts),
    floors(facts),
    notRunTwice(facts),
    newerVersion(facts),
  ].filter((check) => check !== null);
}

function keyMayRun({ key, rule, proposedBy, aboveCap }: RunApprovalFacts): CheckView | null {
  // A run held by a cap was already permitted to the key, or was triggered by an arrival.
  if (!key || proposedBy.kind === "ASSISTANT" || aboveCap) return null;
  const rules = permissionIn(key.permissions, "TRIGGER_RULES")?.rules ?? [];
  const isAllowed = covers(rules, rule.id);
  return {
    kind: "KEY_MAY_RUN",
    outcome: isAllowed ? "CLEAR" : "LOOK",
    keyName: proposedBy.name,
    ruleName: rule.name,
    ruleCount: rules === "ALL" ? null : rules.length,
    isAllowed,
  };
}

function ruleRuns(facts: RunApprovalFacts): CheckView {
  const problem = ruleProblem(facts);
  return {
    kind: "RULE_RUNS",
    outcome: problem === null ? "CLEAR" : "BLOCKS",
    problem,
    version: facts.version,
    activeVersion: facts.rule.activeVersion,
  };
}

function ruleProblem({ rule, version, definition }: RunApprovalFacts): RuleProblem | null {
  if (rule.isDeleted) return "DELETED";
  if (definition === null) return "UNREADABLE";
  if (rule.activeVersion === null) return "DEACTIVATED";
  if (rule.activeVersion !== version) return "OTHER_VERSION";
  return rule.isPaused ? "PAUSED" : null;
}

function money(facts: RunApprovalFacts): CheckView | null {
  if (facts.definition === null) return null;
  const problem = runProblem(facts);
  return {
    kind: "RUN_MONEY",
    outcome: problem === null ? "CLEAR" : "BLOCKS",
    sources: takenFrom(facts).map(({ account, takesInCents }) => ({
      accountName: account.name,
      availableInCents: account.availableInCents,
      takesInCents,
    })),
    problem,
  };
}

function runProblem({ missing, plan, accounts }: RunApprovalFacts): RunProblem | null {
  if (missing) {
    const accountName = missing.accountId === null ? null : (accounts[missing.accountId]?.name ?? null);
    return { kind: "UNKNOWN", fact: missing.fact, accountName };
  }
  for (const move of plan?.moves ?? []) {
    if (move.outcome !== "FAILED") continue;
    return {
      kind: "FAILS",
      code: move.errorCode ?? "INSUFFICIENT_FUNDS",
      sourceName: accounts[move.sourceAccountId]?.name ?? "",
      destinationName: accounts[move.destinationAccountId]?.name ?? "",
      amountInCents: move.amountInCents,
    };
  }
  return null;
}

/** What the plan takes from each account, in plan order. */
function takenFrom({ plan, accounts }: Pick<RunApprovalFacts, "plan" | "accounts">) {
  const taken = new Map<string, number>();
  for (const move of plan?.moves ?? []) {
    if (move.outcome !== "MOVE") continue;
    taken.set(move.sourceAccountId, (taken.get(move.sourceAccountId) ?? 0) + move.amountInCents);
  }
  return [...taken].flatMap(([id, takesInCents]): { account: AccountFacts; takesInCents: number }[] => {
    const account = accounts[id];
    return account ? [{ account, takesInCents }] : [];
  });
}

/** A person may approve going below a floor, but sees it. Null for a plan that cannot be approved. */
function floors(facts: RunApprovalFacts): CheckView | null {
  if (approvableMoves(facts.plan) === null) return null;
  const accounts = takenFrom(facts).flatMap(({ account, takesInCents }) => {
    const { name, floorInCents, availableInCents } = account;
    if (floorInCents === null || availableInCents === null) return [];
    return [{ accountName: name, floorInCents, afterInCents: availableInCents - takesInCents }];
  });
  if (accounts.length === 0) return null;
  const isBelow = accounts.some(({ afterInCents, floorInCents }) => afterInCents < floorInCents);
  return { kind: "RUN_FLOORS", outcome: isBelow ? "LOOK" : "CLEAR", accounts };
}

function notRunTwice({ otherRuns, rule }: RunApprovalFacts): CheckView {
  const { latest } = otherRuns;
  return {
    kind: "NOT_RUN_TWICE",
    outcome: otherRuns.latelyCount > 0 ? "LOOK" : "CLEAR",
    runCount: otherRuns.latelyCount,
    latest: latest && {
      href: latest.isWaiting ? proposalHref(latest.id) : runHref(rule.id, latest.id),
      isWaiting: latest.isWaiting,
    },
    lastAt: otherRuns.lastAt?.toISOString() ?? null,
  };
}

function newerVersion({ rule, version }: RunApprovalFacts): CheckView | null {
  if (rule.isDeleted || rule.latestVersion <= version || rule.activeVersion !== version) return null;
  return {
    kind: "NEWER_VERSION",
    outcome: "LOOK",
    version,
    latestVersion: rule.latestVersion,
    ruleHref: ruleHref(rule.id),
  };
}

/**
 * The daily cap that held it, with the amount used at that time; it never changes, because the proposal records both.
 * Null: it waits for another reason.
 */
function aboveDailyCap({
  aboveCap,
  proposedBy,
}: Pick<ProposalFacts, "aboveCap" | "proposedBy">): CheckView | null {
  return aboveCap && { kind: "DAILY_CAP", outcome: "LOOK", keyName: proposedBy.name, ...aboveCap };
}

/** Why it was not accepted under a mandate, as it was when it was proposed. Null: its key has none on this route. */
function outsideMandate({ outsideMandate: broken }: Pick<ProposalFacts, "outsideMandate">): CheckView | null {
  return broken && { kind: "OUTSIDE_MANDATE", outcome: "LOOK", ...broken };
}

/**
 * Whether the assistant could still propose this: it has its member's permissions, whose role may have changed since.
 * Null: the requester is not an assistant.
 */
function assistantMayAsk({ key, proposedBy }: Pick<ProposalFacts, "key" | "proposedBy">): CheckView | null {
  if (!key || proposedBy.kind !== "ASSISTANT") return null;
  const { createdByName: memberName, memberRole } = key;
  const mayAsk = memberRole === "OWNER" || memberRole === "CO_OWNER";
  return {
    kind: "ASSISTANT_MAY_ASK",
    outcome: mayAsk ? "CLEAR" : "LOOK",
    assistantName: proposedBy.name,
    memberName,
    memberRole,
  };
}
