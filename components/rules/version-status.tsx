import { CircleDashed, CircleMinus, CirclePause } from "lucide-react";
import { GateOpenIcon } from "@/components/ui/icons";
import { Status } from "@/components/ui/status";
import type { RuleVersionView } from "@/lib/contract/views/rule-view";

/** `Version 4, not active`: amber only where a person must act. */
export function VersionStatus({ shown, isPaused }: { shown: RuleVersionView; isPaused: boolean }) {
  const version = `Version ${shown.number}`;
  if (shown.state === "ACTIVE") {
    return isPaused ? (
      <Status tone="amber" icon={<CirclePause className="ic" />}>
        {version}, paused
      </Status>
    ) : (
      <Status tone="teal" icon={<GateOpenIcon />}>
        {version}, active
      </Status>
    );
  }
  return shown.state === "DISCARDED" ? (
    <Status tone="mute" icon={<CircleMinus className="ic" />}>
      {version}, discarded
    </Status>
  ) : (
    <Status tone="mute" icon={<CircleDashed className="ic" />}>
      {version}, not active
    </Status>
  );
}
