import { Moment } from "@/components/time/moment";
import type { MailboxMessageView } from "@/lib/contract/views/mailbox-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

type Sms = Extract<MailboxMessageView, { channel: "SMS" }>;

const ADDRESS = /(https?:\/\/\S+)/;

/** One SMS on a drawn phone. */
export function SmsPane({ sms, time }: { sms: Sms; time: TimeContext }) {
  return (
    <section aria-labelledby="sms">
      <div className="sec-h">
        <h2 className="h2" id="sms">
          SMS
        </h2>
        <p>
          <Moment at={sms.sentAt} time={time} />
        </p>
      </div>
      <div className="phone">
        <p className="phone-h">
          <b>Sluice</b>
          <span className="meta blk">To {sms.to.join(", ")}</span>
        </p>
        <p className="bub">
          {sms.text.split(ADDRESS).map((part) =>
            ADDRESS.test(part) ? (
              <a key={part} className="link" href={part}>
                {part}
              </a>
            ) : (
              part
            ),
          )}
        </p>
      </div>
      <dl className="dl mbx-d">
        <dt>Characters</dt>
        <dd>{sms.text.length}</dd>
        <dt>Segments</dt>
        <dd>{sms.segmentCount}</dd>
      </dl>
    </section>
  );
}
