import { once } from "node:events";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** Relays between two processes, and disrupts them on request. */
export interface TcpProxy {
  port: number;
  /** Breaks all present connections, in the middle of whatever they carry. */
  dropAll(): void;
  /** From now on every chunk waits this long, in both directions. */
  delay(ms: number): void;
  /** While true, new connections are refused and existing ones are cut. */
  refuse(isRefusing: boolean): void;
  /** While true, nothing arrives in either direction and nothing is refused, as behind a cable that was pulled. */
  swallow(isSwallowing: boolean): void;
  /**
   * Present connections carry nothing anymore, and are not closed, as behind a firewall that forgot them. Those that are
   * opened later work; one that a side closes ends.
   */
  silence(): void;
  close(): Promise<void>;
}

/** Relays connections to `target`, which is called for each: the process behind it may restart elsewhere. */
export async function startTcpProxy(target: () => NetConnectOpts): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const silent = new WeakSet<readonly [Socket, Socket]>();
  let delayMs = 0;
  let isRefusing = false;
  let isSwallowing = false;
  const server = createServer((near) => {
    if (isRefusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target());
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    const isSilent = () => silent.has(pair);
    const forwarding = {
      delayMs: () => delayMs,
      isSwallowing: () => isSwallowing || isSilent(),
      isSilent,
      end,
    };
    forward(near, far, forwarding);
    forward(far, near, forwarding);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  const dropAll = () => {
    for (const [near, far] of [...pairs]) {
      // A reset, as a network causes it, instead of an orderly end.
      near.resetAndDestroy();
      far.destroy();
    }
    pairs.clear();
  };
  return {
    port: address.port,
    dropAll,
    delay: (ms) => {
      delayMs = ms;
    },
    refuse: (refusing) => {
      isRefusing = refusing;
      if (refusing) dropAll();
    },
    swallow: (swallowing) => {
      isSwallowing = swallowing;
    },
    silence: () => {
      for (const pair of pairs) silent.add(pair);
    },
    close: async () => {
      dropAll();
      server.close();
      await once(server, "close");
    },
  };
}

interface Forwarding {
  delayMs: () => number;
  isSwallowing: () => boolean;
  isSilent: () => boolean;
  end: () => void;
}

/** In order, however the delay changes: a chunk leaves after the previous one. */
function forward(from: Socket, to: Socket, { delayMs, isSwallowing, isSilent, end }: Forwarding): void {
  let last = Promise.resolve();
  const afterOthers = (act: () => void) => {
    if (isSwallowing()) return;
    const ms = delayMs();
    last = last.then(() => (ms === 0 ? act() : after(ms, act)));
  };
  from.on("data", (chunk: Buffer) =>
    afterOthers(() => {
      if (to.destroyed) return;
      // Backpressure: a slow reader holds the writer back.
      if (!to.write(chunk)) {
        from.pause();
        to.once("drain", () => from.resume());
      }
    }),
  );
  from.on("end", () => afterOthers(() => to.end()));
  from.on("error", end);
  from.on("close", () => (isSilent() ? end() : afterOthers(end)));
}

function after(ms: number, act: () => void): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      act();
      resolve();
    }, ms);
  });
}
