import type { CheckOutcome } from "@/lib/contract/approvals/approval";
import type { BatchMoney, SourceOutcome } from "@/lib/contract/approvals/batch-money";
import { formatCents } from "@/lib/contract/format-cents";
import type { BatchApprovalView, BatchLineView } from "@/lib/views/approvals/get-batch-approval";
import { COUNTED_FLAGS } from "@/lib/words/batch-words";

/** One check of what is left of a batch, in words. */
export interface BatchCheck {
  key: string;
  outcome: CheckOutcome;
  title: string;
  text: string;
  result: string;
}

/** More accounts with several lines than these are counted. */
const MAXIMUM_GROUPS = 5;

const OWN_ROW: ReadonlySet<string> = new Set(Object.values(COUNTED_FLAGS));

/**
 * The checks of a batch without its struck lines. Pure.
 * @param money of what is left
 */
export function batchChecks(
  { lines, shared: { requester } }: BatchApprovalView,
  struck: ReadonlySet<number>,
  money: BatchMoney,
): BatchCheck[] {
  const left = lines.filter(({ line }) => !struck.has(line));
  return [
    ...money.sources.map(sourceCheck),
    ...outgoingCheck(money),
    ...sameAccounts(lines, struck),
    ...newPayees(left),
    ...otherFlags(left),
    ...(requester.kind === "API_KEY" ? [withinLimit(left, requester.name)] : []),
    notSentTwice(left),
  ];
}

function sourceCheck(source: SourceOutcome): BatchCheck {
  const {
    accountId: key,
    accountName,
    outcome,
    takesInCents,
    afterInCents,
    floorInCents,
    shortAtLine,
  } = source;
  if (shortAtLine !== null) {
    const isKnown = afterInCents !== null && afterInCents < 0;
    return {
      key,
      outcome,
      title: `${accountName} does not have enough`,
      text: `Line ${shortAtLine} is the first for which there is not enough. Strike out lines, or wait for money.`,
      result: isKnown ? `${formatCents(-afterInCents)} short` : "Not enough",
    };
  }
  const holds = afterInCents === null ? "" : `${accountName} will hold ${formatCents(afterInCents)}.`;
  if (floorInCents === null || afterInCents === null) {
    return {
      key,
      outcome,
      title: `${accountName} has enough`,
      text: holds,
      result: `${formatCents(takesInCents)} leaves it`,
    };
  }
  const margin = formatCents(Math.abs(afterInCents - floorInCents));
  const isBelow = outcome === "LOOK";
  return {
    key,
    outcome,
    title: isBelow ? `${accountName} falls below its floor` : `${accountName} stays above its floor`,
    text: `The floor is ${formatCents(floorInCents)}. ${holds}`,
    result: `${margin} ${isBelow ? "below" : "above"}`,
  };
}

function outgoingCheck({ outgoing }: BatchMoney): BatchCheck[] {
  if (!outgoing) return [];
  const { outcome, capInCents, leftInCents, leavesInCents } = outgoing;
  const isWithin = outcome === "CLEAR";
  return [
    {
      key: "outgoing",
      outcome,
      title: isWithin ? "Within what may leave Sluice" : "Above what may leave Sluice",
      text: `At most ${formatCents(capInCents)} may leave within 24 hours; these lines send ${formatCents(leavesInCents)}.`,
      result: isWithin
        ? `${formatCents(leftInCents - leavesInCents)} to spare`
        : `${formatCents(leavesInCents - leftInCents)} too much`,
    },
  ];
}

/** Lines that pay one account: with one of them left, there is nothing to look at any more. */
/** ` Line 3 is struck out.`, perhaps by someone who signed before. */
function struckWords(out: readonly number[]): string {
  if (out.length === 0) return "";
  return out.length === 1 ? ` Line ${inWords(out)} is struck out.` : ` Lines ${inWords(out)} are struck out.`;
}

function sameAccounts(lines: readonly BatchLineView[], struck: ReadonlySet<number>): BatchCheck[] {
  const groups = lines
    .filter(({ line, sameAccountLines: [first] }) => first !== undefined && line < first)
    .map((line) => [line.line, ...line.sameAccountLines]);
  const shown = groups.slice(0, MAXIMUM_GROUPS).map((group): BatchCheck => {
    const isLeft = group.filter((line) => !struck.has(line)).length;
    const name = lines.find(({ line }) => line === group[0])?.destinationName ?? "";
    const out = group.filter((line) => struck.has(line));
    return {
      key: `same ${group[0]}`,
      outcome: isLeft > 1 ? "LOOK" : "CLEAR",
      title: `${group.length === 2 ? "Two" : group.length} lines go to one account`,
      text: `Lines ${inWords(group)} pay the account of ${name}.${struckWords(out)}`,
      result: `${isLeft} left`,
    };
  });
  const more = groups.length - shown.length;
  if (more <= 0) return shown;
  return [
    ...shown,
    {
      key: "same more",
      outcome: "LOOK",
      title: `${more} more accounts have several lines`,
      text: "The lines say which.",
      result: "",
    },
  ];
}

function newPayees(left: readonly BatchLineView[]): BatchCheck[] {
  const fresh = left.filter(({ isNewPayee }) => isNewPayee);
  if (fresh.length === 0) return [];
  const names = [...new Set(fresh.map(({ destinationName }) => destinationName))];
  return [
    {
      key: "new payees",
      outcome: "LOOK",
      title: names.length === 1 ? "1 payee is new or changed" : `${names.length} payees are new or changed`,
      text: `${capitalized(linesInWords(fresh.map(({ line }) => line)))}: ${listed(names)}.`,
      result: formatCents(sumOf(fresh)),
    },
  ];
}

function otherFlags(left: readonly BatchLineView[]): BatchCheck[] {
  const byFlag = new Map<string, number[]>();
  for (const { line, flags } of left) {
    for (const flag of flags) if (!OWN_ROW.has(flag)) byFlag.set(flag, [...(byFlag.get(flag) ?? []), line]);
  }
  return [...byFlag].map(([flag, numbers]) => ({
    key: flag,
    outcome: "LOOK",
    title: flag,
    text: `${capitalized(linesInWords(numbers))}.`,
    result: numbers.length === 1 ? "1 line" : `${numbers.length} lines`,
  }));
}

function withinLimit(left: readonly BatchLineView[], keyName: string): BatchCheck {
  const above = left.filter(({ isWithinLimit }) => !isWithinLimit);
  if (above.length === 0) {
    return {
      key: "limit",
      outcome: "CLEAR",
      title: "Within the key’s limit",
      text: `${keyName} may move each line’s amount on its route.`,
      result: "All lines",
    };
  }
  return {
    key: "limit",
    outcome: "LOOK",
    title: "Above the key’s limit",
    text: `${capitalized(linesInWords(above.map(({ line }) => line)))} of ${keyName}.`,
    result: formatCents(sumOf(above)),
  };
}

function notSentTwice(left: readonly BatchLineView[]): BatchCheck {
  const again = left.filter(
    ({ isLikeOther, sameAccountLines }) => isLikeOther && sameAccountLines.length === 0,
  );
  if (again.length === 0) {
    return {
      key: "twice",
      outcome: "CLEAR",
      title: "Not sent twice",
      text: "No other transfer like these in the last 24 hours.",
      result: "None found",
    };
  }
  return {
    key: "twice",
    outcome: "LOOK",
    title: "Possible duplicates",
    text: `${capitalized(linesInWords(again.map(({ line }) => line)))}: another transfer of that amount in the last 24 hours.`,
    result: again.length === 1 ? "1 line" : `${again.length} lines`,
  };
}

const sumOf = (lines: readonly BatchLineView[]) =>
  lines.reduce((sum, { amountInCents }) => sum + amountInCents, 0);

/** More than these are counted. */
const LISTED = 8;

const listed = (names: readonly string[]) =>
  names.length <= LISTED
    ? inWords(names)
    : `${names.slice(0, LISTED).join(", ")} and ${names.length - LISTED} more`;

/** `line 4`; `lines 4 and 28`; `lines 1, 2 and 12 more` */
export function linesInWords(numbers: readonly number[]): string {
  if (numbers.length === 1) return `line ${numbers[0]}`;
  if (numbers.length <= LISTED) return `lines ${inWords(numbers)}`;
  return `lines ${numbers.slice(0, LISTED).join(", ")} and ${numbers.length - LISTED} more`;
}

function inWords(parts: readonly (string | number)[]): string {
  const [last, ...before] = [...parts].reverse();
  return before.length === 0 ? String(last ?? "") : `${before.reverse().join(", ")} and ${last}`;
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `3 clear, 2 to look at` */
export function batchChecksSummary(checks: readonly BatchCheck[]): string {
  const count = (outcome: CheckOutcome) => checks.filter((check) => check.outcome === outcome).length;
  const blocking = count("BLOCKS");
  return [
    blocking > 0 ? `${blocking} to solve` : null,
    `${count("CLEAR")} clear`,
    count("LOOK") > 0 ? `${count("LOOK")} to look at` : null,
  ]
    .filter((part) => part !== null)
    .join(", ");
}
