import { CircleMinus, TimerOff } from "lucide-react";
import { formatMoment } from "@/components/time/format-instant";
import { GateOpenIcon } from "@/components/ui/icons";
import { Status } from "@/components/ui/status";
import type { KeyStateView } from "@/lib/contract/keys/key-facts";
import type { TimeContext } from "@/lib/contract/time-context";

export function KeyState({ state, time }: { state: KeyStateView; time: TimeContext }) {
  if (state.kind === "ACTIVE") {
    return (
      <Status tone="teal" icon={<GateOpenIcon />}>
        Active
      </Status>
    );
  }
  if (state.kind === "ENDING") {
    return (
      <Status tone="mute" icon={<TimerOff />}>
        Replaced, ends {lowerFirst(formatMoment(state.endsAt, time))}
      </Status>
    );
  }
  return (
    <Status tone="mute" icon={<CircleMinus />}>
      {state.because === "REPLACED" ? "Replaced, ended" : `Revoked by ${state.byName ?? "the operator"}`}{" "}
      {lowerFirst(formatMoment(state.at, time))}
    </Status>
  );
}

function lowerFirst(moment: string): string {
  return moment.replace(/^Today/, "today");
}
