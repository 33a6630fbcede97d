import { z } from "zod";

/** Spans that the form offers, in hours. */
export const REPLAY_HOURS = [1, 24, 168, 720] as const;

/** From when failed deliveries are sent again. */
export const replaySinceSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("HOURS"), hours: z.literal(REPLAY_HOURS) }),
  /** As an input of a date and a time gives it, in the organization's time zone: `2026-11-20T13:40`. */
  z.strictObject({
    kind: z.literal("LOCAL"),
    local: z.iso.datetime({ local: true, precision: -1 }).regex(/[0-9]$/),
  }),
]);
export type ReplaySince = z.infer<typeof replaySinceSchema>;
