import { CheckItem, Checklist, OutcomeIcon } from "@/components/ui/checklist";
import { formatCents } from "@/lib/contract/format-cents";
import type { QueueOutlook } from "@/lib/views/approvals/read-queue";

interface OutlooksProps {
  outlooks: readonly QueueOutlook[];
  /** `If you approve all 12` */
  when: string;
  /** What follows if there is not enough money. */
  whenShort?: string;
}

/** What accounts would hold if all of it were approved, beside their floors. */
export function Outlooks({ outlooks, when, whenShort = "The last ones would fail" }: OutlooksProps) {
  return (
    <Checklist label="Forecast" ruled>
      {outlooks.map(({ accountName, holdsInCents, floorInCents, marginInCents }) => {
        const isShort = holdsInCents < 0;
        const isLow = marginInCents < 0;
        const margin = formatCents(Math.abs(marginInCents));
        const floor = floorInCents === null ? "" : ` Its floor is ${formatCents(floorInCents)}.`;
        const becomes = isShort ? "is short" : isLow ? "falls below its floor" : "stays above its floor";
        return (
          <CheckItem
            key={accountName}
            icon={<OutcomeIcon outcome={isLow ? "LOOK" : "CLEAR"} blocks="" />}
            title={`${when}, ${accountName} ${becomes}`}
            result={
              isShort ? `${formatCents(-holdsInCents)} short` : `${margin} ${isLow ? "below" : "above"}`
            }
          >
            <p>
              {isShort
                ? `${whenShort}: ${formatCents(-holdsInCents)} is missing.${floor}`
                : `${accountName} would hold ${formatCents(holdsInCents)}.${floor}`}
            </p>
          </CheckItem>
        );
      })}
    </Checklist>
  );
}
