import "server-only";
import { cookies } from "next/headers";
import { BROWSER_LIFETIME_MS, formatBrowserIds, parseBrowserIds } from "@/lib/core/shared/known-browsers";
import { getRuntime } from "@/lib/next/runtime";

/** What this browser keeps of earlier sign-ins, so that one from another browser is told of. */
export async function readBrowserIds(): Promise<string[]> {
  return parseBrowserIds((await cookies()).get(cookieKind().name)?.value);
}

/** After a sign-in. It signs nobody in, and outlives the session: it says only that this browser is no news. */
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

/** `__Host-`: no other host of the domain can plant one. Browsers take that name over TLS only. */
function cookieKind(): { name: string; secure: boolean } {
  const secure = getRuntime().services.appUrl.startsWith("https://");
  return { name: secure ? "__Host-sluice-browser" : "sluice-browser", secure };
}
