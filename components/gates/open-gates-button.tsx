"use client";

import { type ComponentProps, lazy, Suspense } from "react";
import { Button } from "@/components/ui/button";

// Every page carries the way to this button, and next to no page shows it: what it takes is loaded when it is there.
const OpenGates = lazy(() =>
  import("@/components/gates/open-gates").then((module) => ({ default: module.OpenGates })),
);

/** The way back to moving money; the press asks for the proof at once. */
export function OpenGatesButton(props: ComponentProps<typeof OpenGates>) {
  return (
    <Suspense fallback={<Button kind="outlined">Open the gates</Button>}>
      <OpenGates {...props} />
    </Suspense>
  );
}
