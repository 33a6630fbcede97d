import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";
import { PRODUCT_LOG } from "@/e2e/support/product";

const MAXIMUM_BYTES = 16_000;

/**
 * Attaches the product's output during a failed journey to its report: a broken page shows only the digest of its
 * error, and the error itself would be lost with the product.
 */
export default class ProductLog implements Reporter {
  #startedAt = 0;

  onTestBegin(): void {
    this.#startedAt = logSize();
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === "skipped") return;
    const stated = readLog(this.#startedAt);
    if (stated === "") return;
    result.attachments.push({
      name: "what the product said",
      contentType: "text/plain",
      body: Buffer.from(stated),
    });
    process.stderr.write(`\nWhat the product said during "${test.title}":\n${stated}\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}

function logSize(): number {
  const path = process.env[PRODUCT_LOG];
  return path && existsSync(path) ? statSync(path).size : 0;
}

/** From there on, at most its last bytes. */
function readLog(from: number): string {
  const path = process.env[PRODUCT_LOG];
  const size = logSize();
  if (!path || size <= from) return "";
  const start = Math.max(from, size - MAXIMUM_BYTES);
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(size - start);
    readSync(file, buffer, 0, buffer.length, start);
    return buffer.toString();
  } finally {
    closeSync(file);
  }
}
