import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import { settingOf, subjectsOf, type Teller } from "@/lib/core/notifications/telling";
import type { SignInMethod } from "@/lib/core/shared/session";
import { describeBrowser } from "@/lib/core/sign-in/sign-in-browser";
import type { Queryable } from "@/lib/db/transaction";
import { MAX_LISTED_LINES, renderToldTogether } from "@/lib/words/messages/digest";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { renderNewDevice } from "@/lib/words/messages/sign-in-messages";

const KIND = "NEW_DEVICE";
const SECURITY_HREF = "/settings/security";

interface SessionRow {
  method: SignInMethod;
  at: Date;
  user_agent: string;
  network: string | null;
}

/** A person's own sign-ins from new browsers; those of one person together. Their times are real ones. */
export const signInTeller: Teller = {
  one: async (telling, notice) => {
    const [row] = await readSessions(telling.client, [notice]);
    if (!row) return null;
    const rendered = renderNewDevice(
      {
        browser: describeBrowser(row.user_agent),
        method: row.method,
        at: row.at,
        network: row.network,
        securityUrl: `${telling.appUrl}${SECURITY_HREF}`,
      },
      settingOf(telling, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },

  together: async (telling, notices) => {
    const [first] = notices;
    const rows = await readSessions(telling.client, notices);
    if (!first || rows.length === 0) return null;
    const told = {
      count: rows.length,
      subject: `Did you sign in ${rows.length} more times from new browsers?`,
      sentence:
        "If not, sign out everywhere else, and ask the operator of this server to reset how you sign in.",
      lines: rows.slice(0, MAX_LISTED_LINES).map((row) => lineOf(row, first.timeZone)),
      action: { label: "Open security settings", url: `${telling.appUrl}${SECURITY_HREF}` },
      why: "OWN_SIGN_IN" as const,
      smsSentence: `Sluice: ${rows.length} more sign-ins to your account from new browsers. If it was not you, end them.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderToldTogether(told, settingOf(telling, first)),
    };
  },
};

const METHODS = { PASSWORD: "password", PASSKEY: "passkey", RECOVERY_CODE: "recovery code" } as const;

function lineOf(row: SessionRow, timeZone: string): string {
  const network = row.network === null ? "" : `, network ${row.network}`;
  return `${formatMoment(row.at, timeZone)}: ${describeBrowser(row.user_agent)}, ${METHODS[row.method]}${network}`;
}

async function readSessions(client: Queryable, notices: readonly DueNotice[]): Promise<SessionRow[]> {
  const { rows } = await client.query<SessionRow>({
    name: "read_told_sessions",
    text: `
      select coalesce(started_with, method) as method, coalesce(started_at, authenticated_at) as at, user_agent, network
        from sessions where id = any ($1) order by id`,
    values: [subjectsOf(notices).ids],
  });
  return rows;
}
