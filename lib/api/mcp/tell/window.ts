import type { z } from "zod";
import { tellMoment } from "@/lib/api/mcp/tell/moment";
import type { dateWindowSchema } from "@/lib/contract/date-window";

/** Which time a list shows: an empty list of the wrong weeks would read as "nothing happened". */
export function tellWindow({ from, to, truncated }: z.infer<typeof dateWindowSchema>): string {
  const moved = truncated
    ? " You asked for an earlier from: nothing older than 90 days is shown, so from was moved up."
    : "";
  return `Shown is what happened from ${tellMoment(from)} to ${tellMoment(to)}.${moved}`;
}
