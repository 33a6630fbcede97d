import { Fragment } from "react";
import type { EventType } from "@/lib/contract/webhooks";

/** The name of an event, which breaks between its words where a line is narrow. */
export function EventName({ type }: { type: EventType }) {
  return type.split(/(?<=[._])/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
}
