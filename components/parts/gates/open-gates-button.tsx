"use client";

import { type ComponentProps, lazy, Suspense } from "react";
import { Button } from "@/components/ui/button";

// Every page includes this button and hardly any shows it, so its code is loaded lazily.
const OpenGates = lazy(() =>
  import("@/components/parts/gates/open-gates").then((module) => ({ default: module.OpenGates })),
);

export function OpenGatesButton(props: ComponentProps<typeof OpenGates>) {
  return (
    // Not pressable until it can act: a press that nothing hears would be lost without a word.
    <Suspense
      fallback={
        <Button kind="outlined" disabled data-waits="">
          Open the gates
        </Button>
      }
    >
      <OpenGates {...props} />
    </Suspense>
  );
}
