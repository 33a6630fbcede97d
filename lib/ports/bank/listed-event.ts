import { createHash } from "node:crypto";
import { z } from "zod";
import type { ListedEvent } from "@/lib/ports/bank/event-feed";

/** Of an event; kept, indexed and sent back as it is. */
export const eventIdSchema = z.string().regex(/^[!-~]{1,200}$/);
/** Years that PostgreSQL keeps and no bank was before. */
export const eventTimeSchema = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() >= 0);

/**
 * An event of a bank's list; one that is not as documented says so, and delays no other.
 * @param form.schema what it is as documented
 * @param form.timeField where it says when it happened
 */
export function toListed(
  event: unknown,
  { schema, timeField }: { schema: z.ZodType<ListedEvent>; timeField: string },
): ListedEvent {
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") || "the form";
  const text = JSON.stringify(event) ?? "";
  const id = z.object({ id: eventIdSchema }).safeParse(event).data?.id;
  const createdAt = z.object({ [timeField]: eventTimeSchema }).safeParse(event).data?.[timeField];
  return {
    id: id ?? createHash("sha256").update(text).digest("hex"),
    createdAt: createdAt ?? new Date(0),
    about: null,
    unreadable: `${where} of an event is not as documented`,
  };
}
