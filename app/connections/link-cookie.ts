import "server-only";
import { cookies } from "next/headers";
import { type KeptLink, keptLinkSchema } from "@/lib/core/connections/begin-connecting";
import { getRuntime } from "@/lib/next/runtime";

/** Signing in at a bank takes minutes; Plaid's token is valid for hours. */
const MAX_AGE_SECONDS = 30 * 60;

/** The banks' redirect target; the cookie is sent to no other path. */
const RETURN_PATH = "/accounts/connect/return";

/**
 * Keeps the link token for a bank's redirect back. An HttpOnly cookie keeps it out of URLs and scripts, and expires.
 */
export async function keepLink(link: KeptLink): Promise<void> {
  const value = Buffer.from(JSON.stringify(link)).toString("base64url");
  await set(value, MAX_AGE_SECONDS);
}

/** The kept token; null if there is none or it is malformed. */
export async function readKeptLink(): Promise<KeptLink | null> {
  const value = (await cookies()).get(cookieKind().name)?.value;
  if (value === undefined) return null;
  try {
    return keptLinkSchema.parse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** Called once the link is used or has ended. */
export async function forgetLink(): Promise<void> {
  await set("", 0);
}

async function set(value: string, maxAge: number): Promise<void> {
  const { name, secure } = cookieKind();
  const jar = await cookies();
  // Lax, since the cookie must arrive with the bank's redirect.
  jar.set(name, value, { httpOnly: true, sameSite: "lax", secure, path: RETURN_PATH, maxAge });
}

function cookieKind(): { name: string; secure: boolean } {
  const secure = getRuntime().services.appUrl.startsWith("https://");
  return { name: `${secure ? "__Secure-" : ""}sluice-link`, secure };
}
