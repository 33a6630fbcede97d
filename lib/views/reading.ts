import type { TimeContext } from "@/lib/contract/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** Who reads a page, and through which services: the first argument of each page's reader. */
export interface Reading<Needs extends keyof Services = "pool"> {
  services: Pick<Services, Needs>;
  context: Context<MemberActor>;
}

/** With the moment and the time zone in which the page is read. */
export interface TimedReading<Needs extends keyof Services = "pool"> extends Reading<Needs> {
  time: TimeContext;
}
