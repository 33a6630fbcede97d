import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { copyUnusedDemo } from "@/e2e/support/demo-folder";
import { readDemo, startProduct } from "@/e2e/support/product";
import { isRunning, readPostmasterPid } from "@/lib/testing/product-process";

/** Asks a dedicated product for the accounts that its demo key may read. */
async function countAccounts(dataDirectory: string): Promise<number> {
  const { apiUrl, apiKey } = await readDemo(dataDirectory);
  const response = await fetch(`${apiUrl}/accounts?pageSize=100`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const body: { data: { items: unknown[] } } = await response.json();
  return body.data.items.length;
}

/** What only a first start does. */
const ONCE = /Building Sluice|Made the demo organization/;
/** What libraries print of themselves (scripts/start.mjs). */
const OF_LIBRARIES = /Unsupported runtime|Running next\.config/;

test.describe("the process", () => {
  let folder: string;
  let dataDirectory: string;
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sluice-process-"));
    dataDirectory = join(folder, "data");
    // Its very first start is the global setup's (e2e/support/demo-folder.ts).
    await copyUnusedDemo(dataDirectory);
  });
  test.afterAll(() => rm(folder, { recursive: true, force: true }));

  test("keeps everything through Ctrl-C and kill -9, and starts again without doing anything twice", {
    tag: "@gate",
  }, async () => {
    const first = await startProduct(dataDirectory);
    const port = Number(new URL(first.url).port);
    const accounts = await countAccounts(dataDirectory);
    expect(accounts).toBeGreaterThan(5);
    const demo = await readDemo(dataDirectory);
    await first.stop("SIGINT");
    expect(first.process.exitCode).toBe(0);

    const second = await startProduct(dataDirectory, port);
    expect(await countAccounts(dataDirectory)).toBe(accounts);
    expect(await readDemo(dataDirectory)).toEqual(demo);
    await second.stop("SIGKILL");

    // On another port: the file names the present one.
    const third = await startProduct(dataDirectory);
    expect(await readDemo(dataDirectory)).toMatchObject({ appUrl: third.url, apiKey: demo.apiKey });
    expect(await countAccounts(dataDirectory)).toBe(accounts);
    await third.stop("SIGTERM");
    expect(third.process.exitCode).toBe(0);
    for (const { printed } of [first, second, third]) {
      expect(printed()).not.toMatch(ONCE);
      expect(printed()).not.toMatch(OF_LIBRARIES);
    }
  });

  test("starts again within five seconds", { tag: "@alone" }, async () => {
    // The faster of two: whatever else the machine does is not the product's time.
    const startsMs: number[] = [];
    for (let start = 0; start < 2; start += 1) {
      const startedAt = performance.now();
      const product = await startProduct(dataDirectory);
      startsMs.push(performance.now() - startedAt);
      await product.stop();
    }
    expect(Math.min(...startsMs)).toBeLessThan(5_000);
  });

  test("SIGTERM to npm start ends everything in order, the database last, with exit code 0", async () => {
    const environment = { LOG_LEVEL: "info" };
    const product = await startProduct(dataDirectory, undefined, { environment, isThroughNpm: true });
    const postmaster = await readPostmasterPid(dataDirectory);
    expect(await isRunning(postmaster)).toBe(true);
    await product.stop("SIGTERM");
    expect(product.process.exitCode).toBe(0);
    // Logged when the database is closed.
    expect(product.printed()).toContain('"msg":"stopped"');
    await expect(fetch(`${product.url}/healthz`)).rejects.toThrow("fetch failed");
    expect(await isRunning(postmaster)).toBe(false);
  });

  test("a doubled signal, as Ctrl-C sends below npm, ends it in order", async () => {
    const environment = { npm_lifecycle_event: "start" };
    const product = await startProduct(dataDirectory, undefined, { environment });
    product.process.kill("SIGINT");
    await product.stop("SIGINT");
    expect(product.process.exitCode).toBe(0);
  });

  test("a busy port is detected before anything is opened, and the start names it and what to do", async () => {
    const first = await startProduct(dataDirectory);
    const { port } = new URL(first.url);
    const second = startProduct(join(dataDirectory, "never-made"), Number(port));
    await expect(second).rejects.toThrow(`Port ${port} is in use`);
    await expect(second).rejects.toThrow(`PORT=${Number(port) + 1} npm start`);
    await first.stop();
    await expect(stat(join(dataDirectory, "never-made"))).rejects.toThrow("ENOENT");
  });

  test("two processes on one data folder count one key's requests together: the 101st of a minute is refused", async () => {
    const first = await startProduct(dataDirectory);
    const second = await startProduct(dataDirectory);
    const { apiKey } = await readDemo(dataDirectory);
    const ask = async (index: number) => {
      const { url } = index % 2 === 0 ? first : second;
      const response = await fetch(`${url}/platform/v1/accounts?pageSize=1`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      });
      const [, remaining, secondsLeft] =
        /r=(\d+);t=(\d+)/.exec(response.headers.get("ratelimit") ?? "") ?? [];
      return { status: response.status, remaining: Number(remaining), secondsLeft: Number(secondsLeft) };
    };
    // The burst must fit into one clock minute: it begins when enough of one is left.
    await expect
      .poll(async () => (await ask(0)).secondsLeft, { timeout: 40_000, intervals: [1_000] })
      .toBeGreaterThan(20);
    const { remaining } = await ask(1);
    const answers = await Promise.all(Array.from({ length: remaining + 2 }, (_, index) => ask(index)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(remaining);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    await second.stop();
    expect(await (await fetch(`${first.url}/readyz`)).text()).toBe("ready");
    await first.stop();
  });
});
