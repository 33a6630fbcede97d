"use server";

import { cookies } from "next/headers";
import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import {
  KEYS_COOKIE,
  KEYS_COOKIE_MAX_AGE_SECONDS,
  parseTheme,
  THEME_COOKIE,
  THEME_COOKIE_MAX_AGE_SECONDS,
  type Theme,
} from "@/lib/contract/browser/setting";

/** For a year. Needs no session: it only sets the caller's cookie. */
export async function setTheme(theme: Theme): Promise<void> {
  (await cookies()).set(THEME_COOKIE, parseTheme(theme), {
    maxAge: THEME_COOKIE_MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
  });
}

/** For a year. Needs no session: it only sets the caller's cookie. */
export async function setSingleKeys(isOn: boolean): Promise<void> {
  (await cookies()).set(KEYS_COOKIE, readInput(z.boolean(), isOn) ? "on" : "off", {
    maxAge: KEYS_COOKIE_MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
  });
}
