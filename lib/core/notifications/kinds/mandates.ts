import { mandateHref } from "@/lib/contract/hrefs";
import { type MandateTerms, mandateTermsSchema } from "@/lib/contract/mandates/mandate";
import type { MandateAct } from "@/lib/contract/organization";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import { mandateSentence, mandateText } from "@/lib/words/mandates/mandate-sentence";
import { isolatedName } from "@/lib/words/messages/untrusted-text";
import { FORMER_MEMBER } from "@/lib/words/names";

/** What was done with a mandate. */
export interface MandateNews {
  id: string;
  keyName: string;
  /** What it lets the key do, with marked names. */
  sentence: string;
  /** The program's own words; null: it gave none, or a member wrote it. */
  reason: string | null;
  /** Who asked, signed or ended it. */
  by: string;
  at: Date;
  /** Until when it can be signed. */
  expiresAt: Date;
}

interface NewsRow extends Omit<MandateNews, "sentence" | "by"> {
  terms: unknown;
  by: string | null;
}

/**
 * What members did is recorded as a change of the organization, and what a program did in the mandate itself: a notice names
 * the one or the other.
 * @param state in which the mandate still is; of another one the notice says nothing
 */
async function readNews(
  { client, organizationId, ids }: Reading,
  acts: readonly MandateAct[],
  state: "WAITING" | "IN_FORCE" | "ENDED",
): Promise<MandateNews[]> {
  const { rows } = await client.query<NewsRow>({
    name: "read_mandate_news",
    text: `
      select m.id, k.name as "keyName", m.terms, m.reason, m.expires_at as "expiresAt",
          coalesce(u.name, m.proposed_by_name) as by, coalesce(c.changed_at, m.ended_at, m.created_at) as at
        from unnest($2::uuid[]) with ordinality as asked (id, place)
        left join organization_changes c on c.organization_id = $1 and c.id = asked.id and c.kind = 'MANDATE'
          and c.value_after = any ($3)
        left join users u on u.id = c.changed_by
        join mandates m on m.organization_id = $1 and m.id::text = coalesce(c.subject, asked.id::text)
        join api_keys k on k.organization_id = $1 and k.id = m.api_key_id
       where m.state = $4
       order by asked.place`,
    values: [organizationId, ids, acts, state],
  });
  return Promise.all(
    rows.map(async ({ terms: stored, by, ...row }) => {
      const terms = mandateTermsSchema.parse(stored);
      return { ...row, by: by ?? FORMER_MEMBER, sentence: await readSentence(client, organizationId, terms) };
    }),
  );
}

async function readSentence(
  client: Reading["client"],
  organizationId: string,
  terms: MandateTerms,
): Promise<string> {
  const accounts = await readAccountNames(client, organizationId, [
    ...terms.sourceAccountIds,
    ...terms.destinationAccountIds,
  ]);
  const names = Object.fromEntries(
    Object.entries(accounts).map(([id, { name }]) => [id, isolatedName(name)]),
  );
  return `It ${mandateText(mandateSentence(terms, { names, today: terms.from }))}`;
}

function countAsked({ length }: readonly MandateNews[]): string {
  return length === 1
    ? "1 more mandate waits for your signature"
    : `${length} more mandates wait for your signature`;
}

/**
 * A program or a member asks for signatures; what a program asks is in a digest per key. One that was signed, denied or expired
 * meanwhile says nothing.
 */
export const mandateAsked = noticeKind<MandateNews>({
  kind: "MANDATE_ASKED",
  read: async (reading) =>
    (await readNews(reading, ["ASKED", "NARROWED", "CHANGED", "SIGNED"], "WAITING")).filter(
      ({ expiresAt }) => expiresAt > reading.now,
    ),
  say: {
    headline: ({ keyName }) => `A mandate for the key ${isolatedName(keyName)} waits for your signature`,
    lines: ({ by, at, sentence, reason, expiresAt }, moment) => [
      sentence,
      reason === null ? null : { wrote: reason },
      `${isolatedName(by)} asked for it ${moment(at)}. It can be signed until ${moment(expiresAt)}.`,
      "Until it is signed, everything of this key waits for approval as before.",
    ],
    action: ({ id }) => ({ label: "See what it allows", href: mandateHref(id) }),
    note: "You sign with your passkey or password; this email alone signs nothing.",
    sms: "a key asks to move money by itself and waits for your signature.",
    digest: {
      headline: countAsked,
      sentence: "Until they are signed, everything of their key waits for approval as before.",
      line: ({ keyName, sentence }) => `${isolatedName(keyName)}: ${sentence}`,
      action: () => ({ label: "See what waits", href: "/approvals" }),
      sms: (all) => `${countAsked(all)}.`,
    },
  },
});

/** The last signature. Also sent to who gave it: someone else may have used their browser. */
export const mandateSigned = noticeKind<MandateNews>({
  kind: "MANDATE_SIGNED",
  read: (reading) => readNews(reading, ["IN_FORCE"], "IN_FORCE"),
  say: {
    headline: ({ keyName }) => `The key ${isolatedName(keyName)} may now move money by itself`,
    lines: ({ by, at, sentence }, moment) => [
      sentence,
      `${isolatedName(by)} gave the last signature ${moment(at)}.`,
      "Inside these limits its transfers are accepted at once; anything else waits for approval.",
    ],
    action: ({ id }) => ({ label: "See the mandate", href: mandateHref(id) }),
    note: "If this was not intended, end it there with one tap.",
    sms: "a key may now move money by itself. If this was not intended, end its mandate.",
    digest: null,
  },
});

/** It was in force, and a member, its program or the end of its key ended it. */
export const mandateEnded = noticeKind<MandateNews>({
  kind: "MANDATE_ENDED",
  read: (reading) => readNews(reading, ["ENDED"], "ENDED"),
  say: {
    headline: ({ keyName }) => `A mandate of the key ${isolatedName(keyName)} has ended`,
    lines: ({ by, at, sentence }, moment) => [
      sentence,
      `${isolatedName(by)} ended it ${moment(at)}. What is on its way still arrives; anything else waits for approval.`,
    ],
    action: ({ id }) => ({ label: "See what it moved", href: mandateHref(id) }),
    note: "An ended mandate cannot be used again; a new one needs new signatures.",
    sms: "a mandate of a key has ended.",
    digest: null,
  },
});

export const mandateNotices: Pick<
  HandlersOf<"APPROVALS" | "SECURITY" | "GATES">,
  "MANDATE_ASKED" | "MANDATE_SIGNED" | "MANDATE_ENDED"
> = {
  MANDATE_ASKED: mandateAsked,
  MANDATE_SIGNED: mandateSigned,
  MANDATE_ENDED: mandateEnded,
};
