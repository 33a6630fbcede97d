import { Check, CircleMinus, TimerOff, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { standingWords } from "@/components/parts/mandates/mandate-words";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Status, type StatusTone } from "@/components/ui/status";
import type { TimeContext } from "@/lib/contract/time-context";
import type { MandateStanding } from "@/lib/views/mandates/describe-mandate";

/** What a mandate does now. Amber only where a person has to sign. */
export function MandateStatus({ standing, time }: { standing: MandateStanding; time: TimeContext }) {
  const { tone, icon } = lookOf(standing);
  return (
    <Status tone={tone} icon={icon}>
      {standingWords(standing, time)}
    </Status>
  );
}

function lookOf(standing: MandateStanding): { tone: StatusTone; icon: ReactNode } {
  switch (standing.kind) {
    case "WAITING":
      return { tone: "amber", icon: <GateClosedIcon /> };
    case "IN_USE":
      return { tone: "teal", icon: <GateOpenIcon /> };
    case "NOT_YET":
    case "USED_UP":
      return { tone: "mute", icon: <GateClosedIcon /> };
    case "STOPPED":
      return standing.because === "SIGNATURES" || standing.because === "DESTINATION_CHANGED"
        ? { tone: "amber", icon: <GateClosedIcon /> }
        : { tone: "red", icon: <TriangleAlert /> };
    case "EXPIRED":
      return { tone: "mute", icon: <TimerOff /> };
    case "OVER":
      return { tone: "mute", icon: <Check /> };
    case "ENDED":
      return { tone: "mute", icon: <CircleMinus /> };
    case "DENIED":
      return { tone: "red", icon: <X /> };
  }
}
