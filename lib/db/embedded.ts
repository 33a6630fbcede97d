import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { findInstalled, findPackage, prepareBinaries, removeOldCopies } from "./embedded-binaries";
import { createCluster } from "./embedded-cluster";
import { type Place, preparePlace } from "./embedded-place";
import { removeAbandoned } from "./half-made";
import { joinKeeper, type Membership } from "./join-keeper";
import { launchKeeper, SOCKET_PORT } from "./launch-keeper";

export interface EmbeddedOptions {
  /** Absolute path; made if it does not exist. */
  dataDirectory: string;
  /** Folder with the programs of an installed PostgreSQL (SLUICE_POSTGRES_BIN). Unset: those of the npm package. */
  postgresBin?: string | null;
  /** False only for tests: a crash of the machine may then lose everything. */
  fsync?: boolean;
  /** How long the server outlives a last user that was killed. */
  graceMs?: number;
  startTimeoutMs?: number;
  log?: Pick<Logger, "debug" | "info" | "warn" | "error">;
}

/** A running embedded server in which this process has a share. */
export interface EmbeddedServer {
  /** Folder of the server's socket: `host` for `pg`. */
  host: string;
  port: number;
  /**
   * Gives the share back; the last process to do so waits until the server has shut down.
   * Call it after everything that uses the database has ended.
   */
  leave(): Promise<void>;
}

const DEFAULT_GRACE_MS = 1_000;
const DEFAULT_START_TIMEOUT_MS = 120_000;
const LEAVE_TIMEOUT_MS = 90_000;
const RETRY_MS = 50;
const REJOIN_MS = 1_000;
const MAX_REJOIN_MS = 30_000;
const MAX_LEAVE_ATTEMPTS = 3;
/** One is enough but for keepers that come and go at the same moment. */
const MAX_LAUNCHES = 50;

/**
 * Starts the embedded PostgreSQL of `dataDirectory`, or joins the running one (architecture, "The embedded database").
 * The server ends with the last process that uses it, however that process ends.
 * @throws Error naming what to change, when this machine cannot run it; with PostgreSQL's words, when it fails.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await preparePlace(options.dataDirectory);
  const membership = await joinOrLaunch(place, options);
  const share = keepShare(membership, place, options);
  return { host: place.socketPath, port: SOCKET_PORT, leave: share.leave };
}

async function joinOrLaunch(place: Place, options: EmbeddedOptions): Promise<Membership> {
  const startTimeoutMs = options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS;
  const isDurable = options.fsync ?? true;
  const deadline = performance.now() + startTimeoutMs;
  for (let launches = 0; launches < MAX_LAUNCHES && performance.now() < deadline; launches++) {
    const membership = await joinKeeper(place.socketPath, deadline - performance.now());
    if (membership) return membership;
    if (launches > 0) await pause(RETRY_MS);
    await removeAbandoned(place.homePath);
    const binaries = options.postgresBin
      ? await findInstalled(options.postgresBin, place)
      : await prepareBinaries(findPackage(), place);
    await createCluster(place, binaries, isDurable);
    await removeOldCopies(place, binaries);
    await launchKeeper(place, binaries, {
      isDurable,
      graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
      startTimeoutMs,
    });
  }
  throw new Error(`The embedded database was not ready within ${startTimeoutMs} ms.`);
}

/** Joins again when the keeper is lost (killed, or displaced by another): the server itself runs on meanwhile. */
function keepShare(first: Membership, place: Place, options: EmbeddedOptions) {
  let current = first;
  let isLeaving = false;
  let rejoining = Promise.resolve();
  const watch = (membership: Membership) => {
    void membership.lost.then(() => {
      if (isLeaving) return;
      rejoining = rejoin();
    });
  };
  let endPauses = () => {};
  const left = new Promise<void>((resolve) => {
    endPauses = resolve;
  });
  // As long as this process lives: giving up would leave it without a database until somebody starts it again.
  const rejoin = async () => {
    options.log?.warn("The keeper of the database was lost; joining again.");
    for (let failures = 0; !isLeaving; failures++) {
      try {
        current = await joinOrLaunch(place, options);
        watch(current);
        return;
      } catch (error) {
        const backoffMs = Math.min(REJOIN_MS * 2 ** failures, MAX_REJOIN_MS);
        options.log?.error({ err: error, backoffMs }, "No keeper of the database, will try again.");
        await Promise.race([pause(backoffMs, undefined, { ref: false }), left]);
      }
    }
  };
  watch(first);
  const leave = async () => {
    isLeaving = true;
    endPauses();
    await rejoining;
    for (let attempt = 0; attempt < MAX_LEAVE_ATTEMPTS; attempt++) {
      if (await current.leave(LEAVE_TIMEOUT_MS)) return;
      const successor = await joinKeeper(place.socketPath, LEAVE_TIMEOUT_MS);
      if (!successor) return;
      current = successor;
    }
  };
  let leaving: Promise<void> | null = null;
  return {
    leave() {
      leaving ??= leave();
      return leaving;
    },
  };
}
