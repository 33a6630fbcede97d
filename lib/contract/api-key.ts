import { z } from "zod";
import { permissionsSchema } from "@/lib/contract/permissions";
import { plainText } from "@/lib/contract/plain-text";

export const MAXIMUM_KEY_NAME_LENGTH = 60;

export const keyNameSchema = plainText(MAXIMUM_KEY_NAME_LENGTH).trim().min(1, "must not be empty");

/** What a person asks for when they make a key. */
export const newKeySchema = z.object({ name: keyNameSchema, permissions: permissionsSchema });
export type NewKeyInput = z.input<typeof newKeySchema>;

/** How long a replaced key goes on working. */
export const graceSchema = z.enum(["NONE", "ONE_HOUR", "ONE_DAY"]);
export type Grace = z.infer<typeof graceSchema>;

const HOUR_MS = 3_600_000;
export const GRACE_MS: Record<Grace, number> = { NONE: 0, ONE_HOUR: HOUR_MS, ONE_DAY: 24 * HOUR_MS };
