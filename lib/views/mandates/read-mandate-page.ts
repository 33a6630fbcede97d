import type { CheckOutcome } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import { narrowMandateHref, newMandateHref } from "@/lib/contract/hrefs";
import type { LookAlike } from "@/lib/contract/input/look-alike";
import { permissionsSchema } from "@/lib/contract/permissions";
import { readClosedGates } from "@/lib/core/keys/gates";
import { readKeyFacts } from "@/lib/core/keys/key-facts";
import { type KeyAccount, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readLiveRules } from "@/lib/core/keys/read-key-rules";
import { rulesThatFollow } from "@/lib/core/keys/rules-that-follow";
import type { Mandate } from "@/lib/core/mandates/read-mandates";
import { type MandateSigning, readMandateSigning } from "@/lib/core/mandates/sign-mandate";
import { readTimeZone } from "@/lib/core/organizations/read-time-zone";
import { readDecidedLookAlikes, readLookAlikeCallers } from "@/lib/core/shared/look-alikes";
import { mayDecide, permissionIn } from "@/lib/core/shared/permits";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import { backtestMandate } from "@/lib/engine/mandates/backtest-mandate";
import { worstCase } from "@/lib/engine/mandates/worst-case";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { mostThatCouldMove } from "@/lib/views/keys/most-that-could-move";
import {
  describeMandate,
  levelsOf,
  readMandateNames,
  standingOf,
} from "@/lib/views/mandates/describe-mandate";
import { mayHaveMandates } from "@/lib/views/mandates/list-key-mandates";
import { readMandateHistory } from "@/lib/views/mandates/read-mandate-history";
import { listUses, listWaitedInstead } from "@/lib/views/mandates/read-mandate-uses";
import { readPastTransfers } from "@/lib/views/mandates/read-past-transfers";
import { describeSigners } from "@/lib/views/policies/describe-signers";
import type { TimedReading } from "@/lib/views/reading";
import { lookAlikeWords } from "@/lib/words/look-alike-words";
import { breachWords } from "@/lib/words/mandates/breach-words";
import {
  accountsWords,
  type MandateNames,
  mandateChanges,
  mandateRows,
  mandateSentence,
  worstCaseBrief,
  worstCaseSentence,
} from "@/lib/words/mandates/mandate-sentence";

/** What the page of a mandate shows: one question while it waits for signatures, what is left once it is in use. */
export async function readMandatePage(reading: TimedReading<"pool" | "clock">, id: string) {
  const { services, context } = reading;
  const { organizationId, now } = context;
  const { pool } = services;
  const signing = await readMandateSigning(pool, { organizationId, now }, id);
  if (!signing) return null;
  const { mandate } = signing;
  const terms = mandate.askedTerms ? [mandate.terms, mandate.askedTerms] : [mandate.terms];
  const [names, accounts, closedGates] = await Promise.all([
    readMandateNames(pool, organizationId, terms),
    readKeyAccounts(pool, organizationId),
    readClosedGates(pool, organizationId),
  ]);
  const around = { now, areGatesClosed: closedGates !== null, accounts };
  const about = { mandate, signing, names, accounts };
  const common = {
    ...describeMandate(mandate, names),
    standing: standingOf(mandate, around),
    sentence: mandateSentence(mandate.terms, { names, today: calendarDate(now, mandate.timeZone) }),
    purpose: mandate.terms.purpose,
    proposedBy: mandate.proposedBy,
    createdAt: mandate.createdAt.toISOString(),
    reason: mandate.reason,
    signing: await describeSigning(reading, signing),
    /** Owners and co-owners but the viewer, who end it with one tap. */
    otherDeciders: signing.people
      .filter(
        ({ id: personId, role }) =>
          personId !== context.actor.id && (role === "OWNER" || role === "CO_OWNER"),
      )
      .map(({ name }) => name),
    viewer: { canDecide: mayDecide(context.actor) },
    time: reading.time,
  };
  return common.standing.kind === "WAITING"
    ? { kind: "ASKED" as const, ...common, ...(await readAsked(reading, about)) }
    : { kind: "USED" as const, ...common, ...(await readUsed(reading, about)) };
}

type MandatePageView = NonNullable<Awaited<ReturnType<typeof readMandatePage>>>;
/** It waits for signatures. */
export type AskedMandateView = Extract<MandatePageView, { kind: "ASKED" }>;
/** It is in use, or over. */
export type UsedMandateView = Extract<MandatePageView, { kind: "USED" }>;
export type MandateSigningView = MandatePageView["signing"];

interface About {
  mandate: Mandate;
  signing: MandateSigning;
  names: MandateNames;
  accounts: readonly KeyAccount[];
}

async function readAsked(reading: TimedReading<"pool" | "clock">, about: About) {
  const { mandate, names } = about;
  const { terms, askedTerms, timeZone } = mandate;
  const worst = worstCase(
    terms,
    timeZone,
    await readTimeZone(reading.services.pool, reading.context.organizationId),
  );
  return {
    expiresAt: mandate.expiresAt.toISOString(),
    narrowHref: narrowMandateHref(mandate.id),
    /** Amounts for the panel. */
    limits: mandateRows(terms, names).flatMap(({ part, label, value }) =>
      value !== null && PANEL_PARTS.has(part) ? [{ label, value }] : [],
    ),
    worst: {
      says: worstCaseSentence(terms, worst, names),
      brief: worstCaseBrief(worst),
      together: await readTogether(reading, about, worst.dayInCents),
    },
    changes: askedTerms === null ? [] : mandateChanges(askedTerms, terms, names),
    isOfProgram: askedTerms !== null,
    ...(await readChecked(reading, about)),
  };
}

const PANEL_PARTS: ReadonlySet<string> = new Set([
  "AMOUNT",
  "DAY",
  "WEEK",
  "MONTH",
  "THIRTY_DAYS",
  "TOTAL",
  "USES",
  "RECURRENCE",
]);

/** The most that its key could move in a day with it, and whether that is more than without. */
async function readTogether(
  { services, context }: TimedReading,
  { mandate, accounts }: About,
  dayInCents: number,
) {
  const permissions = await readPermissions(services.pool, context.organizationId, mandate.apiKeyId);
  const transfers = permissionIn(permissions, "MANUAL_TRANSFER");
  const live = await readLiveRules(services.pool, context.organizationId);
  const following = { runs: permissionIn(permissions, "TRIGGER_RULES"), live, oneRunInCents: {} };
  const without = mostThatCouldMove(transfers, accounts, following);
  const { sourceAccountIds, destinationAccountIds, maximumInCents, keepsInCents } = mandate.terms;
  const byItself = [{ sourceAccountIds, destinationAccountIds, maximumInCents, keepsInCents, dayInCents }];
  const together = mostThatCouldMove(transfers, accounts, following, byItself);
  return {
    /** Null: a balance is unknown. */
    totalInCents: together.totalInCents,
    isUnchanged: together.totalInCents === without.totalInCents,
    sources: accounts
      .filter(({ id }) => sourceAccountIds.includes(id))
      .map(({ name, availableInCents }) => ({ name, availableInCents })),
  };
}

async function readPermissions(database: Queryable, organizationId: string, keyId: string) {
  const { rows } = await database.query<{ permissions: unknown }>({
    name: "read_permissions_of_mandate",
    text: "select permissions from api_keys where organization_id = $1 and id = $2",
    values: [organizationId, keyId],
  });
  return permissionsSchema.parse(rows[0]?.permissions ?? []);
}

/** One fact to look at before signing. */
interface MandateCheckView {
  outcome: Extract<CheckOutcome, "CLEAR" | "LOOK">;
  title: string;
  text: string;
  result: string | null;
}

/** What it would have done in the last 90 days, and what else to know. */
async function readChecked({ services, context }: TimedReading, about: About) {
  const { mandate, names, accounts } = about;
  const { organizationId, now, actor } = context;
  const { pool } = services;
  const { apiKeyId, terms, timeZone } = mandate;
  const past = await readPastTransfers(pool, { organizationId, now, apiKeyId }, terms);
  const test = backtestMandate(terms, past.transfers, timeZone);
  const live = await readLiveRules(pool, organizationId);
  const alike = await readLookAlikes(pool, organizationId, mandate);
  const denied = test.denied.map(({ id, amountInCents, requestedAt }) => ({
    on: calendarDate(requestedAt, timeZone),
    amountInCents,
    byViewer: past.decisions.get(id)?.deniedById === actor.id,
    note: past.decisions.get(id)?.note ?? null,
  }));
  return {
    checks: [
      ...floorChecks(terms, accounts),
      ruleCheck(terms, accounts, live, names),
      ...lookAlikeChecks(alike),
    ] satisfies MandateCheckView[],
    backtest: {
      transferCount: test.transferCount,
      months: test.months.map(({ month, count, inCents }) => ({ month, count, inCents })),
      /** The month that has not ended. */
      today: calendarDate(now, timeZone),
      accepted: test.accepted,
      denied,
      waiting: test.waiting.map(({ transfer, breach }) => ({
        id: transfer.id,
        on: calendarDate(transfer.requestedAt, timeZone),
        amountInCents: transfer.amountInCents,
        because: breachWords(breach, {
          on: calendarDate(transfer.requestedAt, timeZone),
          period: terms.recurrence?.period ?? null,
          sourceName: accountsWords([transfer.sourceAccountId], names),
        }),
      })),
    },
  };
}

/** Of the names that a signer reads: its accounts and payees, their beneficiaries, and its key. */
async function readLookAlikes(
  database: Queryable,
  organizationId: string,
  { apiKeyId, terms }: Mandate,
): Promise<LookAlike[]> {
  const accountIds = [...terms.sourceAccountIds, ...terms.destinationAccountIds];
  const parties = await readDecidedLookAlikes(database, organizationId, { accountIds, rule: null });
  const key = (await readLookAlikeCallers(database, organizationId)).get(apiKeyId);
  return key ? [...parties, key] : parties;
}

function lookAlikeChecks(alike: readonly LookAlike[]): MandateCheckView[] {
  return alike.length === 0 ? [] : [{ outcome: "LOOK", ...lookAlikeWords(alike), result: null }];
}

function floorChecks(terms: Mandate["terms"], accounts: readonly KeyAccount[]): MandateCheckView[] {
  return accounts
    .filter(({ id }) => terms.sourceAccountIds.includes(id))
    .map(({ name, floorInCents }) => floorCheck(name, floorInCents, terms.keepsInCents));
}

function floorCheck(
  name: string,
  floorInCents: number | null,
  keepsInCents: number | null,
): MandateCheckView {
  if (floorInCents === null && keepsInCents === null) {
    return {
      outcome: "LOOK",
      title: `${name} has no floor`,
      text: "Within its limits, this mandate may empty it.",
      result: null,
    };
  }
  if (floorInCents === null || (keepsInCents !== null && keepsInCents > floorInCents)) {
    return {
      outcome: "CLEAR",
      title: floorInCents === null ? "Keeps an amount back" : "Stays above its floor",
      text:
        floorInCents === null
          ? `This mandate stops at ${formatCents(keepsInCents ?? 0)} in ${name}.`
          : `The floor of ${name} is ${formatCents(floorInCents)}. This mandate stops at ${formatCents(keepsInCents ?? 0)}.`,
      result: floorInCents === null ? null : `${formatCents((keepsInCents ?? 0) - floorInCents)} apart`,
    };
  }
  return {
    outcome: "CLEAR",
    title: "Stops at its floor",
    text: `${name} keeps ${formatCents(floorInCents)}. Only a person may go below that.`,
    result: null,
  };
}

/** Rules that react to money which arrives by this mandate. */
function ruleCheck(
  terms: Mandate["terms"],
  accounts: readonly KeyAccount[],
  live: Awaited<ReturnType<typeof readLiveRules>>,
  names: MandateNames,
): MandateCheckView {
  const destinations = accounts.filter(({ id }) => terms.destinationAccountIds.includes(id));
  const rules = rulesThatFollow(
    [{ destinations, limitInCents: terms.maximumInCents }],
    { runs: null, live, oneRunInCents: {} },
    accounts,
  );
  const [first, ...others] = rules.map(({ rule }) => rule.name);
  if (first === undefined) {
    return {
      outcome: "CLEAR",
      title: "No rule follows",
      text: `No rule reacts to money that goes to ${accountsWords(terms.destinationAccountIds, names)}.`,
      result: "Nothing by rule",
    };
  }
  return {
    outcome: "LOOK",
    title: others.length === 0 ? `The rule ${first} follows` : `${rules.length} rules follow`,
    text:
      others.length === 0
        ? "It reacts to money that arrives by this mandate, within its own limits."
        : `${first} and ${others.length === 1 ? "1 more react" : `${others.length} more react`} to money that arrives by this mandate, within their own limits.`,
    result: null,
  };
}

async function readUsed({ services, context }: TimedReading, { mandate, names, accounts }: About) {
  const { organizationId } = context;
  const { pool } = services;
  const [uses, waited, history, renewHref] = await Promise.all([
    listUses(pool, organizationId, mandate.id),
    listWaitedInstead(pool, context, mandate, names),
    readMandateHistory(pool, context, mandate),
    findRenewHref(pool, context, mandate),
  ]);
  return {
    levels: levelsOf(mandate),
    used: mandate.used,
    uses: uses.listed,
    useCount: uses.count,
    /** Under it and not yet settled: it still arrives. */
    onItsWayInCents: uses.onItsWayInCents,
    waited,
    history,
    /** Where one like it is written, for its key or the one that replaced it; null: neither may have one. */
    renewHref,
    signedAt: mandate.signedAt?.toISOString() ?? null,
    endedAt: mandate.endedAt?.toISOString() ?? null,
    endedByName: mandate.endedByName,
    endReason: mandate.endReason,
    maximumUses: mandate.terms.maximumUses,
    keepsInCents: mandate.terms.keepsInCents,
    payeeNames: accounts
      .filter(({ id, isOutside }) => isOutside && mandate.terms.destinationAccountIds.includes(id))
      .map(({ name }) => name),
  };
}

async function findRenewHref(
  database: Queryable,
  context: { organizationId: string; now: Date },
  { id, apiKeyId }: Pick<Mandate, "id" | "apiKeyId">,
): Promise<string | null> {
  const read = async (keyId: string) =>
    (await readKeyFacts(database, context.organizationId, context.now, { keyId }))[0] ?? null;
  const own = await read(apiKeyId);
  const next = own?.replacedById ? await read(own.replacedById) : own;
  return next && mayHaveMandates(next) ? newMandateHref(next.id, { from: id }) : null;
}

/** Whose signatures it has and lacks, and the viewer's own. */
async function describeSigning(
  { services, context, time }: TimedReading<"pool" | "clock">,
  signing: MandateSigning,
) {
  const { mandate, hash, isOpen, requirements } = signing;
  const memberHasPasskey = await hasPasskey(services.pool, context.actor.id);
  const { viewer, ...signers } = describeSigners(signing, context.actor.id);
  return {
    ...signers,
    id: mandate.id,
    hash,
    isOpen,
    /** The rules of who must approve that ask for it, by name. */
    ruleNames: requirements.flatMap(({ ruleName }) => ruleName ?? []),
    viewer: { ...viewer, maySign: isOpen && viewer.maySign },
    confirms: {
      hasPasskey: memberHasPasskey,
      freshUntil: freshSignInUntil(services, context, memberHasPasskey),
      time,
    },
  };
}
