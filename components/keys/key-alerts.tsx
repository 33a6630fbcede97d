import { Moment } from "@/components/time/moment";
import { Section } from "@/components/ui/section";
import type { KeyAlertView } from "@/lib/contract/views/keys-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { keyAlertWords } from "@/lib/engine/words/key-alert-words";

/** Unusual use that the owners were told of. Nothing where there was none. */
export function KeyAlerts({ alerts, time }: { alerts: readonly KeyAlertView[]; time: TimeContext }) {
  if (alerts.length === 0) return null;
  return (
    <Section id="unusual" title="Unusual use" fact="Owners and co-owners were told of each">
      <ul className="alerts">
        {alerts.map(({ id, at, alert }) => {
          const { title, seen, usual } = keyAlertWords(alert, "key");
          return (
            <li key={id}>
              <b>{title}</b>
              <span className="meta">
                <Moment at={at} time={time} />
              </span>
              <p className="ink2">
                {seen} {usual}
              </p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
