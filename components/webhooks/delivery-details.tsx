import { CopyButton } from "@/components/docs/copy-button";
import { formatClock, formatInSentence } from "@/components/time/format-instant";

import {
  comingAttempts,
  deliveryWords,
  isUnderWay,
  markWords,
  scheduleInWords,
} from "@/components/webhooks/delivery-words";
import { problemInWords } from "@/components/webhooks/problem-in-words";
import { RedeliverButton, RefreshWhileUnderWay } from "@/components/webhooks/replay-failed";
import { SCHEDULE_WIDTH, type ScheduleMark, scheduleMarks } from "@/components/webhooks/schedule-geometry";
import { WhatWasSent } from "@/components/webhooks/what-was-sent";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { DeliveryView, EndpointActions, EndpointView } from "@/lib/contract/views/webhooks-view";

interface DeliveryDetailsProps {
  delivery: DeliveryView;
  view: EndpointView;
  actions: Pick<EndpointActions, "redeliver">;
}

export function DeliveryDetails({ delivery, view, actions }: DeliveryDetailsProps) {
  const { endpoint, viewer, time } = view;
  const { title, remark } = deliveryWords(delivery, time);
  return (
    <div className="att">
      <p className="att-h">
        <b role="status">{title}</b>
        <span className="meta">{remark}</span>
      </p>
      <ScheduleDrawing delivery={delivery} time={time} />
      <Facts delivery={delivery} view={view} />
      <div className="att-a">
        {viewer.canChange && endpoint.state.kind !== "OFF" ? (
          <RedeliverButton
            key={delivery.eventId}
            endpointId={endpoint.id}
            eventId={delivery.eventId}
            isUnderWay={isUnderWay(delivery, time)}
            actions={actions}
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
    <dl className="dl dl-l att-f">
      <dt>Event id</dt>
      <dd className="att-id">
        <span className="mono wh-any">{eventId}</span>
        <CopyButton text={eventId} label="Copy event id" />
      </dd>
      <dt>Resource</dt>
      <dd>
        {resource.type.replaceAll("_", " ")} <span className="mono wh-any">{resource.id}</span>
      </dd>
      {last ? (
        <>
          <dt>Last answer</dt>
          <dd>
            {problemInWords(last)}
            {last.answer?.trim() ? <q className="mono wh-any att-q">{inOneLine(last.answer)}</q> : null}
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
    </dl>
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
      <svg className="chart rt" viewBox={`0 0 ${SCHEDULE_WIDTH} ${height}`} role="img" aria-label={words}>
        <path className="w" d={`M0 ${TOP + 1}H${waterTo}V${BOTTOM}H0z`} />
        <path className="b" d={`M0 ${TOP}.5H${SCHEDULE_WIDTH}M0 ${BOTTOM}.5H${SCHEDULE_WIDTH}`} />
        {marks.map((mark) => (
          <Mark key={`${mark.kind} ${mark.at}`} mark={mark} time={time} />
        ))}
      </svg>
      <p className="meta only-s" aria-hidden="true">
        {words}
      </p>
    </>
  );
}

function Mark({ mark, time }: { mark: ScheduleMark; time: TimeContext }) {
  const { kind, x } = mark;
  if (kind === "NOW") {
    return (
      <>
        <path className="now" d={`M${x}.5 30V58`} />
        <text
          className="strong"
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
      {kind === "FAILED" ? <path className="x" d={`m${x - 4} 42.5 8 8m0-8-8 8`} /> : null}
      {kind === "DELIVERED" ? <path className="y" d={`m${x - 4} 46.5 3 4 5-8`} /> : null}
      {kind === "NEXT" ? <circle className="nx" cx={x} cy={MIDDLE} r="5" /> : null}
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
      <text {...place} y="74">
        {clock}
      </text>
      {day ? (
        <text {...place} y="90">
          {day}
        </text>
      ) : null}
    </>
  );
}
