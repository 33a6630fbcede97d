"use client";

import { Check, Flag, Minus } from "lucide-react";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import type { ProcessLine } from "@/lib/contract/fraud-monitoring";

interface ProcessLinesProps {
  title: string;
  lines: readonly ProcessLine[];
  /** The lines of other parts state facts. */
  areControls: boolean;
}

/** One part of the written process. */
export function ProcessLines({ title, lines, areControls }: ProcessLinesProps) {
  return (
    <Checklist label={title}>
      {lines.map(({ isInPlace, text }) => (
        <CheckItem key={text} icon={<LineIcon isControl={areControls} isInPlace={isInPlace} />}>
          <span className={isInPlace ? "text-ink-2" : undefined}>
            {isInPlace ? null : <b className="font-semibold">Not in place: </b>}
            {text}
          </span>
        </CheckItem>
      ))}
    </Checklist>
  );
}

function LineIcon({ isControl, isInPlace }: { isControl: boolean; isInPlace: boolean }) {
  if (!isControl) return <Minus className="text-ink-3" aria-hidden="true" />;
  return isInPlace ? (
    <Check className="text-teal" aria-hidden="true" />
  ) : (
    <Flag className="text-ink-2" aria-hidden="true" />
  );
}
