import { z } from "zod";

/**
 * How the sandbox's receiver of webhooks answers: as it should, with 503, 500 or 410, not before the sender gives up,
 * or as it should but for every third.
 */
export const receiverModeSchema = z.enum(["OK", "UNAVAILABLE", "ERROR", "GONE", "SILENT", "FLAKY"]);
export type ReceiverMode = z.infer<typeof receiverModeSchema>;

/** How many deliveries it remembers. */
export const REMEMBERED_RECEIPTS = 20;
/** Longer than the sender waits, and no longer than a stopping process drains. */
export const SILENCE_MS = 15_000;
