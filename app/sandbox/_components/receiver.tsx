import { Check, TriangleAlert } from "lucide-react";
import { ActForm } from "@/app/sandbox/_components/act-form";
import { RECEIVER_WORDS } from "@/app/sandbox/_components/action-sentence";
import { ChoicePart } from "@/app/sandbox/_components/sentence-parts";
import { setReceiver } from "@/app/sandbox/actions";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Breakable } from "@/components/ui/breakable";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { LINK } from "@/components/ui/text-styles";
import { receiverModeSchema } from "@/lib/contract/sandbox";
import type { TimeContext } from "@/lib/contract/time-context";
import type { SandboxReceiptView, SandboxReceiverView } from "@/lib/views/sandbox/read-receiver";

interface ReceiverProps {
  receiver: SandboxReceiverView;
  canDrive: boolean;
  time: TimeContext;
}

/** A test receiver for webhooks. */
export function Receiver({ receiver, canDrive, time }: ReceiverProps) {
  return (
    <Section id="receiver" title="Webhook receiver" fact="Simulates your server">
      <ul className="[&>li]:grid [&>li]:grid-cols-[128px_minmax(0,1fr)] [&>li]:items-center [&>li]:gap-5 [&>li]:py-4.5 [&>li]:px-0 [&>li]:border-b [&>li]:border-rule [&>li:last-child]:border-b-0 max-sm:[&>li]:grid-cols-1 max-sm:[&>li]:gap-1.5">
        {canDrive ? <Mode receiver={receiver} /> : null}
        {receiver.address === null ? null : <Address address={receiver.address} />}
        {receiver.address === null ? null : <Endpoint receiver={receiver} canDrive={canDrive} />}
      </ul>
      <Receipts receipts={receiver.receipts} time={time} />
    </Section>
  );
}

function Mode({ receiver: { mode } }: { receiver: SandboxReceiverView }) {
  return (
    <ActForm
      title="Answer"
      label={mode === null ? "Start" : "Set response"}
      busyLabel={mode === null ? "Starting" : "Setting"}
      act={setReceiver}
    >
      {"The receiver answers "}
      <ChoicePart
        name="mode"
        label="What the receiver answers"
        choices={receiverModeSchema.options.map((id) => ({ id, label: RECEIVER_WORDS[id] }))}
        value={mode ?? undefined}
      />
    </ActForm>
  );
}

function Address({ address }: { address: string }) {
  return (
    <li>
      <b>Address</b>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-y-0 gap-x-5 max-sm:grid-cols-1 max-sm:gap-2.5">
        <code className="wrap-anywhere">
          <Breakable text={address} />
        </code>
        <CopyButton text={address} />
      </div>
    </li>
  );
}

function Endpoint({ receiver, canDrive }: { receiver: SandboxReceiverView; canDrive: boolean }) {
  const { endpointHref, newEndpointHref } = receiver;
  return (
    <li>
      <b>Endpoint</b>
      <p>
        {endpointHref ? (
          <>
            It gets every event.{" "}
            <Link className={LINK} href={endpointHref}>
              View deliveries
            </Link>
          </>
        ) : (
          <>
            It gets no events yet.{" "}
            {canDrive && newEndpointHref ? (
              <Link className={LINK} href={newEndpointHref}>
                Add it as an endpoint
              </Link>
            ) : null}
          </>
        )}
      </p>
    </li>
  );
}

function Receipts({ receipts, time }: { receipts: SandboxReceiptView[]; time: TimeContext }) {
  if (receipts.length === 0) return <p className="text-sm text-ink-3 mt-4">No deliveries yet.</p>;
  return (
    <Table
      className="mt-2 [&_td]:py-2 max-sm:[&_td]:px-0 max-sm:[&_td]:py-0.5 max-sm:[&_td]:border-0 max-sm:[&_td:nth-child(2)]:[grid-area:2/1] max-sm:[&_td:nth-child(3)]:[grid-area:2/2] max-sm:[&_td:nth-child(n+3)]:text-right [&_caption]:px-0 [&_caption]:pt-2.5 [&_caption]:pb-1.5 [&_caption]:font-semibold [&_caption]:text-left max-sm:[&_thead]:absolute max-sm:[&_thead]:[clip-path:inset(50%)] max-sm:[&_tr]:grid max-sm:[&_tr]:grid-cols-[minmax(0,1fr)_auto] max-sm:[&_tr]:py-2 max-sm:[&_tr]:px-0 max-sm:[&_tr]:border-b max-sm:[&_tr]:border-rule"
      caption="Last deliveries, newest first"
      isCaptionShown
      rows={receipts}
      keyOf={({ place }) => place}
      columns={[
        { head: "Time", cell: ({ at }) => <Moment at={at} time={time} format={formatMoment} /> },
        { head: "Event", cell: ({ eventId, type }) => <code title={eventId}>{type}</code> },
        {
          head: "Of",
          cell: ({ resource: { type, id } }) => <code title={`${type} ${id}`}>…{id.slice(-8)}</code>,
        },
        { head: "It answered", cell: ({ status }) => <Answer status={status} /> },
      ]}
    />
  );
}

function Answer({ status }: { status: number | null }) {
  if (status === 204) {
    return (
      <Status tone="green" icon={<Check />}>
        204
      </Status>
    );
  }
  return (
    <Status tone="red" icon={<TriangleAlert />}>
      {status ?? "Nothing"}
    </Status>
  );
}
