import { accountHref, payeeHref } from "@/lib/contract/hrefs";
import { MAXIMUM_IMPORTED_LINES } from "@/lib/contract/payee";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { isolatedName, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface ChangedPayee {
  payeeId: string;
  kind: "PROPOSED" | "DETAILS_GIVEN" | "SIGNED" | "CONFIRMED" | "DECLINED" | "REMOVED" | "INVITED";
  name: string;
  byKind: "MEMBER" | "API_KEY" | "PAYEE";
  byName: string;
  accountNumberLast4: string | null;
  /** It could be paid before. */
  isChange: boolean;
  /** A member added it with this account. */
  isAdded: boolean;
  /** Who was called back, or the address of a link. */
  note: string | null;
  coolsOffUntil: Date | null;
}

/** The gravest first: a flood of proposals must not push an account that waits for confirmation off the list. */
const GRAVEST_FIRST = `case e.kind when 'CONFIRMED' then 0 when 'DETAILS_GIVEN' then 1 when 'SIGNED' then 1
  when 'INVITED' then 2 when 'PROPOSED' then 3 else 4 end, p.version = 0, e.id`;

async function readPayeeEvents({ client, organizationId, ids }: Reading): Promise<ChangedPayee[]> {
  const { rows } = await client.query<ChangedPayee>({
    name: "read_payee_events",
    text: `select e.payee_id as "payeeId", e.kind, e.name, e.by_kind as "byKind", e.by_name as "byName",
        e.account_number_last4 as "accountNumberLast4", case when e.kind <> 'PROPOSED' then e.note end as note,
        exists (select from payee_events before where before.organization_id = $1 and before.payee_id = e.payee_id
          and before.kind = 'CONFIRMED' and before.id < e.id) as "isChange",
        e.kind = 'DETAILS_GIVEN' and exists (select from payee_events added where added.organization_id = $1
          and added.payee_id = e.payee_id and added.kind = 'PROPOSED' and added.by_kind = 'MEMBER'
          and added.at = e.at) as "isAdded",
        case when e.kind = 'CONFIRMED' and p.cools_off_until > e.at then p.cools_off_until end as "coolsOffUntil"
      from payee_events e join payees p on p.organization_id = e.organization_id and p.id = e.payee_id
     where e.organization_id = $1 and e.id = any ($2) order by ${GRAVEST_FIRST}`,
    values: [organizationId, ids],
  });
  return rows;
}

// Each of these is also sent to who did it: someone else may have used their browser.

/** Confirmations are never in a digest: they have no digest key (`recordPayeeEvent`). */
export const payeeChanged = noticeKind({
  kind: "PAYEE_CHANGED",
  read: readPayeeEvents,
  say: {
    headline: payeeHeadline,
    lines: payeeLines,
    action: ({ payeeId }) => ({ label: "See the payee", href: payeeHref(payeeId) }),
    note: "If this was not intended, remove the payee there. That ends transfers to it that have not left yet.",
    sms: ({ kind }) => PAYEE_SMS[kind],
    digest: {
      headline: (all) => `${all.length} more changes of payees`,
      sentence: "If you do not recognize them, remove the payees.",
      line: payeeHeadline,
      action: () => ({ label: "See the payees", href: "/payees" }),
      sms: (all) => `${all.length} more changes of payees. If you do not recognize them, remove the payees.`,
    },
  },
});

const PAYEE_SMS: Record<ChangedPayee["kind"], string> = {
  PROPOSED: "a payee was proposed. It cannot be paid until an owner or co-owner confirms it.",
  DETAILS_GIVEN: "a payee's account was entered. Check it before you confirm it.",
  SIGNED: "a payee's account was signed for and waits for others. Check it before you sign.",
  CONFIRMED: "a payee was confirmed and can be paid. If this was not intended, remove it.",
  DECLINED: "a payee's account was declined.",
  REMOVED: "a payee was removed.",
  INVITED: "a payee was sent a link to enter their account.",
};

/** `Mara confirmed the payee Harbor Print Shop` */
function payeeHeadline({ kind, byKind, byName, name, isChange, isAdded }: ChangedPayee): string {
  const who = isolatedName(byName);
  const payee = `the payee ${isolatedName(name)}`;
  switch (kind) {
    case "PROPOSED":
      return `${who} ${byKind === "API_KEY" ? "proposed" : "added"} ${payee}`;
    case "DETAILS_GIVEN":
      if (isAdded) return `${who} added ${payee}`;
      return byKind === "PAYEE"
        ? `${isolatedName(name)} entered their account`
        : `${who} ${isChange ? "changed" : "entered"} the account of ${payee}`;
    case "SIGNED":
      return `${who} signed for the account of ${payee}, and others have to`;
    case "CONFIRMED":
      return `${who} confirmed ${isChange ? "a change of " : ""}${payee}`;
    case "DECLINED":
      return `${who} declined the account of ${payee}`;
    case "REMOVED":
      return `${who} removed ${payee}`;
    case "INVITED":
      return `${who} sent ${payee} a link`;
  }
}

function payeeLines(payee: ChangedPayee, moment: (instant: Date) => string): (string | null)[] {
  const ending =
    payee.accountNumberLast4 === null ? null : `The account ends in ${payee.accountNumberLast4}.`;
  const note = payee.note === null ? null : sentenceText(payee.note);
  switch (payee.kind) {
    case "PROPOSED":
      return ["It cannot be paid until an owner or co-owner confirms its account."];
    case "DETAILS_GIVEN":
      return [
        ending,
        payee.isChange
          ? "The earlier account stays in force until an owner or co-owner confirms this one."
          : "It cannot be paid until an owner or co-owner confirms it.",
        "Call the payee on a number that you know already, not on one from an email, and compare the last four digits.",
      ];
    case "SIGNED":
      return [
        ending,
        note === null ? "Nobody was called back." : `Called back: ${note}`,
        "Who must approve asks for more than one person. It cannot be paid until all of them confirm.",
      ];
    case "CONFIRMED":
      return [
        ending,
        note === null ? "Nobody was called back." : `Called back: ${note}`,
        payee.coolsOffUntil && `Larger amounts leave no earlier than ${moment(payee.coolsOffUntil)}.`,
      ];
    case "DECLINED":
      return [ending, "It was not put in force."];
    case "REMOVED":
      return ["It can no longer be paid."];
    case "INVITED":
      return [
        note === null ? null : `Sent to ${note}.`,
        "Its page takes one account, once. What is entered waits for an owner or co-owner.",
      ];
  }
}

interface ImportedRow {
  name: string;
  accountNumberLast4: string | null;
  byName: string;
  at: Date;
}

interface ImportedPayees {
  importedBy: string;
  importedAt: Date;
  /** All of them, as in the file. */
  payees: readonly Pick<ImportedRow, "name" | "accountNumberLast4">[];
}

/** The subject is an import. */
async function readImport({ client, organizationId, ids }: Reading): Promise<ImportedPayees[]> {
  const { rows } = await client.query<ImportedRow>({
    name: "read_imported_payees",
    text: `select e.name, given.account_number_last4 as "accountNumberLast4", e.by_name as "byName", e.at
      from payee_events e
      left join payee_events given on given.organization_id = $1 and given.import_id = $2
        and given.payee_id = e.payee_id and given.kind = 'DETAILS_GIVEN'
     where e.organization_id = $1 and e.import_id = $2 and e.kind = 'PROPOSED' order by e.id limit $3`,
    values: [organizationId, ids[0], MAXIMUM_IMPORTED_LINES],
  });
  const [first] = rows;
  return first ? [{ importedBy: first.byName, importedAt: first.at, payees: rows }] : [];
}

/** The payees of one import, in one message that names all. */
export const payeesImported = noticeKind({
  kind: "PAYEES_IMPORTED",
  read: readImport,
  say: {
    headline: ({ importedBy, payees }) => `${isolatedName(importedBy)} imported ${countPayees(payees)}`,
    lines: ({ importedAt, payees }, moment) => [
      `They cannot be paid until an owner or co-owner confirms each one. Imported ${moment(importedAt)}.`,
      "Call each payee on a number that you know already, not on one from an email, and compare the last four digits.",
      {
        list: payees.map(({ name, accountNumberLast4: last4 }) =>
          last4 === null
            ? `${isolatedName(name)}, without an account`
            : `${isolatedName(name)}, account ending in ${last4}`,
        ),
      },
    ],
    action: () => ({ label: "See the payees", href: "/payees" }),
    note: "If this was not intended, remove the payees there.",
    sms: ({ payees }) =>
      `${countPayees(payees)} ${payees.length === 1 ? "was" : "were"} imported. They cannot be paid until an owner or co-owner confirms each one.`,
    digest: null,
  },
});

function countPayees({ length }: ImportedPayees["payees"]): string {
  return `${length} ${length === 1 ? "payee" : "payees"}`;
}

interface RegisteredAccount {
  id: string;
  name: string;
  institutionName: string | null;
  accountNumberLast4: string;
  registeredBy: string;
  /** Null: no payment waits. */
  coolsOffUntil: Date | null;
}

async function readRegistered({ client, organizationId, ids }: Reading): Promise<RegisteredAccount[]> {
  const { rows } = await client.query<RegisteredAccount>({
    name: "read_registered_accounts",
    text: `select a.id, a.name, a.institution_name as "institutionName",
        r.account_number_last4 as "accountNumberLast4", u.name as "registeredBy",
        case when r.cools_off_until > r.registered_at then r.cools_off_until end as "coolsOffUntil"
      from registered_accounts r
      join accounts a on a.organization_id = r.organization_id and a.id = r.account_id
      join users u on u.id = r.registered_by
     where r.organization_id = $1 and r.account_id = any ($2) order by r.registered_at, a.id`,
    values: [organizationId, ids],
  });
  return rows;
}

/** A connected account was registered at the bank. */
export const accountRegistered = noticeKind({
  kind: "ACCOUNT_REGISTERED",
  read: readRegistered,
  say: {
    headline: ({ name, registeredBy }) =>
      `${isolatedName(registeredBy)} registered the account ${isolatedName(name)} at the bank`,
    lines: ({ institutionName, accountNumberLast4, coolsOffUntil }, moment) => [
      `The account${institutionName === null ? "" : ` at ${isolatedName(institutionName)}`} ends in ${accountNumberLast4}. Transfers, rules and keys may now use it.`,
      coolsOffUntil && `Larger amounts leave no earlier than ${moment(coolsOffUntil)}.`,
    ],
    action: ({ id }) => ({ label: "See the account", href: accountHref(id) }),
    note: "If this was not intended, close all gates, then disconnect its institution. That closes the account and ends transfers to it that have not left yet.",
    sms: "an account was registered at the bank. If this was not intended, disconnect its institution.",
    digest: null,
  },
});

export const payeeNotices: HandlersOf<"PAYEES"> = {
  PAYEE_CHANGED: payeeChanged,
  PAYEES_IMPORTED: payeesImported,
  ACCOUNT_REGISTERED: accountRegistered,
};
