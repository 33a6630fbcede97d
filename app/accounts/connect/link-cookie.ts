import "server-only";
import { cookies } from "next/headers";
import { type KeptLink, keptLinkSchema } from "@/lib/core/connections/begin-connecting";
import { getRuntime } from "@/lib/next/runtime";

/** Signing in at a bank takes minutes; Plaid's token lives for hours. */
const MAX_AGE_SECONDS = 30 * 60;

/** Where banks send people back to; the cookie goes to no other address. */
export const RETURN_PATH = "/accounts/connect/return";

/**
 * Keeps what the provider's dialog was opened with, for when a bank sends the member back by address. In a cookie that no
 * script reads, so it stands in no address, and the browser forgets it.
 */
export async function keepLink(link: KeptLink): Promise<void> {
  const value = Buffer.from(JSON.stringify(link)).toString("base64url");
  await set(value, MAX_AGE_SECONDS);
}

/** What this browser kept; null where it did not, or what it sends is none of ours. */
export async function readKeptLink(): Promise<KeptLink | null> {
  const value = (await cookies()).get(cookieKind().name)?.value;
  if (value === undefined) return null;
  try {
    return keptLinkSchema.parse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** It was used, or ended. */
export async function forgetLink(): Promise<void> {
  await set("", 0);
}

async function set(value: string, maxAge: number): Promise<void> {
  const { name, secure } = cookieKind();
  const jar = await cookies();
  // Lax: the bank's page sends the member here, and the cookie has to come along.
  jar.set(name, value, { httpOnly: true, sameSite: "lax", secure, path: RETURN_PATH, maxAge });
}

function cookieKind(): { name: string; secure: boolean } {
  const secure = getRuntime().services.appUrl.startsWith("https://");
  return { name: `${secure ? "__Secure-" : ""}sluice-link`, secure };
}
