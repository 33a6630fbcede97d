import { z } from "zod";

const HOME = "/";
const MAXIMUM_LENGTH = 2_000;
/** Stands for this server while a path is read; no browser ever sees it. */
const HERE = "http://this.invalid";
const SIGN_IN_PATH = "/sign-in";
const SECOND_FACTOR_PATH = "/second-factor";

/**
 * Where one comes back to after signing in: a path of this server with its query, else the home page. A link that
 * signs people in and then sends them to another site (`//evil.example`, `/\evil.example`, `javascript:`) would make
 * phishing of ours.
 */
export function returnPath(next: unknown): string {
  if (typeof next !== "string" || next.length > MAXIMUM_LENGTH) return HOME;
  // Browsers drop control characters and read a backslash as a slash, so what follows them is not what it seems.
  if (!next.startsWith("/") || /[\\\p{Cc}]/u.test(next)) return HOME;
  if (!URL.canParse(next, HERE)) return HOME;
  const url = new URL(next, HERE);
  if (url.origin !== HERE) return HOME;
  // `/.//evil.example` is on this server when read, and on another when its path is followed.
  if (url.pathname.startsWith("//")) return HOME;
  // Not a page, or the page that one would come from.
  if (url.pathname === SIGN_IN_PATH || url.pathname === SECOND_FACTOR_PATH) return HOME;
  if (url.pathname.startsWith("/api/")) return HOME;
  return url.pathname + url.search + url.hash;
}

/** The proposal that the page at this path is about; null: another page. */
export function proposalOf(path: string): string | null {
  const { pathname, searchParams } = new URL(path, HERE);
  const id = searchParams.get("approvalTransferId");
  return pathname === HOME && id !== null && z.uuid().safeParse(id).success ? id : null;
}

/** The address of the sign-in page that comes back to `returnTo`. */
export function signInHref(returnTo: string): string {
  return hrefBackTo(SIGN_IN_PATH, returnTo);
}

/** The address of the page that takes a second factor and comes back to `returnTo`. */
export function secondFactorHref(returnTo: string): string {
  return hrefBackTo(SECOND_FACTOR_PATH, returnTo);
}

function hrefBackTo(path: string, returnTo: string): string {
  const next = returnPath(returnTo);
  return next === HOME ? path : `${path}?${new URLSearchParams({ next })}`;
}
