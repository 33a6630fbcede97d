import { cva } from "class-variance-authority";

interface GaugeProps {
  /** 0 to 100. */
  percent: number;
  /** `waiting` is time left for a person, `goal` a savings goal, `off` a deadline that passed. */
  tone: "waiting" | "goal" | "off";
  /** Omitted where adjacent text says the same. */
  label?: string;
}

const FRAME = "relative h-2.5 border border-t-0 border-ink-3 overflow-hidden";

const fillClass = cva("absolute top-0.5 bottom-0 left-0", {
  variants: { tone: { waiting: "bg-amber-fill", goal: "bg-water", off: "bg-rule-strong" } },
});

export function Gauge({ percent, tone, label }: GaugeProps) {
  const fill = <i className={fillClass({ tone })} style={{ width: `${percent}%` }} />;
  if (!label) {
    return (
      <div className={FRAME} aria-hidden="true">
        {fill}
      </div>
    );
  }
  return (
    <div className={FRAME} role="img" aria-label={label}>
      {fill}
    </div>
  );
}
