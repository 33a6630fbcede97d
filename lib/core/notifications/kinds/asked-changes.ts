import { askedChangeHref, payeeHref, ruleHref } from "@/lib/contract/hrefs";
import {
  type AskedChangeState,
  wantedChangeSchema,
  wantedConfirmationSchema,
} from "@/lib/contract/policies/asked-change";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { type AskedChangeWords, askedChangeWords, confirmationWords } from "@/lib/words/asked-change-words";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

/** A change that waits for signatures, or how it ended. */
export interface ChangeNews {
  id: string;
  /** With marked names. */
  words: AskedChangeWords;
  /** Where it is signed. */
  href: string;
  state: AskedChangeState;
  askedBy: string;
  askedAt: Date;
  expiresAt: Date;
  /** Null: it waits, or ended by itself. */
  endedBy: string | null;
}

interface NewsRow extends Omit<ChangeNews, "words" | "href"> {
  wanted: unknown;
  subject: string | null;
}

async function readNews({ client, organizationId, ids }: Reading): Promise<ChangeNews[]> {
  const { rows } = await client.query<NewsRow>({
    name: "read_asked_change_news",
    text: `select c.id, c.wanted, c.subject, c.state, requester.name as "askedBy", c.asked_at as "askedAt",
          c.expires_at as "expiresAt", ender.name as "endedBy"
        from asked_changes c join users requester on requester.id = c.asked_by left join users ender on ender.id = c.ended_by
       where c.organization_id = $1 and c.id = any ($2)
       order by c.id`,
    values: [organizationId, ids],
  });
  return rows.map(({ wanted, subject, ...news }) => ({
    ...news,
    ...describe(wanted, { id: news.id, name: isolatedName(subject ?? "") }),
  }));
}

function describe(
  wanted: unknown,
  { id, name }: { id: string; name: string },
): Pick<ChangeNews, "words" | "href"> {
  const confirmation = wantedConfirmationSchema.safeParse(wanted).data;
  if (!confirmation) {
    return { words: askedChangeWords(wantedChangeSchema.parse(wanted), name), href: askedChangeHref(id) };
  }
  return {
    words: confirmationWords(confirmation, name),
    href:
      confirmation.what === "PAYEE"
        ? payeeHref(confirmation.payeeId)
        : ruleHref(confirmation.ruleId, confirmation.version),
  };
}

const fromTo = ({ before, after }: AskedChangeWords) => `Now: ${before}. Wanted: ${after}.`;
const action = ({ href }: ChangeNews) => ({ label: "See the change", href });
const NOTE = "You sign with your passkey or password; this email alone signs nothing.";

/** One that was signed by all, denied or withdrawn meanwhile waits for nobody. */
const readWaiting = async (reading: Reading) =>
  (await readNews(reading)).filter(({ state, expiresAt }) => state === "WAITING" && expiresAt > reading.now);

/** Someone wants to let more through, and who must approve asks for this person's signature. */
export const changeSignatureAsked = noticeKind<ChangeNews>({
  kind: "CHANGE_SIGNATURE_ASKED",
  read: readWaiting,
  say: {
    headline: ({ words }) => `${words.title}: this waits for your signature`,
    lines: ({ words, askedBy, askedAt, expiresAt }, moment) => [
      fromTo(words),
      words.follows,
      `${isolatedName(askedBy)} asked for it ${moment(askedAt)}. It can be signed until ${moment(expiresAt)}.`,
    ],
    action,
    note: NOTE,
    sms: "a change that lets more through waits for your signature.",
    digest: null,
  },
});

/** Its time is nearly over. */
export const changeSignatureReminder = noticeKind<ChangeNews>({
  kind: "CHANGE_SIGNATURE_REMINDER",
  read: readWaiting,
  say: {
    headline: ({ words }) => `${words.title}: this soon expires without your signature`,
    lines: ({ words, askedBy, expiresAt }, moment) => [
      fromTo(words),
      `${isolatedName(askedBy)} asked for it. It can be signed until ${moment(expiresAt)}; then it stays as it is.`,
    ],
    action,
    note: NOTE,
    sms: "a change that waits for your signature soon expires.",
    digest: null,
  },
});

const END: Partial<Record<AskedChangeState, string>> = {
  DONE: "signed by all, and in force",
  DENIED: "denied",
  EXPIRED: "expired without all signatures",
};

/** To who asked for it. What they ended themself, or what ended with another change, says nothing. */
export const changeEnded = noticeKind<ChangeNews & { end: string }>({
  kind: "CHANGE_ENDED",
  read: async (reading) =>
    (await readNews(reading)).flatMap((news) => {
      const end = END[news.state];
      return end === undefined ? [] : [{ ...news, end }];
    }),
  say: {
    headline: ({ words, end }) => `${words.title}: ${end}`,
    lines: ({ words, state, endedBy }) => [
      state === "DONE"
        ? `It was ${words.before}, and is now ${words.after}.`
        : `It stays at ${words.before}.`,
      endedBy === null
        ? null
        : `${isolatedName(endedBy)} ${state === "DONE" ? "gave the last signature" : "denied it"}.`,
    ],
    action,
    note: ({ state }) =>
      state === "DONE" ? "Everyone who decides has learned of it." : "You can ask for it again.",
    sms: ({ end }) => `a change that you asked for was ${end}.`,
    digest: null,
  },
});

export const askedChangeNotices: Pick<
  HandlersOf<"APPROVALS" | "DECISIONS">,
  "CHANGE_SIGNATURE_ASKED" | "CHANGE_SIGNATURE_REMINDER" | "CHANGE_ENDED"
> = {
  CHANGE_SIGNATURE_ASKED: changeSignatureAsked,
  CHANGE_SIGNATURE_REMINDER: changeSignatureReminder,
  CHANGE_ENDED: changeEnded,
};
