import "server-only";
import { cookies } from "next/headers";
import { NextRequest } from "next/server";
import { usesSecureCookies } from "@/lib/core/shared/session";
import { readBoundedBody } from "@/lib/next/read-bounded-body";
import { getRuntime } from "@/lib/next/runtime";

/** Enough for an email, a password and a passkey assertion. */
const MAXIMUM_BODY_BYTES = 64 * 1024;
const MAXIMUM_URL_LENGTH = 2_000;
const CALLBACK = "callbackUrl";

/**
 * Sanitizes a request for next-auth, which answers 500 to unreadable URLs, cookies and bodies, and reads bodies of any
 * length.
 * @returns null for a request that no real client sends
 */
export async function settleAuthRequest(request: Request): Promise<NextRequest | null> {
  const { appUrl } = getRuntime().services;
  const kept = (await cookies()).get(`${usesSecureCookies(appUrl) ? "__Secure-" : ""}next-auth.callback-url`);
  if (kept !== undefined && settleAddress(kept.value, appUrl) === null) return null;
  const url = new URL(request.url);
  if (!settleCallback(url.searchParams, appUrl)) return null;
  // Credentials come in a body; next-auth answers 500 to anything else.
  if (request.method !== "POST" && url.pathname.includes("/callback")) return null;
  if (request.method !== "POST") return new NextRequest(url, { headers: request.headers });
  const fields = await readFields(request);
  if (fields === null || !settleCallback(fields, appUrl)) return null;
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  headers.set("content-type", "application/x-www-form-urlencoded");
  return new NextRequest(url, { method: "POST", headers, body: fields.toString() });
}

/** @returns false for an invalid callback URL */
function settleCallback(fields: URLSearchParams, appUrl: string): boolean {
  const given = fields.get(CALLBACK);
  if (given === null) return true;
  const address = settleAddress(given, appUrl);
  if (address === null) return false;
  fields.set(CALLBACK, address);
  return true;
}

/** Absolute and escaped; next-auth decides whether to allow it. */
function settleAddress(given: string, appUrl: string): string | null {
  // As next-auth does: a local path or an absolute URL.
  const base = given.startsWith("/") ? appUrl : undefined;
  if (given.length > MAXIMUM_URL_LENGTH || !URL.canParse(given, base)) return null;
  const { protocol, href } = new URL(given, base);
  return protocol === "http:" || protocol === "https:" ? href : null;
}

/** Null: too large, or not an object. */
async function readFields(request: Request): Promise<URLSearchParams | null> {
  const body = await readBoundedBody(request, MAXIMUM_BODY_BYTES);
  if (body === null) return null;
  const text = body.toString("utf8");
  if (!request.headers.get("content-type")?.includes("application/json")) return new URLSearchParams(text);
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given !== "object" || given === null) return null;
    const fields = Object.entries(given).filter(
      (field): field is [string, string] => typeof field[1] === "string",
    );
    return new URLSearchParams(fields);
  } catch {
    return null;
  }
}
