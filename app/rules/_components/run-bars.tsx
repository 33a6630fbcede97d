import { SUBLINE } from "@/components/ui/text-styles";
import type { RuleRowView, RunBarView } from "@/lib/views/rules/read-rules-page";

const HEIGHT = 24;
const PITCH = 9;
const WIDTH = 6;
/** A run that moved nothing is a dash; a failed one has a fixed height, since its amount says little. */
const DASH = 2;
const FAILED = 12;
/** The smallest height that differs from a dash. */
const LEAST = 4;

/** The latest runs as bars on one scale, as high as the amount moved. */
export function RunBars({ row }: { row: RuleRowView }) {
  const { latestRuns, runCount } = row;
  if (latestRuns.length === 0) return <span className="text-ink-3">–</span>;
  const most = Math.max(1, ...latestRuns.map(({ movedInCents }) => movedInCents));
  const width = latestRuns.length * PITCH;
  return (
    <>
      <svg
        className="block"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={runsWords(row)}
      >
        {latestRuns.map((run, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs have no other key here than their position.
          <Bar key={index} run={run} x={index * PITCH} most={most} />
        ))}
      </svg>
      {runCount > latestRuns.length ? (
        <span className={SUBLINE}>
          {/* The drawing's label says so already. */}
          <span aria-hidden="true">
            latest {latestRuns.length} of {countWords(row)}
          </span>
        </span>
      ) : null}
    </>
  );
}

function Bar({ run, x, most }: { run: RunBarView; x: number; most: number }) {
  const height = run.hasFailed ? FAILED : heightOf(run.movedInCents, most);
  const fill = run.hasFailed ? "fill-red" : run.movedInCents === 0 ? "fill-rule-strong" : "fill-water";
  return <rect className={fill} x={x} y={HEIGHT - height} width={WIDTH} height={height} />;
}

function heightOf(movedInCents: number, most: number): number {
  if (movedInCents === 0) return DASH;
  return Math.max(LEAST, Math.round((movedInCents / most) * HEIGHT * 10) / 10);
}

function countWords({ runCount, isAtLeast }: RuleRowView): string {
  return isAtLeast ? `over ${runCount.toLocaleString("en-US")}` : String(runCount);
}

/** `6 runs, 1 of the latest 6 failed` */
function runsWords(row: RuleRowView): string {
  const failed = row.latestRuns.filter(({ hasFailed }) => hasFailed).length;
  const runs = `${countWords(row)} ${row.runCount === 1 && !row.isAtLeast ? "run" : "runs"}`;
  return failed === 0 ? runs : `${runs}, ${failed} of the latest ${row.latestRuns.length} failed`;
}
