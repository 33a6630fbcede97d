import { createServer } from "node:http";
import { listen } from "@/e2e/listen";

export interface CallbackServer {
  /** Where browsers are to be sent back to. */
  url: string;
  /** With what the browser that came last was sent back; null: none came since this was asked. */
  take: () => URLSearchParams | null;
  close: () => Promise<void>;
}

/** What a program on the person's own machine opens to get its code (RFC 8252, 7.3). */
export async function openCallback(): Promise<CallbackServer> {
  let last: URLSearchParams | null = null;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/callback") last = searchParams;
    response.writeHead(pathname === "/callback" ? 200 : 404, { "Content-Type": "text/html" });
    response.end("<!doctype html><title>Back</title><h1>Back at the assistant</h1>");
  });
  const { port, close } = await listen(server);
  return {
    url: `http://localhost:${port}/callback`,
    take: () => {
      const taken = last;
      last = null;
      return taken;
    },
    close,
  };
}
