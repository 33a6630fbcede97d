import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { EventExample } from "@/components/webhooks/event-example";
import { EventTypes } from "@/components/webhooks/event-types";

/** No endpoint yet: what one would get, and what it has to do. */
export function EndpointsEmpty({ action }: { action: ReactNode }) {
  return (
    <div className="cols wh-none">
      <div>
        <Section id="arrives" title="What arrives">
          <p className="ink2 wh-l">
            One POST for each change. It holds identifiers only: read the resource with the matching GET.
          </p>
          <EventExample />
        </Section>
        {action ? <p className="foot-a">{action}</p> : null}
      </div>
      <aside className="side">
        <div className="side-in">
          <section aria-labelledby="told">
            <div className="sec-h tall">
              <h2 className="h2" id="told">
                Events sent
              </h2>
            </div>
            <EventTypes />
          </section>
          <section aria-labelledby="does">
            <div className="sec-h">
              <h2 className="h2" id="does">
                What a receiver does
              </h2>
            </div>
            <ol className="wh-does">
              <li>Checks the signature over the raw body.</li>
              <li>Answers 2xx at once, and works afterwards.</li>
              <li>Drops an event id that it has seen: one event may arrive more than once.</li>
            </ol>
            <p className="wh-guide">
              <Link className="link" href="/docs/webhooks">
                Read the guide
              </Link>
            </p>
          </section>
        </div>
      </aside>
    </div>
  );
}
