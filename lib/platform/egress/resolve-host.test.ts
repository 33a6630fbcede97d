/** Against a DNS server on this machine that answers as each test says; nothing reaches the network. */
import { createSocket, type Socket } from "node:dgram";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createDnsResolver, EgressError, resolveBySystem } from "@/lib/platform/egress/resolve-host";

const A = 1;
const AAAA = 28;
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

type Reply = { code: number; records: Buffer[] } | null;

const servers: Socket[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * @param reply by record type; null never answers
 * @returns its address
 */
async function startDns(reply: (type: number) => Reply): Promise<string> {
  const server = createSocket("udp4");
  servers.push(server);
  server.on("message", (query, { port, address }) => {
    const reported = reply(query.readUInt16BE(questionEnd(query) - 4));
    if (reported) server.send(answer(query, reported), port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  return `127.0.0.1:${server.address().port}`;
}

function questionEnd(query: Buffer): number {
  return query.indexOf(0, 12) + 5;
}

/** Echoes the question, with records for its name. */
function answer(query: Buffer, { code, records }: { code: number; records: Buffer[] }): Buffer {
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  const type = query.readUInt16BE(questionEnd(query) - 4);
  const rows = records.map((data) => {
    const row = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length]);
    return Buffer.concat([row, data]);
  });
  return Buffer.concat([header, query.subarray(12, questionEnd(query)), ...rows]);
}

const ipv4 = (text: string) => Buffer.from(text.split(".").map(Number));
const IPV6_ONE = Buffer.from([...Array<number>(15).fill(0), 1]);

async function problemOf(asked: Promise<string[]>): Promise<string> {
  const error = await asked.then(
    (found) => new Error(`found ${found.join(" ")}`),
    (thrown: unknown) => thrown,
  );
  return error instanceof EgressError ? error.problem : String(error);
}

describe("looking a host up in DNS", () => {
  it("finds every address of both families, so none escapes judgment", async () => {
    const server = await startDns((type) => ({
      code: NO_ERROR,
      records: type === A ? [ipv4("1.1.1.1"), ipv4("10.0.0.1")] : [IPV6_ONE],
    }));
    const found = await createDnsResolver([server])("hooks.example", 2_000);
    expect(found.sort()).toEqual(["1.1.1.1", "10.0.0.1", "::1"]);
  });

  it("finds a host with addresses of one family only", async () => {
    const server = await startDns((type) => ({
      code: NO_ERROR,
      records: type === A ? [ipv4("1.1.1.1")] : [],
    }));
    expect(await createDnsResolver([server])("hooks.example", 2_000)).toEqual(["1.1.1.1"]);
  });

  it.each([
    ["no such name", () => ({ code: NO_SUCH_NAME, records: [] }), "UNKNOWN_HOST"],
    ["a name without addresses", () => ({ code: NO_ERROR, records: [] }), "UNKNOWN_HOST"],
    ["a server that fails", () => ({ code: SERVER_FAILURE, records: [] }), "DNS"],
    [
      "one family unknown, the other unanswered",
      (type: number) =>
        type === AAAA ? { code: SERVER_FAILURE, records: [] } : { code: NO_ERROR, records: [] },
      "DNS",
    ],
  ] as const)("distinguishes an unknown host from a failed lookup: %s", async (_name, reply, problem) => {
    const server = await startDns((type) => {
      const { code, records } = reply(type);
      return { code, records: [...records] };
    });
    expect(await problemOf(createDnsResolver([server])("hooks.example", 3_000))).toBe(problem);
  });

  it("times out if no server answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const server = await startDns(() => {
      asked();
      return null;
    });
    // The resolver's own timer is real and has a quarter of an hour left: only the limit ends it.
    const problem = problemOf(createDnsResolver([server])("hooks.example", 1_800_000));
    await isAsked;
    vi.advanceTimersByTime(1_800_000);
    expect(await problem).toBe("DNS");
  });

  it.each(["localhost", "LOCALHOST", "localhost.", "a.localhost"])(
    "resolves %s to this machine, whatever a server answers",
    async (name) => {
      const server = await startDns(() => ({ code: NO_ERROR, records: [ipv4("1.1.1.1")] }));
      expect(await createDnsResolver([server])(name, 2_000)).toEqual(["127.0.0.1", "::1"]);
    },
  );
});

describe("looking a host up as the system does", () => {
  it("finds this machine", async () => {
    expect(await resolveBySystem("localhost", 5_000)).toContain("127.0.0.1");
  });
});
