import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import { type NoticeHandler, settingOf, subjectsOf } from "@/lib/core/notifications/notice-handler";
import type { SignInMethod } from "@/lib/core/shared/session";
import { describeBrowser } from "@/lib/core/sign-in/sign-in-browser";
import type { Queryable } from "@/lib/db/transaction";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { renderNewDevice } from "@/lib/words/messages/sign-in-messages";

const KIND = "NEW_DEVICE";
const SECURITY_HREF = "/settings/security";

interface SessionRow {
  method: SignInMethod;
  at: Date;
  userAgent: string;
  network: string | null;
}

/** A person's sign-ins from new browsers, in a digest per person. Times are real, not business time. */
export const signInHandler: NoticeHandler = {
  one: async (context, notice) => {
    const [row] = await readSessions(context.client, [notice]);
    if (!row) return null;
    const rendered = renderNewDevice(
      {
        browser: describeBrowser(row.userAgent),
        method: row.method,
        at: row.at,
        network: row.network,
        securityUrl: `${context.appUrl}${SECURITY_HREF}`,
      },
      settingOf(context, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const rows = await readSessions(context.client, notices);
    if (!first || rows.length === 0) return null;
    const digest = {
      count: rows.length,
      subject: `Did you sign in ${rows.length} more times from new browsers?`,
      sentence: "If not, sign out everywhere else and ask the operator of this server to reset your sign-in.",
      lines: rows.slice(0, MAX_LISTED_LINES).map((row) => lineOf(row, first.timeZone)),
      action: { label: "Open security settings", url: `${context.appUrl}${SECURITY_HREF}` },
      why: "OWN_SIGN_IN" as const,
      smsSentence: `Sluice: ${rows.length} more sign-ins to your account from new browsers. If it was not you, end them.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderDigest(digest, settingOf(context, first)),
    };
  },
};

const METHODS = { PASSWORD: "password", PASSKEY: "passkey", RECOVERY_CODE: "recovery code" } as const;

function lineOf(row: SessionRow, timeZone: string): string {
  const network = row.network === null ? "" : `, network ${row.network}`;
  return `${formatMoment(row.at, timeZone)}: ${describeBrowser(row.userAgent)}, ${METHODS[row.method]}${network}`;
}

async function readSessions(client: Queryable, notices: readonly DueNotice[]): Promise<SessionRow[]> {
  const { rows } = await client.query<SessionRow>({
    name: "read_new_sessions",
    text: `
      select coalesce(started_with, method) as method, coalesce(started_at, authenticated_at) as at,
          user_agent as "userAgent", network
        from sessions where id = any ($1) order by id`,
    values: [subjectsOf(notices).ids],
  });
  return rows;
}
