import "server-only";
import { headers } from "next/headers";
import { forbidden, redirect } from "next/navigation";
import { cache } from "react";
import { proposalOf, secondFactorHref, signInHref } from "@/app/auth/return-path";
import { readSessionCookie } from "@/app/auth/session-cookie";
import { parseShown, SHOWN_HEADER } from "@/lib/contract/shown";
import type { ElsewhereView } from "@/lib/contract/views/elsewhere-view";
import { findProposalOrganization } from "@/lib/core/approvals/find-proposal-organization";
import { type CurrentSession, readSession } from "@/lib/core/sign-in/read-session";
import { notePageMember } from "@/lib/next/page-request";
import { getRuntime } from "@/lib/next/runtime";

/**
 * Whose browser this is, also where they have yet to give the second factor that their organization asks for
 * (`lacksSecondFactor`): for what is theirs alone, and for nothing of the organization. Read once per request. Null:
 * nobody's, or of a session that has ended.
 */
export const currentSession = cache(async (): Promise<CurrentSession | null> => sessionOf(null));

/** The session as a page sees it whose address names a proposal: in that proposal's organization, if it is theirs. */
const sessionOf = cache(async (proposalId: string | null): Promise<CurrentSession | null> => {
  const cookie = await readSessionCookie();
  if (!cookie) return null;
  const { services } = getRuntime();
  const current = await readSession(services, cookie.sessionId);
  if (current?.actor.id !== cookie.userId) return null;
  const organizationId =
    proposalId === null ? null : await findProposalOrganization(services, current.actor, proposalId);
  const seen =
    organizationId === null || organizationId === current.organization.id
      ? current
      : await readSession(services, cookie.sessionId, organizationId);
  if (seen) notePageMember(seen);
  return seen;
});

/** The same as the page at this path sees it, which may be about a proposal of another of their organizations. */
export function sessionAt(path: string): Promise<CurrentSession | null> {
  return sessionOf(proposalOf(path));
}

/** Who asks, with organization and role as the database has them now. Null: nobody whom the organization lets in. */
export async function currentMember(): Promise<CurrentSession | null> {
  const session = await currentSession();
  return session?.lacksSecondFactor ? null : session;
}

/**
 * Who opens a page; sends everybody else to sign in first, or to give their second factor, and back to `returnTo` then.
 * A tab that showed one organization never turns into another: the page in its place says so (app/forbidden.tsx).
 * @param returnTo path of this page with its query, e.g. `/?approvalTransferId=…`, which shows that proposal's organization
 */
export async function requireMember(returnTo: string): Promise<CurrentSession> {
  const session = await sessionAt(returnTo);
  if (session === null) redirect(signInHref(returnTo));
  const shown = parseShown((await headers()).get(SHOWN_HEADER));
  if (shown !== null && shown.organizationId !== session.organization.id) forbidden();
  if (session.lacksSecondFactor) redirect(secondFactorHref(returnTo));
  return session;
}

/** Null where the page showed the organization that the session looks at. */
function elsewhereOf({ organization, organizations }: CurrentSession, shownId: string): ElsewhereView | null {
  if (shownId === organization.id) return null;
  const shown = organizations.find(({ id }) => id === shownId) ?? null;
  return { shown, current: { id: organization.id, name: organization.name } };
}

/** What is answered to whom, where they ask for something else than a page. */
export const ASKING_STATUS = { SIGNED_OUT: 401, SECOND_FACTOR: 401, NOT_SHOWN: 400, ELSEWHERE: 409 } as const;

interface NotAsking {
  kind: "REFUSED";
  because: keyof typeof ASKING_STATUS;
  /** Sentences that say why, and the way on. */
  message: string;
  /** With `ELSEWHERE`. */
  elsewhere: ElsewhereView | null;
}

type Asking = { kind: "MEMBER"; member: CurrentSession } | NotAsking;

export interface AskingOptions {
  /** What the page showed, where it comes in a form or an address; otherwise it is in a header. */
  shown?: unknown;
  /** The proposal that the request is about by its address. */
  proposalId?: string;
  /** Also for whom their organization does not let in yet: what is theirs alone. */
  isOwnPerson?: boolean;
}

/**
 * Who acts on a page, downloads from it, or polls for it. The one way to them: without what the page showed, or with
 * another organization than the session's, nothing happens, so nothing lands in an organization that was not on the screen.
 */
export async function askingMember(options: AskingOptions = {}): Promise<Asking> {
  const shown = parseShown(options.shown ?? (await headers()).get(SHOWN_HEADER));
  const session = await sessionOf(options.proposalId ?? shown?.proposalId ?? null);
  if (session === null)
    return refused("SIGNED_OUT", "You were signed out. Sign in again in another tab, then try again here.");
  if (shown === null) return refused("NOT_SHOWN", "This did not come from a page of Sluice. Load it again.");
  const elsewhere = elsewhereOf(session, shown.organizationId);
  if (elsewhere) return { ...refused("ELSEWHERE", elsewhereSentence(elsewhere)), elsewhere };
  if (session.lacksSecondFactor && !options.isOwnPerson)
    return refused(
      "SECOND_FACTOR",
      "Your organization asks for a second factor now. Load this page again to give one.",
    );
  return { kind: "MEMBER", member: session };
}

function refused(because: NotAsking["because"], why: string): NotAsking {
  return { kind: "REFUSED", because, message: `${why} Nothing was changed.`, elsewhere: null };
}

function elsewhereSentence({ shown, current }: ElsewhereView): string {
  if (!shown)
    return `You no longer belong to the organization that this page showed. Load the page again to continue in ${current.name}.`;
  return `This came from a page of ${shown.name}, but you switched to ${current.name} since. Switch back to ${shown.name} in the account menu, or load the page again to continue in ${current.name}.`;
}
