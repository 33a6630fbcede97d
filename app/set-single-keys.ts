"use server";

import { cookies } from "next/headers";
import {
  SINGLE_KEYS_COOKIE,
  SINGLE_KEYS_COOKIE_MAX_AGE_SECONDS,
} from "@/lib/contract/views/single-keys-cookie";

/** Keeps the choice for a year. Needs no session: it changes nothing but the caller's own cookie. */
export async function setSingleKeys(areOn: boolean): Promise<void> {
  (await cookies()).set(SINGLE_KEYS_COOKIE, areOn === false ? "off" : "on", {
    maxAge: SINGLE_KEYS_COOKIE_MAX_AGE_SECONDS,
    // The shortcuts read it in the browser.
    httpOnly: false,
    sameSite: "lax",
    path: "/",
  });
}
