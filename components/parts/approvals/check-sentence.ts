import type { Blocked } from "@/components/parts/approvals/decision-notice";
import { type CheckSentence, runCheckSentence } from "@/components/parts/approvals/run-check-sentence";
import { whyNoSignature } from "@/components/parts/approvals/signing-words";
import { formatInSentence, formatShortDay, formatWeekdayMoment } from "@/components/time/format-instant";
import type { CheckView } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { ApprovalView } from "@/lib/views/approvals/get-approval";
import { lookAlikeWords } from "@/lib/words/look-alike-words";
import { breachWords } from "@/lib/words/mandates/breach-words";

/** What a check's sentence needs from its page. */
type CheckSetting = { time: TimeContext } & (
  | { kind: "TRANSFER"; source: { name: string }; destination: { name: string } }
  | { kind: "RULE_RUN" }
);

/** One check in words: numbers, not adjectives. */
export function checkSentence(check: CheckView, view: CheckSetting): CheckSentence {
  const route = view.kind === "TRANSFER" ? `from ${view.source.name} to ${view.destination.name}` : "";
  switch (check.kind) {
    case "DAILY_CAP":
      return dailyCap(check);
    case "OUTSIDE_MANDATE":
      return outsideMandate(check, view);
    case "KEY_LIMIT":
      return keyLimit(check, route);
    case "ASSISTANT_MAY_ASK":
      return assistantMayAsk(check);
    case "LESS":
      return lessThanProposed(check);
    case "ENOUGH_MONEY":
      return enoughMoney(check);
    case "OUTGOING_CAP":
      return outgoingCap(check);
    case "FLOOR":
      return floor(check);
    case "KNOWN_ROUTE":
      return knownRoute(check, route, view.time);
    case "SIMILAR_LATELY":
      return similarLately(check, view);
    case "USUAL_AMOUNT":
      return usualAmount(check);
    case "EXTERNAL_ID":
      return externalId(check);
    case "SAME_DOCUMENT":
      return sameDocument(check);
    case "PAYEE":
      return paidPayees(check, view.time);
    case "LOOK_ALIKE":
      return lookAlike(check);
    default:
      return runCheckSentence(check, view.time);
  }
}

type CheckOf<Kind extends CheckView["kind"]> = Extract<CheckView, { kind: Kind }>;

function lessThanProposed({ requestedAmountInCents, amountInCents }: CheckOf<"LESS">): CheckSentence {
  const rest = formatCents(requestedAmountInCents - amountInCents);
  return {
    title: "Less than proposed",
    keyName: null,
    text: `${rest} of the proposed ${formatCents(requestedAmountInCents)} does not move.`,
    result: `${rest} less`,
  };
}

function dailyCap({ keyName, capInCents, usedInCents }: CheckOf<"DAILY_CAP">): CheckSentence {
  const leftInCents = Math.max(0, capInCents - usedInCents);
  return {
    title: `Above this key’s daily cap of ${formatCents(capInCents)}`,
    keyName,
    text: ` had already moved ${formatCents(usedInCents)} without approval in the 24 hours before. Amounts above the cap need approval; approved amounts don’t count toward it.`,
    result: `${formatCents(leftInCents)} was left`,
  };
}

function outsideMandate(check: CheckOf<"OUTSIDE_MANDATE">, view: CheckSetting): CheckSentence {
  const sourceName = view.kind === "TRANSFER" ? view.source.name : "The source";
  return {
    title: "Outside its mandate",
    keyName: null,
    text: `${breachWords(check, { on: null, sourceName })}.`,
    result: "Outside",
  };
}

function outgoingCap({ outcome, capInCents, leftInCents }: CheckOf<"OUTGOING_CAP">): CheckSentence {
  const cap = formatCents(capInCents);
  return outcome === "CLEAR"
    ? {
        title: "Within what may leave Sluice in 24 hours",
        keyName: null,
        text: `At most ${cap} may leave within 24 hours.`,
        result: `${formatCents(leftInCents)} is left`,
      }
    : {
        title: "More than may leave Sluice in 24 hours",
        keyName: null,
        text: `At most ${cap} may leave within 24 hours. Approve it later, or ask an owner to change the cap in Settings.`,
        result: `${formatCents(leftInCents)} is left`,
      };
}

function keyLimit(
  { outcome, keyName, limitInCents, amountInCents }: CheckOf<"KEY_LIMIT">,
  route: string,
): CheckSentence {
  if (limitInCents === null && outcome === "LOOK") {
    return {
      title: "The key may no longer use this route",
      keyName,
      text: ` was allowed to move money ${route} when it proposed this.`,
      result: "Not allowed",
    };
  }
  if (limitInCents === null) {
    return {
      title: "The key has no limit here",
      keyName,
      text: ` may move any amount ${route}.`,
      result: "No limit",
    };
  }
  const spareInCents = limitInCents - amountInCents;
  return {
    title: spareInCents < 0 ? "Above the key’s limit" : "Within the key’s limit",
    keyName,
    text: ` may move up to ${formatCents(limitInCents)} ${route}.`,
    result:
      spareInCents < 0 ? `${formatCents(-spareInCents)} above` : `${formatCents(spareInCents)} to spare`,
  };
}

function assistantMayAsk({
  outcome,
  assistantName,
  memberName,
  memberRole,
}: CheckOf<"ASSISTANT_MAY_ASK">): CheckSentence {
  if (outcome === "CLEAR") {
    return {
      title: "It can only propose",
      keyName: assistantName,
      text: ` has no limit because everything it proposes needs approval. ${memberName} connected it.`,
      result: "Always needs approval",
    };
  }
  const since =
    memberRole === null
      ? `${memberName}, who connected it, is no longer a member`
      : `${memberName}, who connected it, is no longer an owner or co-owner`;
  return {
    title: "The assistant may no longer propose",
    keyName: assistantName,
    text: ` was allowed to when it proposed this. ${since}.`,
    result: memberRole === null ? "No access" : "Read only",
  };
}

function enoughMoney({
  accountName,
  availableInCents,
  amountInCents,
}: CheckOf<"ENOUGH_MONEY">): CheckSentence {
  if (availableInCents === null) {
    return {
      title: `The balance of ${accountName} is unknown`,
      keyName: null,
      text: "Its bank has not reported it. Sluice asks again before money moves.",
      result: "Unknown",
    };
  }
  const spareInCents = availableInCents - amountInCents;
  return {
    title: spareInCents < 0 ? `${accountName} doesn’t have enough` : `${accountName} has enough`,
    keyName: null,
    text: `${formatCents(availableInCents)} is available; this moves ${formatCents(amountInCents)}.`,
    result: spareInCents < 0 ? `${formatCents(-spareInCents)} short` : `${formatCents(spareInCents)} left`,
  };
}

function floor({
  accountName,
  floorInCents,
  afterInCents,
  onItsWayInCents,
}: CheckOf<"FLOOR">): CheckSentence {
  const onItsWay = onItsWayInCents > 0 ? ` after ${formatCents(onItsWayInCents)} already on its way` : "";
  const aboveInCents = afterInCents - floorInCents;
  return {
    title: aboveInCents < 0 ? `${accountName} falls below its floor` : `${accountName} stays above its floor`,
    keyName: null,
    text: `The floor is ${formatCents(floorInCents)}. ${accountName} will hold ${formatCents(afterInCents)}${onItsWay}.`,
    result: aboveInCents < 0 ? `${formatCents(-aboveInCents)} below` : `${formatCents(aboveInCents)} above`,
  };
}

function knownRoute(
  { transferCount, isMore, firstAt, lastAt }: CheckOf<"KNOWN_ROUTE">,
  route: string,
  time: TimeContext,
): CheckSentence {
  if (transferCount === 0 || !firstAt || !lastAt) {
    return {
      title: "First time on this route",
      keyName: null,
      text: `Nothing has moved ${route} before.`,
      result: "None before",
    };
  }
  const transfers =
    transferCount === 1 ? "1 transfer" : `${isMore ? "The latest " : ""}${transferCount} transfers`;
  const when =
    transferCount === 1
      ? `on ${formatShortDay(lastAt, time)}`
      : `since ${formatShortDay(firstAt, time)}, most recently on ${formatShortDay(lastAt, time)}`;
  return {
    title: "Known route",
    keyName: null,
    text: `${transfers} ${route} ${when}.`,
    result: `${transferCount}${isMore ? "+" : ""} before`,
  };
}

function similarLately(
  { transferCount, sameAmountCount, closest }: CheckOf<"SIMILAR_LATELY">,
  view: CheckSetting,
): CheckSentence {
  if (closest === null) {
    const ends = view.kind === "RULE_RUN" ? "" : ` from ${view.source.name} or to ${view.destination.name}`;
    return {
      title: "Nothing similar in the last 24\u00a0hours",
      keyName: null,
      text: `No other transfer of this amount${ends}, and none on this route.`,
      result: "None found",
    };
  }
  const { amountInCents, sourceName, destinationName, isWaiting } = closest;
  const when = formatInSentence(closest.at, view.time);
  const end = isWaiting ? `proposed ${when}, also needs a decision.` : `requested ${when}.`;
  const moreCount = transferCount - 1;
  const more = moreCount === 0 ? "" : ` ${moreCount} more ${moreCount === 1 ? "is" : "are"} similar.`;
  return {
    title:
      sameAmountCount > 0 ? "Possible duplicate" : "Another transfer on this route in the last 24\u00a0hours",
    keyName: null,
    text: `${formatCents(amountInCents)} from ${sourceName} to ${destinationName}, ${end}${more}`,
    link: { href: closest.href, label: isWaiting ? "Open the other proposal" : "View that transfer" },
    result: `${transferCount} found`,
  };
}

function usualAmount({
  outcome,
  usualLowInCents,
  usualHighInCents,
  amountInCents,
  timesMedian,
}: CheckOf<"USUAL_AMOUNT">): CheckSentence {
  const isLarge = amountInCents > usualHighInCents;
  return {
    title: outcome === "CLEAR" ? "A usual amount" : isLarge ? "Larger than usual" : "Smaller than usual",
    keyName: null,
    text: `Transfers on this route are usually between ${formatCents(usualLowInCents)} and ${formatCents(usualHighInCents)}.`,
    result: `${timesMedian.toFixed(1)} × the median`,
  };
}

function paidPayees({ payees }: CheckOf<"PAYEE">, time: TimeContext): CheckSentence {
  const fresh = payees.filter(({ novelty }) => novelty !== null);
  const isFirst = fresh.some(({ novelty }) => novelty === "FIRST");
  const named = fresh.length > 0 ? fresh : payees;
  const text = named
    .map(({ name, isOwn, accountNumberLast4, confirmedAt, coolsOffUntil, waits }) => {
      const cools =
        coolsOffUntil === null
          ? ""
          : ` ${waits ? "This payment leaves" : "Larger amounts leave"} no earlier than ${formatWeekdayMoment(coolsOffUntil, time)}.`;
      return `${name}, account ending in ${accountNumberLast4}, was ${isOwn ? "registered" : "confirmed"} ${formatInSentence(confirmedAt, time)}.${cools}`;
    })
    .join(" ");
  const what = named.every(({ isOwn }) => isOwn) ? "account" : "payee";
  if (fresh.length === 0) {
    const title = what === "payee" ? "A payee that was paid before" : "An account that was paid before";
    return { title, keyName: null, text, result: "Known" };
  }
  return {
    title: isFirst ? `First payment to this ${what}` : "First payment since this payee changed",
    keyName: null,
    text,
    result: isFirst ? "New" : "Changed",
  };
}

function externalId({ externalId: id, otherHref }: CheckOf<"EXTERNAL_ID">): CheckSentence {
  if (otherHref === null) {
    return {
      title: "The program’s ID is new",
      keyName: null,
      text: `No other transfer has the ID “${id}”.`,
      result: "None found",
    };
  }
  return {
    title: "The program used this ID before",
    keyName: null,
    text: `Another transfer has the same ID, “${id}”.`,
    link: { href: otherHref, label: "View that transfer" },
    result: "Used before",
  };
}

function sameDocument({ documentName, otherHref }: CheckOf<"SAME_DOCUMENT">): CheckSentence {
  if (otherHref === null) {
    return {
      title: "The document is new",
      keyName: null,
      text: "No other transfer carries the same file.",
      result: "None found",
    };
  }
  return {
    title: "Another transfer carries this document",
    keyName: null,
    text: `The file \u201c${documentName}\u201d is also on another transfer, whatever its name there.`,
    link: { href: otherHref, label: "View that transfer" },
    result: "Used before",
  };
}

function lookAlike({ names }: CheckOf<"LOOK_ALIKE">): CheckSentence {
  const result = names.length === 1 ? "1 name" : `${names.length} names`;
  return { ...lookAlikeWords(names), keyName: null, result };
}

/** `4 clear, 1 to review` */
export function checksSummary(checks: CheckView[]): string {
  const count = (outcome: CheckView["outcome"]) => checks.filter((check) => check.outcome === outcome).length;
  const parts = [`${count("CLEAR")} clear`];
  if (count("UNCHECKED") > 0) parts.push(`${count("UNCHECKED")} not checked`);
  if (count("LOOK") > 0) parts.push(`${count("LOOK")} to review`);
  if (count("BLOCKS") > 0) parts.push(`${count("BLOCKS")} blocking`);
  return parts.join(", ");
}

/** Null when it can be approved. */
export function blockedBecause(view: ApprovalView): Blocked | null {
  if (view.areGatesClosed) {
    return {
      title: "Not now.",
      text: "All gates are closed. Open them to approve; you can still deny.",
    };
  }
  const noSignature = whyNoSignature(view.signing);
  if (noSignature) return noSignature;
  const reasons = view.checks
    .filter(({ outcome }) => outcome === "BLOCKS")
    .map((check) => {
      const { title, keyName, text } = checkSentence(check, view);
      return `${title}. ${keyName ?? ""}${text}`;
    });
  return reasons.length > 0 ? { title: "It would fail.", text: reasons.join(" ") } : null;
}
