import { CopyButton } from "@/components/docs/copy-button";
import { formatInSentence } from "@/components/time/format-in-sentence";
import { deliveryWords, isUnderWay } from "@/components/webhooks/delivery-words";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { problemInWords } from "@/components/webhooks/problem-in-words";
import { RedeliverButton } from "@/components/webhooks/redeliver-button";
import { RefreshWhileUnderWay } from "@/components/webhooks/refresh-while-under-way";
import { ScheduleDrawing } from "@/components/webhooks/schedule-drawing";
import { WhatWasSent } from "@/components/webhooks/what-was-sent";
import type { DeliveryView, EndpointView } from "@/lib/contract/views/webhooks-view";

interface DeliveryDetailsProps {
  delivery: DeliveryView;
  view: EndpointView;
  actions: Pick<EndpointActions, "redeliver">;
}

/** One delivery, opened: what comes next, what was answered, and what was sent. */
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

/** Enough of it to recognize; all of it stands below. */
function inOneLine(answer: string): string {
  const line = answer.trim().replace(/\s+/g, " ");
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
