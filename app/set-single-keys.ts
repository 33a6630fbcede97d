"use server";

import { cookies } from "next/headers";
import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { KEYS_COOKIE, KEYS_COOKIE_MAX_AGE_SECONDS } from "@/lib/contract/views/keys-cookie";

/** Switches single keys on or off in this browser, for a year. Changes nothing but the caller's own cookie. */
export async function setSingleKeys(isOn: boolean): Promise<void> {
  (await cookies()).set(KEYS_COOKIE, readInput(z.boolean(), isOn) ? "on" : "off", {
    maxAge: KEYS_COOKIE_MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
  });
}
