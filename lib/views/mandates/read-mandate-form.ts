import type { MandatePrefill } from "@/lib/contract/hrefs";
import {
  MAXIMUM_MANDATE_ACCOUNTS,
  MAXIMUM_MANDATE_PURPOSE_LENGTH,
  MAXIMUM_MANDATE_USES,
  type MandateTerms,
} from "@/lib/contract/mandates/mandate";
import { keyHref, readKeyFacts } from "@/lib/core/keys/key-facts";
import { type KeyAccount, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readMandate } from "@/lib/core/mandates/read-mandates";
import { readSuggestionSwitch } from "@/lib/core/mandates/suggestions";
import { mayDecide } from "@/lib/core/shared/permits";
import { calendarDate, dateOf, dayOf } from "@/lib/engine/schedule/calendar-day";
import { mayHaveMandates } from "@/lib/views/mandates/list-key-mandates";
import type { TimedReading } from "@/lib/views/reading";

/** How long a new one lasts, unless its writer says otherwise. */
const USUAL_DAYS = 90;

/** An account or payee that can be chosen. */
type ChoiceView = Pick<KeyAccount, "id" | "name" | "isOutside">;

function formOf(terms: MandateTerms, accounts: readonly KeyAccount[], asked: MandateTerms | null) {
  const toChoice = ({ id, name, isOutside }: KeyAccount): ChoiceView => ({ id, name, isOutside });
  const open = accounts.filter(({ isClosed }) => !isClosed);
  return {
    terms,
    sources: open
      .filter(({ id, isOutside }) => !isOutside && (asked?.sourceAccountIds.includes(id) ?? true))
      .map(toChoice),
    destinations: open.filter(({ id }) => asked?.destinationAccountIds.includes(id) ?? true).map(toChoice),
    limits: {
      uses: MAXIMUM_MANDATE_USES,
      accounts: MAXIMUM_MANDATE_ACCOUNTS,
      purposeLength: MAXIMUM_MANDATE_PURPOSE_LENGTH,
    },
    /** What its program asked, field by field: none may be wider. Null: a member writes it. */
    asked,
  };
}

export type MandateFormView = ReturnType<typeof formOf>;

/**
 * The form of a new mandate for a key; null if the organization has no such key, or it was revoked.
 * @param prefill what a suggestion fills in, or a mandate that ended with the key before this one
 */
export async function readNewMandate(
  { services, context, time }: TimedReading,
  keyId: string,
  prefill: MandatePrefill,
) {
  const { organizationId, now } = context;
  const { pool } = services;
  const [[key], accounts] = await Promise.all([
    readKeyFacts(pool, organizationId, now, { keyId }),
    readKeyAccounts(pool, organizationId),
  ]);
  if (!key || key.state.kind === "REVOKED") return null;
  const today = calendarDate(now, time.timeZone);
  const source = accounts.find(({ id, isOutside }) => id === prefill.source && !isOutside);
  const destination = accounts.find(({ id }) => id === prefill.destination);
  const model = prefill.from === null ? null : await readMandate(pool, { organizationId, now }, prefill.from);
  const form = formOf(
    (model && renewed(model.terms, accounts, today)) ?? {
      sourceAccountIds: source ? [source.id] : [],
      destinationAccountIds: destination ? [destination.id] : [],
      minimumInCents: null,
      maximumInCents: prefill.maximumInCents ?? 0,
      dayInCents: null,
      weekInCents: null,
      monthInCents: prefill.monthInCents,
      thirtyDaysInCents: null,
      totalInCents: null,
      maximumUses: null,
      recurrence: null,
      from: today,
      until: dateOf(dayOf(today) + USUAL_DAYS),
      keepsInCents: null,
      purpose: null,
    },
    accounts,
    null,
  );
  return {
    key: {
      id: key.id,
      name: key.name,
      href: keyHref(key.id),
      /** Its transfers wait for a person; for another key a mandate would let nothing more through. */
      mayHave: mayHaveMandates(key),
    },
    form,
    isRenewed: model !== null,
    suggested:
      source && destination
        ? await readSuggested({ services, context, time }, key.id, source, destination)
        : null,
    viewer: { canDecide: mayDecide(context.actor) },
  };
}

export type NewMandateView = NonNullable<Awaited<ReturnType<typeof readNewMandate>>>;

/** Another mandate's terms, from today: closed accounts are left out. */
function renewed(terms: MandateTerms, accounts: readonly KeyAccount[], today: string): MandateTerms {
  const isOpen = (id: string) => accounts.some((account) => account.id === id && !account.isClosed);
  return {
    ...terms,
    sourceAccountIds: terms.sourceAccountIds.filter(isOpen),
    destinationAccountIds: terms.destinationAccountIds.filter(isOpen),
    from: terms.from > today ? terms.from : today,
    until: terms.until > today ? terms.until : dateOf(dayOf(today) + USUAL_DAYS),
  };
}

/** Where a suggestion led here and can be switched off, or was and can be switched back on; null: none did. */
async function readSuggested(
  { services, context }: TimedReading,
  apiKeyId: string,
  source: KeyAccount,
  destination: KeyAccount,
) {
  if (!mayDecide(context.actor)) return null;
  const route = { apiKeyId, sourceAccountId: source.id, destinationAccountId: destination.id };
  const state = await readSuggestionSwitch(services.pool, context.organizationId, route);
  return (
    state && { ...route, isOn: state === "ON", sourceName: source.name, destinationName: destination.name }
  );
}

export type SuggestedRouteView = NonNullable<NewMandateView["suggested"]>;

/** The form in which a program's request is narrowed, or a member's own one changed; null unless it waits and the viewer may. */
export async function readNarrowMandate({ services, context }: TimedReading, id: string) {
  const { organizationId, now } = context;
  const { pool } = services;
  if (!mayDecide(context.actor)) return null;
  const mandate = await readMandate(pool, { organizationId, now }, id);
  if (mandate?.state !== "WAITING" || mandate.isExpired) return null;
  return {
    id: mandate.id,
    revision: mandate.revision,
    keyName: mandate.apiKeyName,
    form: formOf(mandate.terms, await readKeyAccounts(pool, organizationId), mandate.askedTerms),
  };
}

export type NarrowMandateView = NonNullable<Awaited<ReturnType<typeof readNarrowMandate>>>;
