import type { RequesterView } from "@/lib/contract/approvals/approval";

const STEP = 6;
const HEIGHT = 14;

/** A mark per past proposal: tall for approved, short and red for denied. The count beside it says the same in text. */
export function RecentDecisions({ recent }: { recent: RequesterView["recent"] }) {
  if (recent.length === 0) return null;
  const width = recent.length * STEP;
  const marks = (wanted: (decision: RequesterView["recent"][number]) => boolean, top: number) =>
    recent.map((decision, index) => (wanted(decision) ? `M${index * STEP + 1.5} ${top}V13` : "")).join("");
  return (
    <svg
      className="block max-w-full h-3.5 fill-none stroke-[2.5]"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path className="stroke-water" d={marks((decision) => decision === "APPROVED", 1)} />
      <path className="stroke-red" d={marks((decision) => decision === "DENIED", 6)} />
      <path className="stroke-rule-strong" d={marks((decision) => decision === "EXPIRED", 6)} />
    </svg>
  );
}
