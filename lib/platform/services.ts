import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/clock";
import type { Log } from "@/lib/platform/log";
import type { Sealer } from "@/lib/platform/seal";

/** What every core verb may use of the process that it runs in. */
export interface Services {
  /** Connected as the application's role, which owns nothing. */
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Public address without a trailing slash. */
  appUrl: string;
  /** Seals the secrets of authenticator apps; the context is the user's id. */
  authenticatorSecrets: Sealer;
  /** Runs a kind of due work in this process soon; call it after the commit that made something due. */
  wake: (workName: string) => void;
}
