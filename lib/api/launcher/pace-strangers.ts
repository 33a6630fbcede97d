import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageRefusal } from "@/lib/api/launcher/settle-page-request";
import { CLIENT_ADDRESS_HEADER, networkOf } from "@/lib/core/shared/network";

interface Limits {
  atOnce: number;
  waitingPerNetwork: number;
  waiting: number;
  longestWaitMs: number;
  /** A client that sends or reads slowly leaves the process idle, and must not keep others from their turn. */
  longestTurnMs: number;
}

/** A network may be an office whose browsers open several pages, each with its prefetches. */
const LIMITS: Limits = {
  atOnce: 2,
  waitingPerNetwork: 64,
  waiting: 512,
  longestWaitMs: 10_000,
  longestTurnMs: 1_000,
};

const TOO_MANY: PageRefusal = {
  status: 429,
  text: "Too many pages are being opened without signing in. Wait 10 seconds, then try again.",
  headers: { "Retry-After": "10" },
};

/** Null: it has its turn. */
type Settled = PageRefusal | null;

/**
 * Lets few requests for pages of people who are not signed in run at once: all pages share one thread, and a flood of
 * them would delay members. The others wait, and networks take turns. Asks no database.
 * @param isSignedIn whether a cookie header holds a session of this installation
 * @returns waits for a request's turn, which lasts until its response is closed; answers what refuses it, else null
 */
export function createStrangerPace(
  isSignedIn: (cookies: string | undefined) => Promise<boolean>,
  limits: Limits = LIMITS,
): (request: IncomingMessage, response: ServerResponse) => Promise<Settled> {
  const takeTurn = createTurns(limits);
  return async (request, response) => {
    if (await isSignedIn(request.headers.cookie)) return null;
    const address = request.headers[CLIENT_ADDRESS_HEADER];
    return takeTurn(response, networkOf(typeof address === "string" ? address : null));
  };
}

function createTurns(limits: Limits): (response: ServerResponse, network: string) => Promise<Settled> {
  const line = createLine(limits);
  let running = 0;

  const begin = (response: ServerResponse) => {
    running++;
    const end = () => {
      clearTimeout(timer);
      response.off("close", end);
      running--;
      if (running < limits.atOnce) line.takeFirst()?.settle(null);
    };
    const timer = setTimeout(end, limits.longestTurnMs);
    response.once("close", end);
  };

  const wait = (response: ServerResponse, network: string) =>
    new Promise<Settled>((resolve) => {
      const one: Waiting = {
        network,
        settle: (refusal) => {
          clearTimeout(timer);
          response.off("close", leave);
          if (refusal === null) begin(response);
          resolve(refusal);
        },
      };
      const leave = () => {
        line.remove(one);
        one.settle(TOO_MANY);
      };
      const timer = setTimeout(leave, limits.longestWaitMs);
      // The client disconnected; nobody reads the refusal.
      response.once("close", leave);
      if (!line.add(one)) one.settle(TOO_MANY);
    });

  return async (response, network) => {
    if (response.destroyed) return TOO_MANY;
    if (running >= limits.atOnce) return wait(response, network);
    begin(response);
    return null;
  };
}

interface Waiting {
  network: string;
  settle: (refusal: Settled) => void;
}

/** Requests that wait, in a queue per network. */
function createLine(limits: Pick<Limits, "waiting" | "waitingPerNetwork">) {
  /** None is empty. The first one has the next turn. */
  const queues = new Map<string, Waiting[]>();
  let size = 0;

  const remove = (one: Waiting) => {
    const queue = queues.get(one.network) ?? [];
    const rest = queue.filter((each) => each !== one);
    size -= queue.length - rest.length;
    if (rest.length > 0) queues.set(one.network, rest);
    else queues.delete(one.network);
  };

  /** The last of the network that has most waiting gives way to a network that has fewer. */
  const makeRoomFor = (own: number): boolean => {
    if (size < limits.waiting) return true;
    const all = [...queues.values()];
    const longest = all.reduce((most, queue) => (queue.length > most.length ? queue : most), []);
    const last = longest.at(-1);
    if (!last || longest.length <= own + 1) return false;
    remove(last);
    last.settle(TOO_MANY);
    return true;
  };

  return {
    /** @returns false where there is no room */
    add: (one: Waiting): boolean => {
      const own = queues.get(one.network) ?? [];
      if (own.length >= limits.waitingPerNetwork || !makeRoomFor(own.length)) return false;
      queues.set(one.network, [...own, one]);
      size++;
      return true;
    },
    remove,
    takeFirst: (): Waiting | undefined => {
      const [first] = queues.values().next().value ?? [];
      if (!first) return undefined;
      remove(first);
      const rest = queues.get(first.network);
      if (rest) {
        // Behind the other networks.
        queues.delete(first.network);
        queues.set(first.network, rest);
      }
      return first;
    },
  };
}
