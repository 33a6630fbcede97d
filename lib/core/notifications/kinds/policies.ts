import { POLICY_HREF, POLICY_PUBLISH_HREF } from "@/lib/contract/hrefs";
import type { PolicyAct } from "@/lib/contract/organization";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

/** What was done with a version of who must approve. */
export interface PolicyNews {
  version: string;
  by: string;
  at: Date;
  /** Until when the signatures may come; null: it is not being signed. */
  expiresAt: Date | null;
}

/** @param acts what the notice is about; one about something else says nothing */
async function readNews(
  { client, organizationId, ids }: Reading,
  acts: readonly PolicyAct[],
): Promise<PolicyNews[]> {
  const { rows } = await client.query<PolicyNews>({
    name: "read_policy_news",
    text: `select c.subject as version, u.name as by, c.changed_at as at, p.signing_expires_at as "expiresAt"
      from organization_changes c join users u on u.id = c.changed_by
      join approval_policies p on p.organization_id = $1 and p.version = c.subject::integer
     where c.organization_id = $1 and c.id = any ($2) and c.kind = 'APPROVAL_POLICY' and c.value_after = any ($3)
     order by c.id`,
    values: [organizationId, ids, acts],
  });
  return rows;
}

/** Someone asked for this person's signature. One that was signed, changed or discarded meanwhile says nothing. */
export const policySignatureAsked = noticeKind<PolicyNews & { expiresAt: Date }>({
  kind: "POLICY_SIGNATURE_ASKED",
  read: async (reading) =>
    (await readNews(reading, ["ASKED", "SIGNED"])).flatMap(({ expiresAt, ...news }) =>
      expiresAt === null ? [] : [{ ...news, expiresAt }],
    ),
  say: {
    headline: ({ version }) => `Version ${version} of who must approve waits for your signature`,
    lines: ({ by, at, expiresAt }, moment) => [
      `${isolatedName(by)} asked for it ${moment(at)}. It can be signed until ${moment(expiresAt)}.`,
      "Until the last signature, the version in force stays as it is.",
    ],
    action: () => ({ label: "See what changes", href: POLICY_PUBLISH_HREF }),
    note: "You sign with your passkey or password; this email alone signs nothing.",
    sms: "a new version of who must approve waits for your signature.",
    digest: null,
  },
});

/** A version came into force. Also sent to who signed last: someone else may have used their browser. */
export const policyPublished = noticeKind<PolicyNews>({
  kind: "POLICY_PUBLISHED",
  read: (reading) => readNews(reading, ["PUBLISHED"]),
  say: {
    headline: ({ version }) => `Version ${version} of who must approve is in force`,
    lines: ({ by, at }, moment) => [
      `${isolatedName(by)} gave the last signature ${moment(at)}.`,
      "What waits now needs what it needed before, and what this version asks for.",
    ],
    action: () => ({ label: "See who must approve", href: POLICY_HREF }),
    note: "If this was not intended, close all gates first: nothing leaves while they are closed.",
    sms: "who must approve was changed. If this was not intended, close all gates.",
    digest: null,
  },
});

export const policyNotices: Pick<
  HandlersOf<"APPROVALS" | "GATES">,
  "POLICY_SIGNATURE_ASKED" | "POLICY_PUBLISHED"
> = {
  POLICY_SIGNATURE_ASKED: policySignatureAsked,
  POLICY_PUBLISHED: policyPublished,
};
