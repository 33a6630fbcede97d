import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import type { Log } from "@/lib/platform/log";

/** What every core verb may use of the process that it runs in. */
export interface Services {
  /** Connected as the application's role, which owns nothing. */
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Public address without a trailing slash. */
  appUrl: string;
  /** Runs a kind of due work in this process soon; call it after the commit that made something due. */
  wake: (workName: string) => void;
}
