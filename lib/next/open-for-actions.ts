import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { ActionUnderWay } from "@/lib/next/action-under-way";

/**
 * Lets a call of a server action that cannot be read be answered as the caller's mistake. Next takes whatever React's
 * decoder throws for a fault of the server, and answers 500. Called once, by the launcher.
 */
export function openForActions(): (response: ServerResponse, handle: () => unknown) => unknown {
  const storage = new AsyncLocalStorage<ActionUnderWay>();
  globalThis.sluiceAction = () => storage.getStore();
  return (response, handle) => {
    const action: ActionUnderWay = { hasBegun: false, isUnreadable: false };
    // Node writes every head through it, whoever began to.
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (status: number, ...rest: never[]) => {
      if (status !== 500 || !action.isUnreadable) return writeHead(status, ...rest);
      const written = writeHead(400, ...rest);
      // Next sets its own once more when all is sent; the log tells what was sent.
      Object.defineProperty(response, "statusCode", { get: () => 400, set: () => undefined });
      return written;
    };
    return storage.run(action, handle);
  };
}
