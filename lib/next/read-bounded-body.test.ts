import { describe, expect, it } from "vitest";
import { readBoundedBody } from "@/lib/next/read-bounded-body";

const KIB = 1_024;

/** A request that sends `chunks` kibibytes and then ends, disconnects, or stalls. */
function sending(chunks: number, then: "ENDS" | "HANGS_UP" | "FALLS_SILENT") {
  let sent = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent < chunks) {
        sent += 1;
        controller.enqueue(new Uint8Array(KIB).fill(sent));
      } else if (then === "ENDS") controller.close();
      else if (then === "HANGS_UP")
        controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
      else return new Promise(() => {});
    },
    cancel() {
      isCancelled = true;
    },
  });
  // Node's fetch requires `duplex` for streams; the browser types do not declare it.
  const init = { method: "POST", body, duplex: "half" };
  const request = new Request("http://localhost/", init);
  return { request, sent: () => sent, isCancelled: () => isCancelled };
}

describe("the body of a request", () => {
  it("is read whole up to its limit", async () => {
    const { request } = sending(2, "ENDS");
    const body = await readBoundedBody(request, 2 * KIB);
    expect(body?.length).toBe(2 * KIB);
    expect([body?.at(0), body?.at(-1)]).toEqual([1, 2]);
    expect(await readBoundedBody(new Request("http://localhost/"), KIB)).toHaveLength(0);
  });

  it("that is too large is neither read on nor canceled, so that the client gets the refusal", async () => {
    const { request, sent, isCancelled } = sending(100, "ENDS");
    expect(await readBoundedBody(request, KIB)).toBeNull();
    expect(sent()).toBeLessThan(5);
    expect(isCancelled()).toBe(false);
  });

  it("that is too large is refused at once, even if it stalls or breaks off", async () => {
    expect(await readBoundedBody(sending(3, "FALLS_SILENT").request, KIB)).toBeNull();
    expect(await readBoundedBody(sending(3, "HANGS_UP").request, KIB)).toBeNull();
  });

  it("that breaks off below the limit yields null, not a server error", async () => {
    expect(await readBoundedBody(sending(1, "HANGS_UP").request, 5 * KIB)).toBeNull();
  });
});
