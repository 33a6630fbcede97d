"use server";

import { cookies } from "next/headers";
import { z } from "zod";
import { visitorAction } from "@/app/auth/member-action";
import {
  KEYS_COOKIE,
  KEYS_COOKIE_MAX_AGE_SECONDS,
  parseTheme,
  THEME_COOKIE,
  THEME_COOKIE_MAX_AGE_SECONDS,
  type Theme,
} from "@/lib/contract/browser/setting";

/** For a year. Needs no session: it only sets the caller's cookie. */
export const setTheme = visitorAction(
  { input: z.enum(["LIGHT", "DARK", "SYSTEM"]) satisfies z.ZodType<Theme> },
  async (_services, theme) => {
    (await cookies()).set(THEME_COOKIE, parseTheme(theme), {
      maxAge: THEME_COOKIE_MAX_AGE_SECONDS,
      httpOnly: true,
      sameSite: "lax",
      path: "/",
    });
  },
);

/** For a year. Needs no session: it only sets the caller's cookie. */
export const setSingleKeys = visitorAction({ input: z.boolean() }, async (_services, isOn) => {
  (await cookies()).set(KEYS_COOKIE, isOn ? "on" : "off", {
    maxAge: KEYS_COOKIE_MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
  });
});
