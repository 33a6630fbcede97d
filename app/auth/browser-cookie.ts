import "server-only";
import { cookies, headers } from "next/headers";
import { BROWSER_LIFETIME_MS, formatBrowserIds, parseBrowserIds } from "@/lib/core/shared/known-browsers";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import type { BrowserFacts } from "@/lib/core/shared/session";
import { getRuntime } from "@/lib/next/runtime";

/** Marks of earlier sign-ins; a sign-in from a browser without them is reported to the member. */
export async function readBrowserIds(): Promise<string[]> {
  return parseBrowserIds((await cookies()).get(cookieKind().name)?.value);
}

/** Outlives the session and authenticates nothing: it only marks this browser as known. */
export async function writeBrowserIds(ids: readonly string[]): Promise<void> {
  const { name, secure } = cookieKind();
  const jar = await cookies();
  jar.set(name, formatBrowserIds(ids), {
    httpOnly: true,
    sameSite: "lax",
    secure,
    path: "/",
    maxAge: BROWSER_LIFETIME_MS / 1_000,
  });
}

/** `__Host-`: no other host of the domain can plant one. Browsers accept the name over TLS only. */
function cookieKind(): { name: string; secure: boolean } {
  const secure = getRuntime().services.appUrl.startsWith("https://");
  return { name: secure ? "__Host-sluice-browser" : "sluice-browser", secure };
}

/** What a request says about its browser. */
export function browserFacts(
  header: (name: string) => string | null | undefined,
  browserIds: readonly string[],
): BrowserFacts {
  return {
    networkAddress: header(CLIENT_ADDRESS_HEADER) || null,
    userAgent: header("user-agent") ?? "",
    browserIds,
  };
}

export async function readBrowserFacts(): Promise<BrowserFacts> {
  const requestHeaders = await headers();
  return browserFacts((name) => requestHeaders.get(name), await readBrowserIds());
}
