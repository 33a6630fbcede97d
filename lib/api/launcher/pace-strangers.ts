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
  /** Between two turns while members are being answered, so that busy members delay strangers and never lock them out. */
  yieldMs: number;
}

/** A network may be an office whose browsers open several pages, each with its prefetches. */
const LIMITS: Limits = {
  atOnce: 2,
  waitingPerNetwork: 64,
  waiting: 512,
  longestWaitMs: 10_000,
  longestTurnMs: 1_000,
  yieldMs: 250,
};

const TOO_MANY: PageRefusal = {
  status: 429,
  text: "Too many pages are being opened without signing in. Wait 10 seconds, then try again.",
  headers: { "Retry-After": "10" },
};

/** Null: it has its turn. */
type Settled = PageRefusal | null;

/**
 * Lets few requests for pages of people who are not signed in run at once, and hardly any while members are being
 * answered: all pages share one thread, and a flood of them would delay members. The others wait, and networks take
 * turns. Asks no database.
 * @param isSignedIn whether a cookie header holds a session of this installation
 * @returns waits for a request's turn, which lasts until its response is closed; answers what refuses it, else null
 */
export function createStrangerPace(
  isSignedIn: (cookies: string | undefined) => Promise<boolean>,
  limits: Limits = LIMITS,
): (request: IncomingMessage, response: ServerResponse) => Promise<Settled> {
  const turns = createTurns(limits);
  return async (request, response) => {
    if (await isSignedIn(request.headers.cookie)) {
      turns.noteMember(response);
      return null;
    }
    const address = request.headers[CLIENT_ADDRESS_HEADER];
    return turns.take(response, networkOf(typeof address === "string" ? address : null));
  };
}

function createTurns(limits: Limits) {
  const line = createLine(limits);
  const running = { members: 0, strangers: 0 };
  let begunAt = Number.NEGATIVE_INFINITY;
  let retry: NodeJS.Timeout | undefined;

  const isFree = () => running.strangers < limits.atOnce;
  const yieldsForMs = () => (running.members === 0 ? 0 : begunAt + limits.yieldMs - performance.now());
  const mayBegin = () => isFree() && yieldsForMs() <= 0;

  const callNext = () => {
    clearTimeout(retry);
    while (mayBegin() && !line.isEmpty()) line.takeFirst()?.settle(null);
    if (isFree() && !line.isEmpty()) retry = setTimeout(callNext, Math.ceil(yieldsForMs()));
  };

  const count = (kind: keyof typeof running, response: ServerResponse) => {
    running[kind]++;
    const end = () => {
      clearTimeout(timer);
      response.off("close", end);
      running[kind]--;
      callNext();
    };
    const timer = setTimeout(end, limits.longestTurnMs);
    response.once("close", end);
  };

  const begin = (response: ServerResponse) => {
    begunAt = performance.now();
    count("strangers", response);
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
      callNext();
    });

  return {
    noteMember: (response: ServerResponse) => {
      if (!response.destroyed) count("members", response);
    },
    take: async (response: ServerResponse, network: string): Promise<Settled> => {
      if (response.destroyed) return TOO_MANY;
      if (!mayBegin() || !line.isEmpty()) return wait(response, network);
      begin(response);
      return null;
    },
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
    isEmpty: () => size === 0,
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
