/** A store's verdict on an arriving event. */
export type SeenState =
  /** Not seen, or failed before: handle it. It is now claimed. */
  | "NEW"
  /** Another delivery of it is being handled. */
  | "UNDER_WAY"
  /** Already handled. */
  | "DONE";

/**
 * Remembers handled events for the 24 hours in which one may arrive again. Several processes need one shared store: a
 * table with the id as its primary key. There, a claim that is neither `done` nor `failed` must expire, after longer
 * than handling takes: its process died.
 */
export interface SeenEvents {
  /** Claims an event atomically: of two concurrent calls, one gets `NEW`. */
  begin(id: string): Promise<SeenState> | SeenState;
  /** It was handled. */
  done(id: string): Promise<void> | void;
  /** It was not: its next delivery is `NEW` again. */
  failed(id: string): Promise<void> | void;
}

interface MemoryOptions {
  /** Beyond this, the oldest is forgotten. Default 100,000: about 20 MB. */
  maximumEvents?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: () => number;
}

const HORIZON_MS = 24 * 3_600_000;

/** A store for one process, lost when that ends: a repeated event is then handled again. */
export function createMemorySeenEvents({
  maximumEvents = 100_000,
  now = Date.now,
}: MemoryOptions = {}): SeenEvents {
  const underWay = new Set<string>();
  /** Expiry times, oldest first. */
  const done = new Map<string, number>();

  function forget(): void {
    const horizon = now() - HORIZON_MS;
    for (const [id, at] of done) {
      if (at > horizon && done.size <= maximumEvents) return;
      done.delete(id);
    }
  }

  return {
    begin(id) {
      forget();
      if (underWay.has(id)) return "UNDER_WAY";
      if (done.has(id)) return "DONE";
      underWay.add(id);
      return "NEW";
    },
    done(id) {
      underWay.delete(id);
      done.set(id, now());
      forget();
    },
    failed(id) {
      underWay.delete(id);
    },
  };
}
