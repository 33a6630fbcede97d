import type { ReactNode } from "react";
import { QueryProvider } from "@/components/act/query-provider";
import { StepUpProvider } from "@/components/act/step-up";

/** Around what acts. The frame of the approval page has none, to stay small for phones: what acts there brings its own. */
export function Acting({ children }: { children: ReactNode }) {
  return (
    <QueryProvider>
      <StepUpProvider>{children}</StepUpProvider>
    </QueryProvider>
  );
}
