import type { z } from "zod";
import { tellMoment } from "@/lib/api/mcp/tell/moment";
import { formatCents } from "@/lib/contract/format-cents";
import type { triggerDetailsSchema } from "@/lib/contract/rules/execution";

/** What set a run off. */
export function tellTriggerDetails(details: z.infer<typeof triggerDetailsSchema>): string {
  switch (details.type) {
    case "MANUAL":
      return `started by a person${tellAmount(details.amountInCents)}`;
    case "SERVICE_API":
      return `started by a key or an assistant${tellAmount(details.amountInCents)}`;
    case "ON_FUNDS_TRANSFERRED":
      return `set off by money that arrived${tellAmount(details.amountInCents)}`;
    case "SCHEDULED":
      return `set off by its schedule${details.scheduledTime === null ? "" : ` for ${tellMoment(details.scheduledTime)}`}`;
    case "REMOTE_API":
      return "started by a program with the rule's own secret";
  }
}

const tellAmount = (amountInCents: number | null) =>
  amountInCents === null ? "" : ` (${formatCents(amountInCents)})`;
