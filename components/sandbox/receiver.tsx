import { Check, TriangleAlert } from "lucide-react";
import { CopyButton } from "@/components/docs/copy-button";
import { type Act, ActForm } from "@/components/sandbox/act-form";
import { RECEIVER_WORDS } from "@/components/sandbox/action-sentence";
import { ChoicePart } from "@/components/sandbox/sentence-parts";
import { formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Breakable } from "@/components/ui/breakable";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import {
  receiverModeSchema,
  type SandboxReceiptView,
  type SandboxReceiverView,
} from "@/lib/contract/views/sandbox-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface ReceiverProps {
  receiver: SandboxReceiverView;
  canDrive: boolean;
  time: TimeContext;
  set: Act;
}

/** A test receiver for webhooks. */
export function Receiver({ receiver, canDrive, time, set }: ReceiverProps) {
  return (
    <Section id="receiver" title="Webhook receiver" fact="Simulates your server">
      <ul className="does">
        {canDrive ? <Mode receiver={receiver} set={set} /> : null}
        {receiver.address === null ? null : <Address address={receiver.address} />}
        {receiver.address === null ? null : <Endpoint receiver={receiver} canDrive={canDrive} />}
      </ul>
      <Receipts receipts={receiver.receipts} time={time} />
    </Section>
  );
}

function Mode({ receiver: { mode }, set }: { receiver: SandboxReceiverView; set: Act }) {
  return (
    <ActForm
      title="Answer"
      label={mode === null ? "Start" : "Set response"}
      busyLabel={mode === null ? "Starting" : "Setting"}
      act={set}
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
      <div className="does-f">
        <code className="rcv-a">
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
            <Link className="link" href={endpointHref}>
              View deliveries
            </Link>
          </>
        ) : (
          <>
            It gets no events yet.{" "}
            {canDrive && newEndpointHref ? (
              <Link className="link" href={newEndpointHref}>
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
  if (receipts.length === 0) return <p className="hint sandbox-none">No deliveries yet.</p>;
  return (
    <table className="ledger rcv">
      <caption>Last deliveries, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          <th scope="col">Of</th>
          <th scope="col">It answered</th>
        </tr>
      </thead>
      <tbody>
        {receipts.map((receipt) => (
          <tr key={receipt.place}>
            <td>
              <Moment at={receipt.at} time={time} format={formatMoment} />
            </td>
            <td>
              <code title={receipt.eventId}>{receipt.type}</code>
            </td>
            <td>
              <code title={`${receipt.resource.type} ${receipt.resource.id}`}>
                …{receipt.resource.id.slice(-8)}
              </code>
            </td>
            <td>
              <Answer status={receipt.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Answer({ status }: { status: number | null }) {
  if (status === 204) {
    return (
      <Status tone="green" icon={<Check className="ic" />}>
        204
      </Status>
    );
  }
  return (
    <Status tone="red" icon={<TriangleAlert className="ic" />}>
      {status ?? "Nothing"}
    </Status>
  );
}
