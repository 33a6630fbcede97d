import { z } from "zod";

/**
 * Control characters forge lines in logs and mails; bidirectional overrides make a text read otherwise than it is
 * written ("$10 ot…"), which an approver must never meet. Line breaks and tabs are refused with them: these texts
 * are one paragraph.
 */
const FORBIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u;
/** Half of a surrogate pair cannot be stored as UTF-8. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Free text by a caller: at most `maximumLength` characters, nothing invisible that deceives a reader. */
export function plainText(maximumLength: number) {
  return z
    .string()
    .max(maximumLength, `must be at most ${maximumLength} characters`)
    .refine((text) => !FORBIDDEN.test(text) && !LONE_SURROGATE.test(text), {
      message: "must not contain control or bidirectional-override characters",
    });
}
