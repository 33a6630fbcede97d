/** What a store says of an event that arrives. */
export type SeenState =
  /** Not seen, or it failed before: handle it. It is claimed for you. */
  | "NEW"
  /** Another delivery of it is being handled. */
  | "UNDER_WAY"
  /** It was handled. */
  | "DONE";

/**
 * Remembers which events were handled, for the 24 hours in which one may arrive again. Several processes need one store
 * for all of them: a table with the id as its primary key. There, a claim that was neither `done` nor `failed` has to
 * lapse, after longer than handling takes: its process died.
 */
export interface SeenEvents {
  /** Claims an event, in one step: of two calls at the same moment one gets `NEW`. */
  begin(id: string): Promise<SeenState> | SeenState;
  /** It was handled. */
  done(id: string): Promise<void> | void;
  /** It was not: the next delivery of it is `NEW` again. */
  failed(id: string): Promise<void> | void;
}

interface MemoryOptions {
  /** The oldest is forgotten where there are more. Default 100,000: some 20 MB. */
  maximumEvents?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: () => number;
}

const HORIZON_MS = 24 * 3_600_000;

/** A store for one process, which forgets when that ends: then an event that comes again is handled again. */
export function createMemorySeenEvents({
  maximumEvents = 100_000,
  now = Date.now,
}: MemoryOptions = {}): SeenEvents {
  const underWay = new Set<string>();
  /** By when; the oldest first. */
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
