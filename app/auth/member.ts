import "server-only";
import { redirect } from "next/navigation";
import { cache } from "react";
import { proposalOf, secondFactorHref, signInHref } from "@/app/auth/return-path";
import { readSessionCookie } from "@/app/auth/session-cookie";
import { type ElsewhereView, signedInAs } from "@/lib/contract/browser/elsewhere";
import { formatShown, parseShown, type Shown } from "@/lib/contract/shown";
import { type CurrentSession, readSession } from "@/lib/core/sign-in/read-session";
import { notePageMember } from "@/lib/next/page-request";
import { getRuntime } from "@/lib/next/runtime";

/**
 * The session of this browser, also before a required second factor (`lacksSecondFactor`): use it only for the person's
 * own data. Read once per request. Null: none, or ended.
 */
export const currentSession = cache(async (): Promise<CurrentSession | null> => sessionOf(null));

/** A URL that names a proposal selects that proposal's organization, if the member belongs to it. */
const sessionOf = cache(async (proposalId: string | null): Promise<CurrentSession | null> => {
  const cookie = await readSessionCookie();
  if (!cookie) return null;
  const { services } = getRuntime();
  const seen = await readSession(services, cookie.sessionId, proposalId);
  if (seen?.actor.id !== cookie.userId) return null;
  notePageMember(seen);
  return seen;
});

/** The session for a path, which may name a proposal of another organization. */
export function sessionAt(path: string): Promise<CurrentSession | null> {
  return sessionOf(proposalOf(path));
}

/** Organization and role are read from the database. Null: not signed in, or a second factor is missing. */
export async function currentMember(): Promise<CurrentSession | null> {
  const session = await currentSession();
  return session === null || session.lacksSecondFactor ? null : session;
}

/**
 * The member who opens a page; others are redirected to sign in or to give their second factor, and back to `returnTo`.
 * A page shows the session's member and organization, which its shell names; what a tab shows from before acts on nothing.
 * @param returnTo path of this page with its query, e.g. `/?approvalTransferId=…`, which shows that proposal's
 * organization
 */
export async function requireMember(returnTo: string): Promise<CurrentSession> {
  const session = await sessionAt(returnTo);
  if (session === null) redirect(signInHref(returnTo));
  if (session.lacksSecondFactor) redirect(secondFactorHref(returnTo));
  return session;
}

/** Null: the page showed the session's member and organization. */
function elsewhereOf(
  { actor, organization, organizations }: CurrentSession,
  { userId, organizationId }: Shown,
): ElsewhereView | null {
  if (userId !== actor.id) return { kind: "PERSON", name: actor.name };
  if (organizationId === organization.id) return null;
  return {
    kind: "ORGANIZATION",
    shown: organizations.find(({ id }) => id === organizationId) ?? null,
    current: { id: organization.id, name: organization.name },
    sends: formatShown({ userId, organizationId: organization.id, proposalId: null }),
  };
}

/** For requests other than pages. */
export const ASKING_STATUS = { SIGNED_OUT: 401, SECOND_FACTOR: 401, NOT_SHOWN: 400, ELSEWHERE: 409 } as const;

interface NotAsking {
  kind: "REFUSED";
  because: keyof typeof ASKING_STATUS;
  message: string;
  /** With `ELSEWHERE`. */
  elsewhere: ElsewhereView | null;
}

type Asking = { kind: "MEMBER"; member: CurrentSession } | NotAsking;

export interface AskingOptions {
  /** What the page showed: untrusted. */
  shown: unknown;
  /** From the request's path. */
  proposalId?: string;
  /** For the person's own data: allowed before a required second factor. */
  isOwnPerson?: boolean;
}

/**
 * The member behind an action, a download or a poll. The only way to them: a request that does not say which member and
 * organization its page showed, or names others than the session's, is refused.
 */
export async function askingMember(options: AskingOptions): Promise<Asking> {
  const shown = parseShown(options.shown);
  const session = await sessionOf(options.proposalId ?? shown?.proposalId ?? null);
  if (session === null)
    return refused("SIGNED_OUT", "You were signed out. Sign in again in another tab, then try again here.");
  if (shown === null) return refused("NOT_SHOWN", "This did not come from a page of Sluice. Load it again.");
  const elsewhere = elsewhereOf(session, shown);
  if (elsewhere) return { ...refused("ELSEWHERE", elsewhereSentence(elsewhere)), elsewhere };
  if (session.lacksSecondFactor && !options.isOwnPerson)
    return refused(
      "SECOND_FACTOR",
      "Your organization now requires a second factor. Reload the page to continue.",
    );
  return { kind: "MEMBER", member: session };
}

function refused(because: NotAsking["because"], why: string): NotAsking {
  return { kind: "REFUSED", because, message: `${why} Nothing was changed.`, elsewhere: null };
}

function elsewhereSentence(elsewhere: ElsewhereView): string {
  if (elsewhere.kind === "PERSON") return signedInAs(elsewhere.name);
  const { shown, current } = elsewhere;
  if (!shown)
    return `You no longer belong to the organization that this page showed. Load the page again to continue in ${current.name}.`;
  return `This came from a page of ${shown.name}, but you switched to ${current.name} since. Switch back to ${shown.name} in the account menu, or load the page again to continue in ${current.name}.`;
}
