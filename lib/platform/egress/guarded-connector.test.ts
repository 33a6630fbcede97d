/**
 * The connector between a resolver that lies as each test says and servers on this machine. The guard decides which
 * addresses are allowed: here 127.0.0.1 stands for the internet, and every other address is judged as usual.
 */
import { createServer as createTlsServer } from "node:tls";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  createGuardedConnector,
  createOriginPools,
  type EgressGuard,
  judgeHost,
  type OriginPools,
} from "@/lib/platform/egress/guarded-connector";
import { refuseAddress } from "@/lib/platform/egress/is-public-address";
import { EgressError } from "@/lib/platform/egress/resolve-host";
import { makeCertificate } from "@/lib/testing/servers/certificate";
import { portOf, type RawServer, startRawServer } from "@/lib/testing/servers/raw-server";

const INTERNET = "127.0.0.1";
const refuse: EgressGuard["refuse"] = (address) => (address === INTERNET ? null : refuseAddress(address));

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function opening(guard: Partial<EgressGuard> & { timeoutMs?: number; ca?: string }): OriginPools {
  const pools = createOriginPools(
    createGuardedConnector({ resolve: async () => [INTERNET], refuse, timeoutMs: 2_000, ...guard }),
  );
  ends.push(() => pools.close());
  return pools;
}

/** Answers every request, and closes the connection afterwards if asked to. */
async function startServer({ keepsOpen = true } = {}): Promise<RawServer> {
  const server = await startRawServer((socket) => {
    socket.on("data", () => {
      socket.write(`HTTP/1.1 204 No Content\r\n${keepsOpen ? "" : "connection: close\r\n"}\r\n`);
      if (!keepsOpen) socket.end();
    });
  });
  ends.push(() => server.close());
  return server;
}

async function ask(pools: OriginPools, origin: string): Promise<number | string> {
  try {
    const answer = await pools.of(origin).request({ method: "POST", path: "/", body: "{}" });
    await answer.body.dump();
    return answer.statusCode;
  } catch (error) {
    return error instanceof EgressError ? error.problem : String(error);
  }
}

describe("every connection", () => {
  it("goes to the address that was judged, without a second lookup", async () => {
    const server = await startServer();
    const asked: string[] = [];
    const pools = opening({
      resolve: async (hostname) => {
        asked.push(hostname);
        return [INTERNET];
      },
    });
    // The system resolver does not know this name: a second lookup would fail.
    expect(await ask(pools, `http://hooks.invalid:${server.port}`)).toBe(204);
    expect(asked).toEqual(["hooks.invalid"]);
  });

  it("is judged every time: a name that now leads to a private address is refused", async () => {
    const server = await startServer({ keepsOpen: false });
    const answers = [[INTERNET], ["10.0.0.1"], ["169.254.169.254"], [INTERNET]];
    const pools = opening({ resolve: async () => answers.shift() ?? [] });
    const origin = `http://rebinding.example:${server.port}`;
    expect(await ask(pools, origin)).toBe(204);
    expect(await ask(pools, origin)).toBe("ADDRESS");
    expect(await ask(pools, origin)).toBe("ADDRESS");
    expect(await ask(pools, origin)).toBe(204);
    expect(server.connections).toBe(2);
  });

  it("is judged by the socket's actual peer as well, whatever the lookup said", async () => {
    const server = await startServer();
    let judged = 0;
    const pools = opening({ refuse: () => (judged++ === 0 ? null : "leads to a private address") });
    expect(await ask(pools, `http://hooks.example:${server.port}`)).toBe("ADDRESS");
    expect(judged).toBe(2);
  });

  it.each(["127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "0.0.0.0", "10.0.0.1"])(
    "is refused to the literal %s, which never reaches a lookup",
    async (host) => {
      const pools = opening({
        resolve: async () => {
          throw new Error("A literal is not looked up");
        },
      });
      expect(await ask(pools, `http://${host}:9`)).toBe("ADDRESS");
    },
  );

  it("times out if the resolver never answers", async () => {
    const pools = opening({
      timeoutMs: 100,
      resolve: (_hostname, timeoutMs) =>
        new Promise((_resolve, reject) => {
          setTimeout(() => reject(new EgressError("DNS", "late")), timeoutMs);
        }),
    });
    expect(await ask(pools, "http://hooks.example")).toBe("DNS");
  });

  it("times out if the handshake never ends", async () => {
    const silent = await startRawServer(() => undefined);
    ends.push(() => silent.close());
    const pools = opening({ timeoutMs: 100 });
    expect(await ask(pools, `https://hooks.example:${silent.port}`)).toBe("TIMEOUT");
  });
});

describe("a host", () => {
  const judge = (addresses: string[]) =>
    judgeHost({ resolve: async () => addresses, refuse: refuseAddress }, "hooks.example", 100);

  it("is refused for one forbidden address among public ones, at any position", async () => {
    await expect(judge(["1.1.1.1", "8.8.8.8", "192.168.0.1"])).rejects.toMatchObject({ problem: "ADDRESS" });
    await expect(judge(["::1", "1.1.1.1"])).rejects.toMatchObject({ problem: "ADDRESS" });
    await expect(judge(["1.1.1.1", "fe80::1%eth0"])).rejects.toMatchObject({ problem: "ADDRESS" });
    await expect(judge(["1.1.1.1", "8.8.8.8"])).resolves.toEqual(["1.1.1.1", "8.8.8.8"]);
  });

  it("is refused with a message that says where it leads, without the address", async () => {
    await expect(judge(["10.1.2.3"])).rejects.toThrow("hooks.example leads to a private address");
  });

  it("is unknown if it has no address at all", async () => {
    await expect(judge([])).rejects.toMatchObject({ problem: "UNKNOWN_HOST" });
  });
});

describe("over TLS", () => {
  async function startTls(certificate: { key: string; cert: string }, names: (string | false)[]) {
    const server = createTlsServer(
      {
        ...certificate,
        SNICallback: (name, done) => {
          names.push(name);
          done(null);
        },
      },
      (socket) => {
        socket.on("error", () => socket.destroy());
        socket.on("data", () => socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"));
      },
    );
    // The client leaves in the middle of a handshake that it does not trust.
    server.on("tlsClientError", (_error, socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    return portOf(server);
  }

  it("verifies the certificate against the host's name, even though it connects to an address", async () => {
    const certificate = makeCertificate("hooks.example");
    const names: (string | false)[] = [];
    const port = await startTls(certificate, names);
    const pools = opening({ ca: certificate.cert });
    expect(await ask(pools, `https://hooks.example:${port}`)).toBe(204);
    expect(await ask(pools, `https://hooks.example.:${port}`)).toBe(204);
    expect(names, "the server receives the host's name").toEqual(["hooks.example", "hooks.example"]);
    expect(await ask(pools, `https://other.example:${port}`)).toBe("TLS");
    expect(await ask(pools, `https://127.0.0.1:${port}`)).toBe("TLS");
  });

  it("refuses an untrusted certificate, even if the environment would allow it", async () => {
    const port = await startTls(makeCertificate("hooks.example"), []);
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    ends.push(async () => vi.unstubAllEnvs());
    expect(await ask(opening({}), `https://hooks.example:${port}`)).toBe("TLS");
  });
});

describe("connections that are kept open", () => {
  it("are kept for a bounded number of origins", async () => {
    const server = await startRawServer((socket) => {
      socket.on("data", () => socket.write("HTTP/1.1 204 No Content\r\n\r\n"));
      socket.on("close", () => open--);
      open++;
    });
    ends.push(() => server.close());
    let open = 0;
    const pools = createOriginPools(
      createGuardedConnector({ resolve: async () => [INTERNET], refuse, timeoutMs: 2_000 }),
      3,
    );
    for (let made = 0; made < 12; made++) {
      expect(await ask(pools, `http://hooks${made}.example:${server.port}`)).toBe(204);
    }
    await expect.poll(() => open).toBe(3);
    await pools.close();
    await expect.poll(() => open).toBe(0);
    expect(server.connections).toBe(12);
  });
});
