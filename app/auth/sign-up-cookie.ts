import "server-only";
import { cookies } from "next/headers";
import { SIGN_UP_LIFETIME_MS } from "@/lib/core/sign-in/sign-up";
import { getRuntime } from "@/lib/next/runtime";

/** Links the sign-up steps in this browser; it authenticates nobody. */
export async function readSignUpCookie(): Promise<string | null> {
  return (await cookies()).get(cookieKind().name)?.value ?? null;
}

export async function writeSignUpCookie(token: string): Promise<void> {
  const { name, secure } = cookieKind();
  const jar = await cookies();
  const maxAge = SIGN_UP_LIFETIME_MS / 1_000;
  jar.set(name, token, { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge });
}

export async function clearSignUpCookie(): Promise<void> {
  const { name, secure } = cookieKind();
  const jar = await cookies();
  jar.set(name, "", { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: 0 });
}

/**
 * `__Host-`: no other host of the domain can plant one, which would make a victim verify an address for the attacker.
 * Browsers accept the name over TLS only.
 */
function cookieKind(): { name: string; secure: boolean } {
  const secure = getRuntime().services.appUrl.startsWith("https://");
  return { name: secure ? "__Host-sluice-sign-up" : "sluice-sign-up", secure };
}
