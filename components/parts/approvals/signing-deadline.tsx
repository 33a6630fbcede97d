import { formatInSentence } from "@/components/time/format-instant";
import type { TimeContext } from "@/lib/contract/time-context";

interface SigningDeadlineProps {
  signing: { expiresAt: string | null; hours: number };
  time: TimeContext;
}

/** Until when the others may sign: from the first signature on. Then it waits without any again. */
export function SigningDeadline({ signing: { expiresAt, hours }, time }: SigningDeadlineProps) {
  return (
    <p className="mt-3 text-sm text-ink-3">
      {expiresAt === null
        ? `All signatures have to come within ${hours} ${hours === 1 ? "hour" : "hours"} of the first one.`
        : `All signatures have to come until ${formatInSentence(expiresAt, time)}. Then these end, and it waits without any.`}
    </p>
  );
}
