import { z } from "zod";
import { FRAUD_MONITORING_HREF } from "@/lib/contract/hrefs";
import type { KeyAccountView, KeyFactsView } from "@/lib/contract/keys/key-facts";
import { type MemberRole, ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import { readReviewState } from "@/lib/core/fraud-monitoring/read-process";
import { assistantsHref, powerOfRole } from "@/lib/core/keys/assistant-facts";
import { keyHref, readKeyFacts } from "@/lib/core/keys/key-facts";
import { readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { memberRoleSchema } from "@/lib/core/shared/roles";
import type { SignInMethod } from "@/lib/core/shared/session";
import { describeBrowser } from "@/lib/core/sign-in/sign-in-browser";
import type { Queryable } from "@/lib/db/transaction";
import { phraseText } from "@/lib/words/keys/key-phrases";
import { keySentence } from "@/lib/words/keys/key-sentence";
import { isolatedName, nameText } from "@/lib/words/messages/untrusted-text";

interface CreatedKey {
  id: string;
  name: string;
  createdBy: string;
  createdAt: Date;
  /** Its first characters, shown wherever it is listed. */
  prefix: string;
  /** Whether it replaces another with the same name and permissions. */
  isReplacement: boolean;
  /** What it may do, without a subject, with marked names: `can move up to $500.00 from Operating to Taxes.` */
  powers: string;
}

async function readCreatedKey({ client, organizationId, ids, now }: Reading): Promise<CreatedKey[]> {
  const [keyId = ""] = ids;
  const [key] = await readKeyFacts(client, organizationId, now, { keyId });
  if (!key) return [];
  const { id, name, createdByName: createdBy, prefix } = key;
  return [
    {
      id,
      name,
      createdBy,
      createdAt: new Date(key.createdAt),
      prefix,
      isReplacement: await isReplacement(client, organizationId, keyId),
      powers: await readPowers(client, organizationId, key),
    },
  ];
}

/** Worded for a reader who may approve. */
async function readPowers(
  client: Queryable,
  organizationId: string,
  { permissions, dailyCapInCents }: Pick<KeyFactsView, "permissions" | "dailyCapInCents">,
): Promise<string> {
  const accounts = await readKeyAccounts(client, organizationId);
  const rules = await readKeyRules(client, organizationId);
  const mark = <T extends Pick<KeyAccountView, "name">>(one: T): T => ({
    ...one,
    name: isolatedName(one.name),
  });
  return phraseText(
    keySentence({
      permissions,
      accounts: accounts.map(mark),
      rules: rules.map(mark),
      dailyCapInCents,
      canDecide: true,
    }),
  );
}

async function isReplacement(client: Queryable, organizationId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select 1 from api_keys where organization_id = $1 and replaced_by = $2 limit 1",
    [organizationId, keyId],
  );
  return rowCount === 1;
}

// Keys, assistants and members are also announced to who caused them: someone else may have used their browser.

/** A member made or replaced a key in the dashboard. */
export const keyCreated = noticeKind({
  kind: "KEY_CREATED",
  read: readCreatedKey,
  say: {
    headline: ({ name, createdBy, isReplacement }) =>
      `${isolatedName(createdBy)} ${isReplacement ? "replaced" : "made"} the API key ${isolatedName(name)}`,
    lines: ({ powers, createdAt, prefix, isReplacement }, moment) => [
      `This key ${powers}`,
      `Made ${moment(createdAt)}; it begins with ${nameText(prefix)}.${isReplacement ? " It has the permissions of the one before." : ""}`,
    ],
    action: ({ id }) => ({ label: "See the key", href: keyHref(id) }),
    note: "If it should not exist, revoke it there. That stops transfers that have not left yet and denies its proposals.",
    sms: ({ isReplacement }) =>
      `an API key was ${isReplacement ? "replaced" : "made"}. If it should not be there, revoke it.`,
    digest: null,
  },
});

const connectedSchema = z.object({
  /** Its self-declared, unverified name. */
  name: z.string(),
  /** Host that the browser was redirected to, which was verified. */
  clientHost: z.string(),
  connectedBy: z.string(),
  createdAt: z.date(),
  /** The member's current one; null: no longer a member. */
  role: memberRoleSchema.nullable(),
});

async function readConnected({ client, organizationId, ids }: Reading) {
  const { rows } = await client.query({
    name: "read_connected_assistants",
    text: `
      select k.name, k.client_host as "clientHost", u.name as "connectedBy", k.created_at as "createdAt", m.role
        from api_keys k
        join users u on u.id = k.created_by
        left join memberships m on m.organization_id = $1 and m.user_id = k.created_by
       where k.organization_id = $1 and k.id = any ($2) and k.client_id is not null
       order by k.id`,
    values: [organizationId, ids],
  });
  return rows.map((row) => connectedSchema.parse(row));
}

const ASSISTANT_POWERS = {
  ASKS: "It reads everything here, may propose transfers and rule runs, and may create pods and inactive rules. Nothing moves until one of you approves.",
  READS: "It reads everything here, and may neither propose nor change anything.",
  NOTHING: "The person who connected it is no longer a member, so it may do nothing.",
} as const;

/** A member connected an assistant; in a digest per member. */
export const assistantConnected = noticeKind({
  kind: "ASSISTANT_CONNECTED",
  read: readConnected,
  say: {
    headline: ({ name, connectedBy }) =>
      `${isolatedName(connectedBy)} connected the assistant ${isolatedName(name)}`,
    lines: ({ role, createdAt, clientHost }, moment) => [
      ASSISTANT_POWERS[powerOfRole(role)],
      `Connected ${moment(createdAt)}; redirected to ${isolatedName(clientHost)}. Its name is self-declared.`,
    ],
    action: () => ({ label: "See the assistants", href: assistantsHref() }),
    note: "If it should not be there, disconnect it there. That stops transfers that have not left yet and denies its proposals.",
    sms: "an assistant was connected. If it should not be there, disconnect it.",
    digest: {
      headline: (all) => `${isolatedName(all[0]?.connectedBy ?? "")} connected ${all.length} more assistants`,
      sentence: "If you don't recognize them, disconnect them.",
      line: ({ name, clientHost }) => `${isolatedName(name)}, at ${isolatedName(clientHost)}`,
      action: () => ({ label: "See the assistants", href: assistantsHref() }),
      sms: (all) =>
        `${all.length} more assistants were connected. If you don't recognize them, disconnect them.`,
    },
  },
});

interface NewSession {
  method: SignInMethod;
  /** Real time, unlike that of other notices. */
  at: Date;
  /** `Chrome on macOS` */
  browser: string;
  /** Shortened: `203.0.113.x`; null: unknown. */
  network: string | null;
}

async function readSessions({ client, ids }: Reading): Promise<NewSession[]> {
  const { rows } = await client.query<Omit<NewSession, "browser"> & { userAgent: string }>({
    name: "read_new_sessions",
    text: `
      select coalesce(started_with, method) as method, coalesce(started_at, authenticated_at) as at,
          user_agent as "userAgent", network
        from sessions where id = any ($1) order by id`,
    values: [ids],
  });
  return rows.map(({ userAgent, ...row }) => ({ ...row, browser: describeBrowser(userAgent) }));
}

const SECURITY = { label: "Open security settings", href: "/settings/security" };
const METHODS = {
  PASSWORD: { yours: "your password", short: "password" },
  PASSKEY: { yours: "your passkey", short: "passkey" },
  RECOVERY_CODE: { yours: "one of your recovery codes", short: "recovery code" },
} as const;

/** A sign-in from a new browser, or with a recovery code; in a digest per person. */
export const newDevice = noticeKind({
  kind: "NEW_DEVICE",
  read: readSessions,
  say: {
    headline: ({ method, browser }) =>
      method === "RECOVERY_CODE"
        ? "Did you sign in with a recovery code?"
        : `Did you sign in with ${isolatedName(browser)}?`,
    lines: ({ method, at, browser, network }, moment) => [
      `Someone signed in to your account with ${METHODS[method].yours}, ${moment(at)}. Browser: ${isolatedName(browser)}.${network === null ? "" : ` Network: ${network}.`}`,
      method === "RECOVERY_CODE"
        ? "A recovery code works once, so you have one fewer."
        : "You have not signed in from this browser before.",
    ],
    action: () => SECURITY,
    note: "If this was you, no action is needed. If not, sign out everywhere else there, and ask the operator of this server to reset how you sign in.",
    sms: ({ method }) =>
      `someone signed in to your account ${method === "RECOVERY_CODE" ? "with a recovery code" : "from a new browser"}. If it was not you, end the session.`,
    digest: {
      headline: (all) => `Did you sign in ${all.length} more times from new browsers?`,
      sentence: "If not, sign out everywhere else and ask the operator of this server to reset your sign-in.",
      line: ({ method, at, browser, network }, moment) =>
        `${moment(at)}: ${isolatedName(browser)}, ${METHODS[method].short}${network === null ? "" : `, network ${network}`}`,
      action: () => SECURITY,
      sms: (all) =>
        `${all.length} more sign-ins to your account from new browsers. If it was not you, end them.`,
    },
  },
});

interface JoinedMember {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  /** Null: unknown by now. */
  invitedBy: string | null;
}

/** Members who have left again are omitted. */
async function readJoined({ client, organizationId, ids }: Reading): Promise<JoinedMember[]> {
  const { rows } = await client.query<JoinedMember>({
    name: "read_joined",
    text: `
      select u.id, u.name, u.email, m.role, i.name as "invitedBy"
        from memberships m join users u on u.id = m.user_id left join users i on i.id = m.invited_by
       where m.organization_id = $1 and m.user_id = any ($2)
       order by case m.role when 'OWNER' then 0 when 'CO_OWNER' then 1 else 2 end, m.created_at, u.id`,
    values: [organizationId, ids],
  });
  return rows;
}

const MEMBERS = { label: "See the members", href: "/settings/members" };
const roleWord = (role: MemberRole) => ROLE_WORD[role].toLowerCase();

/** Someone accepted an invitation; in a digest per organization. */
export const memberJoined = noticeKind({
  kind: "MEMBER_JOINED",
  read: readJoined,
  except: ({ id }) => id,
  say: {
    headline: ({ name, role }) => `${isolatedName(name)} joined as ${roleWord(role)}`,
    lines: ({ name, email, invitedBy, role }) => [
      `${isolatedName(name)} (${nameText(email)})${invitedBy === null ? "" : `, invited by ${isolatedName(invitedBy)}`}.`,
      `Their role: ${roleWord(role)}. ${ROLE_DOES[role]}.`,
    ],
    action: () => MEMBERS,
    note: "If they should not be there, remove them there. That signs them out and disconnects their assistants.",
    sms: "someone joined your organization. If they should not be there, remove them.",
    digest: {
      headline: (all) => `${all.length} more people joined`,
      sentence: "If you don't recognize someone, remove them.",
      line: ({ name, role }) => `${isolatedName(name)}, ${roleWord(role)}`,
      action: () => MEMBERS,
      sms: (all) => `${all.length} more people joined your organization. Remove anyone you don't recognize.`,
    },
  },
});

/** The yearly review of fraud monitoring is due; nothing if it was signed since. Sent once, not every day. */
export const fraudReviewDue = noticeKind({
  kind: "FRAUD_REVIEW_DUE",
  read: async ({ client, organizationId, now }) => {
    const state = await readReviewState(client, { organizationId, now });
    return state.kind === "DUE" ? [{ lastSignedAt: state.lastSignedAt }] : [];
  },
  say: {
    headline: "Your yearly review of fraud monitoring is due",
    lines: ({ lastSignedAt }, moment) => [
      "Nacha requires each business that sends ACH payments to review its fraud monitoring at least once a year.",
      lastReview(lastSignedAt, moment),
      "An owner reads the written process, which Sluice generates from your settings, and signs it.",
    ],
    preview: ({ lastSignedAt }, moment) => lastReview(lastSignedAt, moment),
    action: () => ({ label: "Read and sign", href: FRAUD_MONITORING_HREF }),
    note: "Nothing is blocked until then. Overview shows it until a review is signed.",
    sms: "your yearly review of fraud monitoring is due.",
    digest: null,
  },
});

function lastReview(signedAt: Date | null, moment: (instant: Date) => string): string {
  return signedAt === null
    ? "Your organization sends ACH payments and has not signed a review yet."
    : `The last review was signed ${moment(signedAt)}.`;
}

export const securityNotices: Omit<HandlersOf<"SECURITY">, "MANDATE_ENDED"> = {
  KEY_CREATED: keyCreated,
  ASSISTANT_CONNECTED: assistantConnected,
  NEW_DEVICE: newDevice,
  MEMBER_JOINED: memberJoined,
  FRAUD_REVIEW_DUE: fraudReviewDue,
};
