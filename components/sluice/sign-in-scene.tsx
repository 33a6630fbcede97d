const STEPS = [
  { x: 0, top: 150, bottom: 330 },
  { x: 200, top: 262, bottom: 430 },
  { x: 400, top: 374, bottom: 530 },
  { x: 600, top: 486, bottom: 620 },
] as const;

const GATES = [
  { x: 200, top: 66, bottom: 330, isAmber: false },
  { x: 400, top: 178, bottom: 430, isAmber: true },
  { x: 600, top: 290, bottom: 530, isAmber: false },
] as const;

/** A staircase of locks, for the page that stands in front of all others. */
export function SignInScene() {
  return (
    <svg className="locks" viewBox="0 0 800 680" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {STEPS.map(({ x, top, bottom }, index) => (
        <g key={x}>
          <path className="dw" d={`M${x} ${top}H${x + 200}V${bottom}H${x}z`} />
          <path className="sf" d={`M${x} ${top}H${x + 200}`} />
          <path
            className="rp"
            d={`M${x + 24} ${top + 18}h46m12 0h28M${x + 60} ${top + 32}h60M${x + 16} ${top + 46}h30m10 0h52`}
          />
          <path className="db" d={`M${x} ${bottom}H${x + 200}V${STEPS[index + 1]?.bottom ?? bottom}`} />
        </g>
      ))}
      {GATES.map(({ x, top, bottom, isAmber }) => (
        <g key={x}>
          <path
            className="db"
            d={`M${x - 9} ${top + 20}V${bottom}M${x + 9} ${top + 20}V${bottom}M${x - 18} ${top + 20}h36M${x} ${top}v30M${x - 12} ${top}h24`}
          />
          <rect
            className={isAmber ? "lf am" : "lf"}
            x={x - 6}
            y={top + 70}
            width="12"
            height={bottom - top - 70}
          />
        </g>
      ))}
    </svg>
  );
}
