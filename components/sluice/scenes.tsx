import { BANKS, DRY_BED, GATE_LEAF, IDLE_LEAF, RIPPLES, WAITING_LEAF, WATER } from "@/components/sluice/ink";

/** An open gate and calm water: no open proposals. */
export function OpenWaterScene() {
  return (
    <div className="mt-10">
      <svg className="h-auto w-full" viewBox="0 0 640 150" width="640" height="150" aria-hidden="true">
        <path className={WATER} d="M0 92H640V140H0z" />
        <path
          className={RIPPLES}
          d="M40 104h96m16 0h52M400 104h120m14 0h58M90 116h64m14 0h90M372 116h70m18 0h130M30 128h150m12 0h36M430 128h90m16 0h40"
        />
        <path
          className={BANKS}
          d="M0 140.5H640M0 91.5H302M338 91.5H640M306.5 22V140M333.5 22V140M297 22.5h46M320 8v26M308 8.5h24"
        />
        <rect className={GATE_LEAF} x="312" y="34" width="16" height="50" />
      </svg>
    </div>
  );
}

const WALLS = "M0 128.5H720M0 79.5H340M380 79.5H720M344.5 12V128M375.5 12V128M334 12.5h52M348 .5h24";

/** A dry channel with an open gate: page not found. */
export function DryChannelScene() {
  return (
    <svg className="mb-9 h-auto w-full" viewBox="0 0 720 150" aria-hidden="true">
      <path className={BANKS} d={`${WALLS}M360 0v24`} />
      <rect className={IDLE_LEAF} x="353" y="24" width="14" height="50" />
      <path className={DRY_BED} d="M16 104H336M384 104H704" />
    </svg>
  );
}

/** Water held by a closed gate: something failed. */
export function StoppedWaterScene() {
  return (
    <svg className="mb-9 h-auto w-full" viewBox="0 0 720 150" aria-hidden="true">
      <path className={WATER} d="M0 80H353V128H0z" />
      <path className={RIPPLES} d="M30 92h110m16 0h52M70 104h64m14 0h90M24 116h150m12 0h36" />
      <path className={BANKS} d={`${WALLS}M360 0v77`} />
      <rect className={GATE_LEAF} x="353" y="76" width="14" height="52" />
      <path className={DRY_BED} d="M384 104H704" />
    </svg>
  );
}

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

/** A staircase of locks, for the sign-in page. */
export function SignInScene() {
  return (
    <svg
      className="absolute inset-0 w-full h-full"
      viewBox="0 0 800 680"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {STEPS.map(({ x, top, bottom }, index) => (
        <g key={x}>
          <path className={WATER} d={`M${x} ${top}H${x + 200}V${bottom}H${x}z`} />
          <path className="fill-none stroke-teal" d={`M${x} ${top}H${x + 200}`} />
          <path
            className={RIPPLES}
            d={`M${x + 24} ${top + 18}h46m12 0h28M${x + 60} ${top + 32}h60M${x + 16} ${top + 46}h30m10 0h52`}
          />
          <path className={BANKS} d={`M${x} ${bottom}H${x + 200}V${STEPS[index + 1]?.bottom ?? bottom}`} />
        </g>
      ))}
      {GATES.map(({ x, top, bottom, isAmber }) => (
        <g key={x}>
          <path
            className={BANKS}
            d={`M${x - 9} ${top + 20}V${bottom}M${x + 9} ${top + 20}V${bottom}M${x - 18} ${top + 20}h36M${x} ${top}v30M${x - 12} ${top}h24`}
          />
          <rect
            className={isAmber ? WAITING_LEAF : GATE_LEAF}
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
