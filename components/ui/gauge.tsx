interface GaugeProps {
  /** 0 to 100. */
  percent: number;
  /** `waiting` is time left for a person, `goal` a savings goal, `off` a deadline that passed. */
  tone: "waiting" | "goal" | "off";
  /** Omitted where adjacent text says the same. */
  label?: string;
}

const TONE_CLASS = { waiting: "gauge", goal: "gauge gauge-teal", off: "gauge gauge-off" };

export function Gauge({ percent, tone, label }: GaugeProps) {
  const fill = <i style={{ width: `${percent}%` }} />;
  if (!label) {
    return (
      <div className={TONE_CLASS[tone]} aria-hidden="true">
        {fill}
      </div>
    );
  }
  return (
    <div className={TONE_CLASS[tone]} role="img" aria-label={label}>
      {fill}
    </div>
  );
}
