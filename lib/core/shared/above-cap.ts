import { z } from "zod";

/** Why what a key asks for waits for a person: the key's daily cap, and what it had set moving of it. Cents. */
export const aboveCapSchema = z.object({ capInCents: z.int(), usedInCents: z.int() });
export type AboveCap = z.infer<typeof aboveCapSchema>;
