import type { ReactNode } from "react";
import type { PresenceActions } from "@/components/act/presence-actions";
import { QueryProvider } from "@/components/act/query-provider";
import { StepUpProvider } from "@/components/act/step-up";

interface ActingProps {
  /** Absent where every proof is sent with its act. */
  presence?: PresenceActions;
  children: ReactNode;
}

/** Around what acts. The frame of the approval page has none, to stay small for phones: what acts there brings its own. */
export function Acting({ presence, children }: ActingProps) {
  return (
    <QueryProvider>
      <StepUpProvider presence={presence}>{children}</StepUpProvider>
    </QueryProvider>
  );
}
