import { TriangleAlert } from "lucide-react";
import { formatClock, formatMoment, isToday } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import type { TimeContext } from "@/lib/contract/time-context";

/** Beside a balance that the bank's news may change: deposits and returns may be missing. Nothing while it is complete. */
export function LateNews({ since, time }: { since: string | null; time: TimeContext }) {
  if (since === null) return null;
  return (
    <p className="flex items-start gap-2 mt-1.5 text-ink-2 [&>svg]:flex-none [&>svg]:size-4 [&>svg]:mt-0.5">
      <TriangleAlert aria-hidden="true" />
      <span>
        News from the bank is late since <Moment at={since} time={time} format={formatSince} />. Deposits and
        returns may be missing here; they arrive by themselves.
      </span>
    </p>
  );
}

const formatSince = (at: string, time: TimeContext) =>
  isToday(at, time) ? formatClock(at, time) : formatMoment(at, time);
