import pino from "pino";
import { expect, it } from "vitest";
import { createProvider } from "@/lib/api/oauth/create-provider";
import { createClientSecrets } from "@/lib/core/keys/oauth-clients";
import { useTestDatabase } from "@/lib/testing/database";
import { TEST_PRODUCT_SECRET } from "@/lib/testing/oauth";
import { createRealTimeServices } from "@/lib/testing/services";

const database = useTestDatabase();

/** Level of the line that an error of an answer leaves in the log; undefined: none that an operator reads. */
function levelOf(error: Error): number | undefined {
  const lines: string[] = [];
  const provider = createProvider({
    ...createRealTimeServices(database.pool),
    log: pino({}, { write: (line) => void lines.push(line) }),
    productSecret: TEST_PRODUCT_SECRET,
    clientSecrets: createClientSecrets(TEST_PRODUCT_SECRET),
    fetchDocument: () => Promise.reject(new Error("nothing is fetched here")),
    mayFetch: async () => false,
  });
  provider.callback();
  provider.emit("error", error);
  return lines[0] === undefined ? undefined : JSON.parse(lines[0]).level;
}

it("alerts an operator to errors, not to clients that disconnect mid-answer", () => {
  expect(levelOf(new Error("broken"))).toBe(50);
  for (const code of ["ECONNRESET", "EPIPE"]) {
    expect(levelOf(Object.assign(new Error(`write ${code}`), { code }))).toBeUndefined();
  }
});
