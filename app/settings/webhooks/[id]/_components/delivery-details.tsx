import {
  comingAttempts,
  deliveryWords,
  isUnderWay,
  markWords,
  scheduleInWords,
} from "@/app/settings/webhooks/_components/delivery-words";
import { problemInWords } from "@/app/settings/webhooks/_components/problem-in-words";
import {
  RedeliverButton,
  RefreshWhileUnderWay,
} from "@/app/settings/webhooks/[id]/_components/replay-failed";
import {
  SCHEDULE_WIDTH,
  type ScheduleMark,
  scheduleMarks,
} from "@/app/settings/webhooks/[id]/_components/schedule-geometry";
import { WhatWasSent } from "@/app/settings/webhooks/[id]/_components/what-was-sent";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { STRONG_TEXT, WATER } from "@/components/sluice/ink";
import { formatClock, formatInSentence } from "@/components/time/format-instant";
import { DefinitionList } from "@/components/ui/definition-list";
import { MONO } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { DeliveryView } from "@/lib/views/webhooks/read-delivery";
import type { EndpointView } from "@/lib/views/webhooks/read-endpoint";

interface DeliveryDetailsProps {
  delivery: DeliveryView;
  view: EndpointView;
}

export function DeliveryDetails({ delivery, view }: DeliveryDetailsProps) {
  const { endpoint, viewer, time } = view;
  const { title, remark } = deliveryWords(delivery, time);
  return (
    <div data-attempts className="px-5 pt-4.5 pb-5 rounded-md bg-sunken max-sm:py-4 max-sm:px-3.5">
      <p className="flex justify-between gap-y-1 gap-x-4 mb-2 max-sm:flex-wrap">
        <b role="status">{title}</b>
        <span className="text-sm text-ink-3">{remark}</span>
      </p>
      <ScheduleDrawing delivery={delivery} time={time} />
      <Facts delivery={delivery} view={view} />
      <div className="flex flex-wrap items-start gap-2 mt-4">
        {viewer.canChange && endpoint.state.kind !== "OFF" ? (
          <RedeliverButton
            key={delivery.eventId}
            endpointId={endpoint.id}
            eventId={delivery.eventId}
            isUnderWay={isUnderWay(delivery, time)}
          />
        ) : null}
        <WhatWasSent delivery={delivery} url={endpoint.url} time={time} />
      </div>
      {isUnderWay(delivery, time) ? (
        <RefreshWhileUnderWay key={`${delivery.eventId} ${delivery.attempts}`} />
      ) : null}
    </div>
  );
}

function Facts({ delivery, view: { time } }: Pick<DeliveryDetailsProps, "delivery" | "view">) {
  const { eventId, resource, history, resent } = delivery;
  const last = history.at(-1);
  return (
    <DefinitionList align="left" stacksOnPhones className="items-baseline mt-3">
      <dt>Event id</dt>
      <dd className="flex flex-wrap items-center gap-y-0 gap-x-2">
        <span className={`${MONO} wrap-anywhere`}>{eventId}</span>
        <CopyButton text={eventId} label="Copy event id" />
      </dd>
      <dt>Resource</dt>
      <dd>
        {resource.type.replaceAll("_", " ")} <span className={`${MONO} wrap-anywhere`}>{resource.id}</span>
      </dd>
      {last ? (
        <>
          <dt>Last answer</dt>
          <dd>
            {problemInWords(last)}
            {last.answer?.trim() ? (
              <q className={`${MONO} block mt-0.5 wrap-anywhere text-ink-2`}>{inOneLine(last.answer)}</q>
            ) : null}
          </dd>
        </>
      ) : null}
      {resent ? (
        <>
          <dt>Sent again</dt>
          <dd>
            {formatInSentence(resent.at, time).replace(/^on /, "")}
            {resent.byName ? ` by ${resent.byName}` : ""}
          </dd>
        </>
      ) : null}
    </DefinitionList>
  );
}

const SHOWN_CHARACTERS = 120;

/** Enough to recognize it; the full text is below. */
function inOneLine(answer: string): string {
  const line = answer.trim().replace(/\s+/g, " ");
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

const TOP = 40;
const BOTTOM = 52;
const MIDDLE = 46.5;

/** Past and coming attempts on one line. */
function ScheduleDrawing({ delivery, time }: { delivery: DeliveryView; time: TimeContext }) {
  const marks = scheduleMarks({
    attempts: delivery.history,
    nowAt: time.nowAt,
    nextAttempts: comingAttempts(delivery),
  });
  // A single successful attempt needs no drawing.
  if (marks.length < 2) return null;
  const words = scheduleInWords(delivery, time);
  const now = marks.find(({ kind }) => kind === "NOW");
  const waterTo = now?.x ?? marks.at(-1)?.x ?? 0;
  const height = marks.some((mark) => mark.hasLabel && markWords(mark.at, time).day) ? 96 : 80;
  return (
    <>
      <svg
        className="block w-full h-auto font-sans text-[12px] fill-ink-3 overflow-visible"
        viewBox={`0 0 ${SCHEDULE_WIDTH} ${height}`}
        role="img"
        aria-label={words}
      >
        <path className={WATER} d={`M0 ${TOP + 1}H${waterTo}V${BOTTOM}H0z`} />
        <path
          className="fill-none stroke-ink-3"
          d={`M0 ${TOP}.5H${SCHEDULE_WIDTH}M0 ${BOTTOM}.5H${SCHEDULE_WIDTH}`}
        />
        {marks.map((mark) => (
          <Mark key={`${mark.kind} ${mark.at}`} mark={mark} time={time} />
        ))}
      </svg>
      <p className="text-sm text-ink-3 sm:hidden! print:hidden!" aria-hidden="true">
        {words}
      </p>
    </>
  );
}

const LARGE_ON_PHONES = "[transform-box:fill-box] origin-center max-sm:scale-180";
const MARK = `fill-none stroke-[1.8] ${LARGE_ON_PHONES}`;

function Mark({ mark, time }: { mark: ScheduleMark; time: TimeContext }) {
  const { kind, x } = mark;
  if (kind === "NOW") {
    return (
      <>
        <path className="stroke-ink" d={`M${x}.5 30V58`} />
        <text
          className={`${STRONG_TEXT} max-sm:text-[21px]`}
          x={Math.min(Math.max(x, 34), SCHEDULE_WIDTH - 34)}
          y="20"
          textAnchor="middle"
        >
          Now {formatClock(time.nowAt, time)}
        </text>
      </>
    );
  }
  return (
    <>
      {kind === "FAILED" ? <path className={`stroke-red ${MARK}`} d={`m${x - 4} 42.5 8 8m0-8-8 8`} /> : null}
      {kind === "DELIVERED" ? <path className={`stroke-teal ${MARK}`} d={`m${x - 4} 46.5 3 4 5-8`} /> : null}
      {kind === "NEXT" ? (
        <circle
          className={`fill-sunken stroke-teal stroke-[1.6] ${LARGE_ON_PHONES}`}
          cx={x}
          cy={MIDDLE}
          r="5"
        />
      ) : null}
      {mark.hasLabel ? <MarkLabel mark={mark} time={time} /> : null}
    </>
  );
}

function MarkLabel({ mark: { at, x }, time }: { mark: ScheduleMark; time: TimeContext }) {
  const { clock, day } = markWords(at, time);
  const isFirst = x < 20;
  const isLast = x > SCHEDULE_WIDTH - 20;
  const place = {
    x: isFirst ? 0 : isLast ? SCHEDULE_WIDTH : x,
    textAnchor: isFirst ? ("start" as const) : isLast ? ("end" as const) : ("middle" as const),
  };
  return (
    <>
      <text className="max-sm:hidden" {...place} y="74">
        {clock}
      </text>
      {day ? (
        <text className="max-sm:hidden" {...place} y="90">
          {day}
        </text>
      ) : null}
    </>
  );
}
