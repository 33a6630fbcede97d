import { CircleDashed } from "lucide-react";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Status } from "@/components/ui/status";
import type { RuleState } from "@/lib/contract/views/rules-view";

/** Whether a rule runs. A pause waits for a person, so it is amber. */
export function RuleStateStatus({ state }: { state: RuleState }) {
  switch (state) {
    case "ACTIVE":
      return (
        <Status tone="teal" icon={<GateOpenIcon />}>
          Active
        </Status>
      );
    case "PAUSED":
      return (
        <Status tone="amber" icon={<GateClosedIcon />}>
          Paused
        </Status>
      );
    case "INACTIVE":
      return (
        <Status tone="mute" icon={<CircleDashed className="ic" aria-hidden="true" />}>
          Not active
        </Status>
      );
  }
}
