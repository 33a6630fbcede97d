import type { Pool } from "pg";
import type { BankCapabilities } from "@/lib/contract/bank-capabilities";
import type { ChangeWaits } from "@/lib/platform/change-waits";
import type { Clock } from "@/lib/platform/clock";
import type { Encryption } from "@/lib/platform/encryption";
import type { KeyedHash } from "@/lib/platform/keyed-hash";
import type { Log } from "@/lib/platform/log";

/** What every core command may use of its process. */
export interface Services {
  /** Connected as the application's role, which owns nothing. */
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Public address without a trailing slash. */
  appUrl: string;
  /** Encrypts the secrets of authenticator apps; the context is the user's id. */
  authenticatorSecrets: Encryption;
  /** Encrypts the key of each document; the context is its organization and id. */
  documentKeys: Encryption;
  /** Of bank accounts (`accountKey`). */
  accountHash: KeyedHash;
  /** What the bank cannot do is refused before it is proposed. */
  bankCapabilities: BankCapabilities;
  /** Runs a kind of due work soon in this process; call it after the commit that made something due. */
  wake: (workName: string) => void;
  /** Requests of this process that wait for a change. */
  waits: ChangeWaits;
}
