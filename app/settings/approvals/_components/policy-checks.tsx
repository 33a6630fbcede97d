import { Ban, Check, Flag } from "lucide-react";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import type { FindingLine } from "@/lib/words/policies/finding-words";

const ICON = {
  OK: <Check className="text-teal" role="img" aria-label="Holds" />,
  LOOK: <Flag className="text-ink-2" role="img" aria-label="Look at this" />,
  BLOCKS: <Ban className="text-red" role="img" aria-label="Forbids publishing" />,
} as const;

/** What must hold before a version is published, and what to look at. */
export function PolicyChecks({ lines }: { lines: readonly FindingLine[] }) {
  return (
    <Checklist label="What must hold">
      {lines.map(({ tone, title, text }) => (
        <CheckItem
          key={`${title} ${text ?? ""}`}
          icon={ICON[tone]}
          title={<span className={tone === "BLOCKS" ? "text-red" : undefined}>{title}</span>}
        >
          {text ? <p>{text}</p> : null}
        </CheckItem>
      ))}
    </Checklist>
  );
}
