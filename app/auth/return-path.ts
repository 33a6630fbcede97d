import { z } from "zod";

const HOME = "/";
const MAXIMUM_LENGTH = 2_000;
/** Base for parsing paths; never sent to a browser. */
const HERE = "http://this.invalid";
const SIGN_IN_PATH = "/sign-in";
const SECOND_FACTOR_PATH = "/second-factor";

/**
 * The path to return to after sign-in, else the home page. An open redirect (`//evil.example`, `/\evil.example`,
 * `javascript:`) would make our sign-in page a phishing tool.
 */
export function returnPath(next: unknown): string {
  if (typeof next !== "string" || next.length > MAXIMUM_LENGTH) return HOME;
  // Browsers drop control characters and read a backslash as a slash.
  if (!next.startsWith("/") || /[\\\p{Cc}]/u.test(next)) return HOME;
  if (!URL.canParse(next, HERE)) return HOME;
  const url = new URL(next, HERE);
  if (url.origin !== HERE) return HOME;
  // `/.//evil.example` parses as local, but its path leads to another host.
  if (url.pathname.startsWith("//")) return HOME;
  // Not a page, or the page itself.
  if (url.pathname === SIGN_IN_PATH || url.pathname === SECOND_FACTOR_PATH) return HOME;
  if (url.pathname.startsWith("/api/")) return HOME;
  return url.pathname + url.search + url.hash;
}

/** Null: not a page about a proposal. */
export function proposalOf(path: string): string | null {
  const { pathname, searchParams } = new URL(path, HERE);
  const id = searchParams.get("approvalTransferId");
  return pathname === HOME && id !== null && z.uuid().safeParse(id).success ? id : null;
}

export function signInHref(returnTo: string): string {
  return hrefBackTo(SIGN_IN_PATH, returnTo);
}

export function secondFactorHref(returnTo: string): string {
  return hrefBackTo(SECOND_FACTOR_PATH, returnTo);
}

function hrefBackTo(path: string, returnTo: string): string {
  const next = returnPath(returnTo);
  return next === HOME ? path : `${path}?${new URLSearchParams({ next })}`;
}
