import {
  NOTICES,
  NOTIFICATION_TOPICS,
  type NoticeKind,
  type NoticeKindOf,
  type NotificationTopic,
} from "@/lib/contract/notifications";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { OutgoingNotice } from "@/lib/core/notifications/queue-messages";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import type { MessageSetting, RenderedEmail, WhySent } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import {
  type DigestContent,
  type Line,
  MAX_LISTED_LINES,
  type NoticeContent,
  renderDigest,
  renderNotice,
} from "@/lib/words/messages/notice";

/** What every handler needs. */
export interface NoticeContext {
  client: Queryable;
  appUrl: string;
  isSandboxBank: boolean;
  log: Services["log"];
}

/** Turns notices of one kind into a message. Null: it is no longer relevant. */
export interface NoticeHandler {
  one(context: NoticeContext, notice: DueNotice): Promise<OutgoingNotice | null>;
  /** At least two notices with the same digest key. Null: never combined nor deferred. */
  digest: ((context: NoticeContext, notices: readonly DueNotice[]) => Promise<OutgoingNotice | null>) | null;
}

/** A handler for each notice of a topic. */
export type HandlersOf<Topic extends NotificationTopic> = Readonly<
  Record<NoticeKindOf<Topic>, NoticeHandler>
>;

/** Sentences about facts, each written once for all channels. Names in them are marked (`isolatedName`). */
interface NoticeWords<Facts> {
  /** Subject and heading. */
  headline: Words<Facts>;
  /** Below it; null: left out. */
  lines: (facts: Facts, moment: Moment) => readonly (Line | null)[];
  /** What an inbox and a device show after the headline; unset: the first line. */
  preview?: (facts: Facts, moment: Moment) => string;
  action: (facts: Facts) => Action;
  /** Under the button: what to do if it was not intended, or what follows. */
  note: Words<Facts>;
  /** After `Sluice: `; without names. */
  sms: Words<Facts>;
  /** Null: never combined nor deferred, because it changes where money can go or what everyone can do, or is rare. */
  digest: DigestWords<Facts> | null;
}

/** From the sixth in an hour. `all` is never empty. */
interface DigestWords<Facts> {
  headline: (all: readonly Facts[]) => string;
  /** The line below it; null: none. */
  sentence: Words<readonly Facts[]> | null;
  /** One each. */
  line: (facts: Facts, moment: Moment) => string;
  action: (all: readonly Facts[]) => Action;
  sms: (all: readonly Facts[]) => string;
}

type Words<Facts> = string | ((facts: Facts) => string);
/** Writes a time in the organization's zone. */
type Moment = (instant: Date) => string;

interface Action {
  label: string;
  /** A path of this server. */
  href: string;
}

/** Notices of one organization whose facts are read at once. */
export interface Reading {
  client: Queryable;
  organizationId: string;
  /** The subjects of the notices. */
  ids: string[];
  notices: readonly DueNotice[];
  /** Business time. */
  now: Date;
}

interface NoticeDefinition<Facts> {
  kind: NoticeKind;
  /** The facts as they are now, the gravest first; what is no longer true is left out, and none sends nothing. */
  read: (reading: Reading) => Promise<readonly Facts[]>;
  say: NoticeWords<Facts>;
  /** The member whom it is about, who needs no message. */
  except?: (facts: Facts) => string;
}

type RenderSetting = MessageSetting & Pick<NoticeContext, "appUrl">;
interface Rendered {
  email: RenderedEmail;
  sms: string;
}

export interface Notice<Facts> extends NoticeHandler {
  /** Why someone gets it. */
  why: WhySent;
  render: (facts: Facts, setting: RenderSetting) => Rendered;
  /** Null: never combined. @param all at least one, the gravest first */
  renderDigest: ((all: readonly Facts[], setting: RenderSetting) => Rendered) | null;
}

/** A notice as data: its topic and recipients are those of its kind in lib/contract/notifications.ts. */
export function noticeKind<Facts>({ kind, read, say, except }: NoticeDefinition<Facts>): Notice<Facts> {
  const why = whySent(kind);
  const render = (facts: Facts, setting: RenderSetting) =>
    renderNotice(contentOf(say, facts, why, setting), setting);
  const { digest } = say;
  const renderAll =
    digest &&
    ((all: readonly Facts[], setting: RenderSetting) =>
      renderDigest(digestOf(digest, all, why, setting), setting));
  const outgoing = (rendered: Rendered, exceptUserId: string | null): OutgoingNotice => ({
    kind,
    proposalIds: [],
    exceptUserId,
    ...rendered,
  });
  return {
    why,
    render,
    renderDigest: renderAll,
    one: async (context, notice) => {
      const [facts] = await read(readingOf(context, [notice]));
      if (facts === undefined) return null;
      return outgoing(render(facts, settingOf(context, notice)), except?.(facts) ?? null);
    },
    digest:
      renderAll &&
      (async (context, notices) => {
        const [first] = notices;
        const all = first ? await read(readingOf(context, notices)) : [];
        return first && all.length > 0 ? outgoing(renderAll(all, settingOf(context, first)), null) : null;
      }),
  };
}

/** Whether one can switch it off, and that it concerns oneself, follows from its kind. */
function whySent(kind: NoticeKind): WhySent {
  const { topic, isPersonal } = NOTICES[kind];
  if (isPersonal) return "OWN_SIGN_IN";
  return NOTIFICATION_TOPICS[topic].email === "ALWAYS" ? "SECURITY" : "CHOSEN";
}

function contentOf<Facts>(
  say: NoticeWords<Facts>,
  facts: Facts,
  why: WhySent,
  { timeZone, appUrl }: RenderSetting,
): NoticeContent {
  const moment = (instant: Date) => formatMoment(instant, timeZone);
  return {
    headline: inWords(say.headline, facts),
    lines: say.lines(facts, moment),
    preview: say.preview?.(facts, moment) ?? null,
    action: withUrl(say.action(facts), appUrl),
    note: inWords(say.note, facts),
    why,
    sms: inWords(say.sms, facts),
  };
}

function digestOf<Facts>(
  words: DigestWords<Facts>,
  all: readonly Facts[],
  why: WhySent,
  { timeZone, appUrl }: RenderSetting,
): DigestContent {
  const moment = (instant: Date) => formatMoment(instant, timeZone);
  return {
    count: all.length,
    headline: words.headline(all),
    sentence: words.sentence === null ? null : inWords(words.sentence, all),
    lines: all.slice(0, MAX_LISTED_LINES).map((facts) => words.line(facts, moment)),
    action: withUrl(words.action(all), appUrl),
    why,
    sms: words.sms(all),
  };
}

function inWords<Facts>(words: Words<Facts>, facts: Facts): string {
  return typeof words === "string" ? words : words(facts);
}

function withUrl({ label, href }: Action, appUrl: string): { label: string; url: string } {
  return { label, url: `${appUrl}${href}` };
}

/** For handlers by hand too. */
export function settingOf(
  { appUrl, isSandboxBank }: NoticeContext,
  { organizationName, timeZone }: Pick<DueNotice, "organizationName" | "timeZone">,
): RenderSetting {
  return { organizationName, timeZone, isSandboxBank, appUrl };
}

function readingOf({ client }: NoticeContext, notices: readonly DueNotice[]): Reading {
  const [first] = notices;
  if (!first) throw new RangeError("There is no notice to read for");
  return { client, notices, now: first.now, ...subjectsOf(notices) };
}

/** For notices of one organization, whose subjects are read at once. */
export function subjectsOf(notices: readonly DueNotice[]): { organizationId: string; ids: string[] } {
  const organizationId = notices[0]?.organizationId ?? "";
  return { organizationId, ids: [...new Set(notices.map(({ subjectId }) => subjectId))] };
}
