import { MapPicture } from "@/app/overview/_components/map-picture";
import { SECTION, SECTION_HEAD } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { BORDER_WORDS } from "@/components/money/border-words";
import { whoseDays } from "@/components/time/whose-days";
import { SEGMENTED } from "@/components/ui/choice-class";
import { Empty } from "@/components/ui/empty";
import { Sum, Sums } from "@/components/ui/sums";
import { SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import { MAP_DAYS } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { MoneyMapView } from "@/lib/views/overview/build-money-map";

interface MoneyMapProps {
  map: MoneyMapView;
  canDecide: boolean;
  time: TimeContext;
}

/** Where money came from and went, as a drawing, on phones as bars, and as a table. */
export function MoneyMap({ map, canDecide, time }: MoneyMapProps) {
  return (
    <section className={SECTION} aria-labelledby="map">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="map">
          Money map
        </h2>
        <nav className={SEGMENTED} aria-label="Period of the map">
          {MAP_DAYS.map((days) => (
            // A plain link: `/` is two pages (next.config.mjs), which client navigation cannot tell apart.
            <a key={days} href={map.hrefs[days]} aria-current={days === map.days ? "true" : undefined}>
              {days} days
            </a>
          ))}
        </nav>
      </div>
      {map.nodes.length === 0 ? (
        <Empty title={`Nothing moved in ${map.days} days`}>
          Incoming money, its split across your pods, and outgoing money will appear here.
        </Empty>
      ) : (
        <MapPicture map={map} canDecide={canDecide} />
      )}
      <MapSums sums={map.sums} />
      <p className="text-sm text-ink-3 mt-3">
        The last {map.days} days, today included{whoseDays(time)}. {BORDER_WORDS} Moves between your pods
        count as neither.
      </p>
    </section>
  );
}

/** Net change is in minus out; pending amounts are part of the balances. */
function MapSums({ sums }: { sums: MoneyMapView["sums"] }) {
  return (
    <Sums columns={4}>
      <Sum label="In">
        <Amount cents={sums.inInCents} plus="whenPositive" isIn={sums.inInCents > 0} />
        <OfIt cents={sums.inFromOwnInCents} words="from your own outside accounts" />
      </Sum>
      <Sum label="Out">
        <Amount cents={-sums.outInCents} />
        <OfIt cents={sums.outToOwnInCents} words="to your own outside accounts" />
      </Sum>
      <Sum label="Net change">
        <Amount cents={sums.keptInCents} />
      </Sum>
      <Sum label="Pending approval">
        <Amount cents={sums.atGateInCents} />
      </Sum>
    </Sums>
  );
}

function OfIt({ cents, words }: { cents: number; words: string }) {
  if (cents === 0) return null;
  return (
    <span className={SUBLINE}>
      of it <Amount cents={cents} /> {words}
    </span>
  );
}
