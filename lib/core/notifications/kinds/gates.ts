import { formatCents, writeCents } from "@/lib/contract/format-cents";
import { RESTORE_NAME } from "@/lib/core/keys/gates";
import { keysHref } from "@/lib/core/keys/key-facts";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

interface Closing {
  closedAt: Date;
  /** Null: a restore did. */
  closedBy: string | null;
  openedAt: Date | null;
  openedBy: string | null;
}

async function readClosings({ client, organizationId, ids }: Reading): Promise<Closing[]> {
  const { rows } = await client.query<Closing>({
    name: "read_closing_to_notify",
    text: `
      select g.closed_at as "closedAt", c.name as "closedBy", g.opened_at as "openedAt", o.name as "openedBy"
        from gate_closings g left join users c on c.id = g.closed_by left join users o on o.id = g.opened_by
       where g.organization_id = $1 and g.id = any ($2)`,
    values: [organizationId, ids],
  });
  return rows;
}

// Each of these is also sent to who did it: someone else may have used their browser.

export const gatesClosed = noticeKind({
  kind: "GATES_CLOSED",
  read: async (reading) =>
    (await readClosings(reading)).map(({ closedAt, closedBy }) => ({ at: closedAt, by: closedBy })),
  say: {
    headline: ({ by }) => `${isolatedName(by ?? RESTORE_NAME)} closed all gates`,
    lines: ({ at }, moment) => [`${moment(at)}.`, AFTER_CLOSING],
    preview: () => AFTER_CLOSING,
    action: () => ({ label: "See what stopped", href: "/gates" }),
    note: "If this was not intended, open them there with your passkey or password.",
    sms: "all gates were closed. Nothing moves until an owner opens them.",
    digest: null,
  },
});

const AFTER_CLOSING =
  "Keys, assistants, rules and cards move nothing until an owner or co-owner opens the gates. Transfers that have already left continue.";

export const gatesOpened = noticeKind({
  kind: "GATES_OPENED",
  read: async (reading) =>
    (await readClosings(reading)).flatMap(({ openedAt, openedBy }) =>
      openedAt && openedBy ? [{ at: openedAt, by: openedBy }] : [],
    ),
  say: {
    headline: ({ by }) => `${isolatedName(by)} opened the gates`,
    lines: ({ at }, moment) => [`${moment(at)}.`, AFTER_OPENING],
    preview: () => AFTER_OPENING,
    action: () => ({ label: "See what stopped", href: "/gates" }),
    note: "If this was not intended, close them there with one tap.",
    sms: "the gates were opened again. Waiting transfers continue.",
    digest: null,
  },
});

const AFTER_OPENING =
  "Waiting transfers continue, and keys, assistants, rules and cards work again. Runs missed while closed won't be repeated.";

interface ChangedOutgoingCap {
  /** Null: no cap. */
  beforeInCents: number | null;
  afterInCents: number | null;
  changedBy: string;
  changedAt: Date;
}

async function readCapChanges({ client, organizationId, ids }: Reading): Promise<ChangedOutgoingCap[]> {
  const { rows } = await client.query<ChangedOutgoingCap>({
    name: "read_outgoing_cap_changes",
    text: `select c.value_before::bigint as "beforeInCents", c.value_after::bigint as "afterInCents",
        u.name as "changedBy", c.changed_at as "changedAt"
      from organization_changes c join users u on u.id = c.changed_by
     where c.organization_id = $1 and c.id = any ($2) and c.kind = 'OUTGOING_CAP' order by c.id`,
    values: [organizationId, ids],
  });
  return rows;
}

/** What may leave within 24 hours was changed. */
export const outgoingCapChanged = noticeKind({
  kind: "OUTGOING_CAP_CHANGED",
  read: readCapChanges,
  say: {
    headline: ({ afterInCents, changedBy }) =>
      afterInCents === null
        ? `${isolatedName(changedBy)} lifted the cap on money out`
        : `${isolatedName(changedBy)} set the cap on money out to ${formatCents(afterInCents)} within 24 hours`,
    lines: ({ beforeInCents, afterInCents, changedAt }, moment) => [
      afterInCents === null
        ? "Payments of any amount can now leave Sluice, as keys, rules and approvals allow."
        : `At most ${formatCents(afterInCents)} can now leave Sluice within 24 hours.`,
      `${beforeInCents === null ? "There was no cap before." : `It was ${formatCents(beforeInCents)} before.`} Changed ${moment(changedAt)}.`,
    ],
    action: () => ({ label: "See the cap", href: "/settings#money-out" }),
    note: "If this was not intended, close all gates first: nothing leaves while they are closed. Then lower the cap.",
    sms: ({ afterInCents }) =>
      afterInCents === null
        ? "the cap on money out was lifted. If this was not intended, close all gates."
        : `the cap on money out is now ${formatCents(afterInCents)} in 24 hours. If this was not intended, close all gates.`,
    digest: null,
  },
});

/** A setting that bounds what can move, changed so that more may move, or sooner. */
export interface ChangedGuard {
  kind: "TIME_ZONE" | "KEY_CAP" | "PAYEE_COOL_OFF";
  /** Of a cap: the key's name. */
  subject: string | null;
  /** In words. Null: there was or is none. */
  before: string | null;
  after: string | null;
  changedBy: string;
  changedAt: Date;
}

async function readGuardChanges({ client, organizationId, ids }: Reading): Promise<ChangedGuard[]> {
  const { rows } = await client.query<ChangedGuard>({
    name: "read_guard_change",
    text: `select c.kind, c.subject, c.value_before as before, c.value_after as after, u.name as "changedBy",
        c.changed_at as "changedAt"
      from organization_changes c join users u on u.id = c.changed_by
     where c.organization_id = $1 and c.id = any ($2) and c.kind in ('TIME_ZONE', 'KEY_CAP', 'PAYEE_COOL_OFF')`,
    values: [organizationId, ids],
  });
  return rows.map((row) =>
    row.kind === "PAYEE_COOL_OFF"
      ? { ...row, before: coolOffInWords(row.before), after: coolOffInWords(row.after) }
      : row,
  );
}

/** `24 hours above $500.00`, of cents and hours as `setPayeeCoolOff` records them. */
function coolOffInWords(recorded: string | null): string {
  const [cents, hours] = (recorded ?? "").split(" ");
  return `${hours} ${hours === "1" ? "hour" : "hours"} above ${writeCents(Number(cents))}`;
}

export const guardChanged = noticeKind({
  kind: "GUARD_CHANGED",
  read: readGuardChanges,
  say: {
    headline: guardHeadline,
    lines: ({ kind, changedAt }, moment) => [GUARDS[kind].effect, `Changed ${moment(changedAt)}.`],
    action: ({ kind }) => GUARDS[kind].action,
    note: "If this was not intended, close all gates first: nothing leaves while they are closed. Then change it back.",
    sms: ({ kind }) => `${GUARDS[kind].sms} If this was not intended, close all gates.`,
    digest: null,
  },
});

const GUARDS = {
  TIME_ZONE: {
    effect:
      "Periods of rule limits and card limits begin at midnight in the new zone, so more may move sooner. Caps on money out and caps of keys are unaffected: they count the last 24 hours.",
    action: { label: "See the settings", href: "/settings" },
    sms: "the time zone was changed, so periods of limits begin at another hour.",
  },
  KEY_CAP: {
    effect: "The key can move more without approval than before.",
    action: { label: "See the keys", href: keysHref() },
    sms: "the cap of an API key was raised or removed.",
  },
  PAYEE_COOL_OFF: {
    effect: "More can leave to new and changed payees before their cool-off ends.",
    action: { label: "See the settings", href: "/settings" },
    sms: "the cool-off of new payees was loosened.",
  },
} as const;

/** `Mara raised the daily cap of the key ops from $10.00 to $500.00` */
function guardHeadline({ kind, subject, before, after, changedBy }: ChangedGuard): string {
  const who = isolatedName(changedBy);
  switch (kind) {
    case "TIME_ZONE":
      return `${who} changed the time zone from ${before} to ${after}`;
    case "PAYEE_COOL_OFF":
      return `${who} changed the cool-off of payees from ${before} to ${after}`;
    case "KEY_CAP": {
      const key = `the daily cap of the key ${isolatedName(subject ?? "")}`;
      return after === null
        ? `${who} removed ${key}, which was ${before}`
        : `${who} raised ${key} from ${before} to ${after}`;
    }
  }
}

export const gateNotices: Omit<HandlersOf<"GATES">, "POLICY_PUBLISHED" | "MANDATE_SIGNED"> = {
  GATES_CLOSED: gatesClosed,
  GATES_OPENED: gatesOpened,
  OUTGOING_CAP_CHANGED: outgoingCapChanged,
  GUARD_CHANGED: guardChanged,
};
