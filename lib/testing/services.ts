import { readMarks } from "@/lib/core/shared/read-marks";
import { createChangeWaits } from "@/lib/platform/change-waits";
import { type Clock, systemClock } from "@/lib/platform/clock";
import { createEncryption } from "@/lib/platform/encryption";
import { createKeyedHash } from "@/lib/platform/keyed-hash";
import { createLog } from "@/lib/platform/log";
import type { Services } from "@/lib/platform/services";
import { SANDBOX_CAPABILITIES } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import type { TestDatabase } from "@/lib/testing/database";

const SECRET = "a product secret of tests";
const authenticatorSecrets = createEncryption(SECRET, "authenticator secrets");
const documentKeys = createEncryption(SECRET, "document keys");
const accountHash = createKeyedHash(SECRET, "bank accounts");

const log = createLog("silent");

/** The waits of a test, which looks by itself every 50 ms: nothing sends it signals. */
export const waitsOn = (pool: Services["pool"]) =>
  createChangeWaits({ readMarks: (subjects) => readMarks(pool, subjects), log, lookEveryMs: 50 });

/** Real-time services that wake nothing: to arrange what another process, with this secret, will find. */
export function createRealTimeServices(pool: Services["pool"], secret = SECRET): Services {
  return {
    pool,
    clock: systemClock,
    log,
    appUrl: "http://localhost",
    authenticatorSecrets: createEncryption(secret, "authenticator secrets"),
    documentKeys: createEncryption(secret, "document keys"),
    accountHash: createKeyedHash(secret, "bank accounts"),
    bankCapabilities: SANDBOX_CAPABILITIES,
    wake: () => undefined,
    waits: waitsOn(pool),
  };
}

/** Services on a test database with a clock that the test moves; `woken` lists what was woken, in order. */
export function createTestServices(database: Pick<TestDatabase, "pool">) {
  const clock = new TestClock();
  const woken: string[] = [];
  const services: Services = {
    pool: database.pool,
    clock,
    log,
    appUrl: "http://localhost:3000",
    authenticatorSecrets,
    documentKeys,
    accountHash,
    bankCapabilities: SANDBOX_CAPABILITIES,
    wake: (name) => woken.push(name),
    waits: waitsOn(database.pool),
  };
  return { services, clock, woken };
}

/** A clock that is frozen until the test moves it. */
export class TestClock implements Clock {
  #now: Date;

  /** Starts at noon UTC on a Thursday that is a banking day. */
  constructor(start = new Date("2026-01-15T17:00:00.000Z")) {
    this.#now = start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }

  set(date: Date): void {
    this.#now = new Date(date);
  }
}
