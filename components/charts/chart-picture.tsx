import {
  axisValue,
  barShares,
  type ChartSpec,
  colorOf,
  columnsOf,
  hasBars,
  hasBrush,
  scaleOf,
  tickAnchor,
  tickedRows,
} from "@/components/charts/chart-spec";

/** The drawing's units in both directions; it is stretched to its box. */
export const EXTENT = 1_000;

const SHIFT = { start: "", middle: "-translate-x-1/2", end: "-translate-x-full" } as const;

/**
 * The chart as the server draws it, shown until the script arrives. It has the box, scale and ticks of the chart, so
 * that nothing moves when the chart replaces it.
 */
export function ChartPicture({ spec }: { spec: ChartSpec }) {
  const { ticks, bottom, top } = scaleOf(spec);
  const yOf = (value: number) => round(EXTENT - ((value - bottom) / (top - bottom)) * EXTENT);
  return (
    <div className="absolute inset-0 text-xs text-ink-3">
      <div
        className={`absolute top-3 right-13 left-0 ${hasBrush(spec) ? "bottom-7 @min-[560px]:bottom-17" : "bottom-7"}`}
      >
        <svg
          viewBox={`0 0 ${EXTENT} ${EXTENT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute inset-0 size-full overflow-visible"
        >
          {ticks.map((tick) => (
            <path
              key={tick}
              d={`M0 ${yOf(tick)}H${EXTENT}`}
              className={tick === 0 ? "stroke-ink-3" : "stroke-rule"}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          <Bars spec={spec} yOf={yOf} />
          <Lines spec={spec} yOf={yOf} />
          {spec.level ? <Dashes path={`M0 ${yOf(spec.level.value)}H${EXTENT}`} /> : null}
          {spec.divider ? <Dashes path={`M${dividerX(spec)} 0V${EXTENT}`} /> : null}
        </svg>
        <Labels spec={spec} yOf={yOf} />
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute -right-13 -translate-y-1/2"
            style={{ top: `${yOf(tick) / 10}%` }}
          >
            {axisValue(spec.unit, tick)}
          </span>
        ))}
        <RowTicks spec={spec} isWide />
        <RowTicks spec={spec} isWide={false} />
      </div>
    </div>
  );
}

/** Charts with a divider have bars, so its row is a band. */
function dividerX({ divider, rows }: ChartSpec): number {
  return round((((divider?.index ?? 0) + 0.5) * EXTENT) / rows.length);
}

function Dashes({ path }: { path: string }) {
  return <path d={path} className="stroke-ink-2" strokeDasharray="4 4" vectorEffect="non-scaling-stroke" />;
}

const LABEL = "absolute font-semibold whitespace-nowrap text-ink";

function Labels({ spec, yOf }: PartProps) {
  const { level, divider } = spec;
  return (
    <>
      {level ? (
        <span
          className={`${LABEL} left-2 -translate-y-[calc(100%+4px)]`}
          style={{ top: `${yOf(level.value) / 10}%` }}
        >
          {level.label}
        </span>
      ) : null}
      {divider ? (
        <span className={`${LABEL} top-1 ml-1.5`} style={{ left: `${dividerX(spec) / 10}%` }}>
          {divider.label}
        </span>
      ) : null}
    </>
  );
}

interface PartProps {
  spec: ChartSpec;
  yOf: (value: number) => number;
}

function Bars({ spec, yOf }: PartProps) {
  const columns = columnsOf(spec.series);
  const { bar, gap } = barShares(spec);
  const slot = EXTENT / Math.max(1, spec.rows.length);
  const group = columns.length * bar + (columns.length - 1) * gap;
  const paths = new Map<number, { drawn: string; ahead: string }>();
  for (const [row, { values, isAhead }] of spec.rows.entries()) {
    for (const [column, members] of columns.entries()) {
      const x = round(slot * (row + (1 - group) / 2 + column * (bar + gap)));
      let [above, below] = [0, 0];
      for (const index of members) {
        const value = values[index] ?? 0;
        if (value === 0) continue;
        const from = value > 0 ? above : below;
        if (value > 0) above += value;
        else below += value;
        const path = `M${x} ${yOf(from)}V${yOf(from + value)}h${round(slot * bar)}V${yOf(from)}Z`;
        const known = paths.get(index) ?? { drawn: "", ahead: "" };
        if (isAhead) known.ahead += path;
        else known.drawn += path;
        paths.set(index, known);
      }
    }
  }
  return [...paths].map(([index, { drawn, ahead }]) => {
    const fill = colorOf(spec.series[index]?.color ?? "chart-1");
    return (
      <g key={index} fill={fill}>
        {drawn ? <path d={drawn} /> : null}
        {ahead ? <path d={ahead} fillOpacity={AHEAD_OPACITY} /> : null}
      </g>
    );
  });
}

export const AHEAD_OPACITY = 0.45;

function Lines({ spec, yOf }: PartProps) {
  const { rows, series } = spec;
  const isBanded = hasBars(spec);
  const xOf = (row: number) =>
    round(isBanded ? ((row + 0.5) * EXTENT) / rows.length : (row * EXTENT) / Math.max(1, rows.length - 1));
  return series.map(({ name, shape, color }, index) => {
    if (shape === "BAR") return null;
    const points = rows.map((row, place) => ({ x: xOf(place), y: yOf(row.values[index] ?? 0) }));
    if (shape === "MARK") {
      const dots = points.filter((_, place) => rows[place]?.values[index]);
      const path = dots.map(({ x }) => `M${x} ${yOf(0)}h0`).join("");
      return path ? <Stroke key={name} path={path} color={colorOf(color)} width={6} /> : null;
    }
    const path = shape === "STEPS" ? steps(points) : smooth(points);
    return (
      <g key={name}>
        {shape === "STEPS" ? (
          <path d={`${path}V${yOf(0)}H${points[0]?.x ?? 0}Z`} className="fill-water-3" />
        ) : null}
        <Stroke path={path} color={colorOf(color)} width={1.75} />
        <Dots points={shape === "STEPS" ? points.slice(-1) : points} color={colorOf(color)} />
      </g>
    );
  });
}

/** Hollow dots, drawn as zero-length lines: stretching the picture does not distort round line caps. */
function Dots({ points, color }: { points: readonly Point[]; color: string }) {
  const path = points.map(({ x, y }) => `M${x} ${y}h0`).join("");
  return (
    <>
      <Stroke path={path} color={color} width={9.5} />
      <Stroke path={path} color={colorOf("paper")} width={6} />
    </>
  );
}

function Stroke({ path, color, width }: { path: string; color: string; width: number }) {
  return (
    <path
      d={path}
      fill="none"
      stroke={color}
      strokeWidth={width}
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
    />
  );
}

interface Point {
  x: number;
  y: number;
}

function steps(points: readonly Point[]): string {
  return points.map(({ x, y }, index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join("");
}

/** Flat at every point, so that it never overshoots a value; Recharts calls it `bumpX`. */
function smooth(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before) return `M${x} ${y}`;
      const middle = round((before.x + x) / 2);
      return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
    })
    .join("");
}

function RowTicks({ spec, isWide }: { spec: ChartSpec; isWide: boolean }) {
  const last = spec.rows.length - 1;
  const isBanded = hasBars(spec);
  return tickedRows(0, last, isWide).map((index) => {
    const anchor = tickAnchor(spec, index, 0, last);
    const inBand = { start: 0, middle: 0.5, end: 1 }[anchor];
    const left = isBanded ? (index + inBand) / (last + 1) : index / Math.max(1, last);
    return (
      <span
        key={index}
        className={`absolute top-full pt-2 whitespace-nowrap ${SHIFT[anchor]} ${isWide ? "@max-[560px]:hidden" : "@min-[560px]:hidden"}`}
        style={{ left: `${round(left * 100)}%` }}
      >
        {spec.rows[index]?.tick}
      </span>
    );
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
