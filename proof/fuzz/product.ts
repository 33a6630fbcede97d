import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Product, startProduct } from "@/e2e/product";
import { type Holding, holdingSchema } from "@/proof/fuzz/holding";

export interface FuzzedProduct extends Product {
  port: number;
  /** What it holds now, after a collection of its garbage. */
  measure(): Promise<Holding>;
  /** The lines that it has printed since they were last taken. */
  takeLines(): string[];
}

const MEASURE_WITHIN_MS = 30_000;

/** The product as `npm start` runs it, with a way to ask what it holds. */
export async function startFuzzedProduct(root: string, dataDirectory: string): Promise<FuzzedProduct> {
  const probe = pathToFileURL(join(root, ".build", "fuzz-probe.mjs")).href;
  const product = await startProduct(dataDirectory, undefined, {
    nodeArguments: ["--expose-gc", "--import", probe],
  });
  let seen = product.printed().length;
  return {
    ...product,
    port: Number(new URL(product.url).port),
    measure: () => measure(product),
    takeLines: () => {
      const text = product.printed();
      const end = text.lastIndexOf("\n") + 1;
      const lines = text
        .slice(seen, end)
        .split("\n")
        .filter((line) => line !== "");
      seen = Math.max(seen, end);
      return lines;
    },
  };
}

async function measure({ process: child }: Product): Promise<Holding> {
  const answered = once(child, "message");
  child.send("measure");
  const late = pause(MEASURE_WITHIN_MS, null, { ref: false });
  const answer = await Promise.race([answered, late]);
  if (!answer) throw new Error("The product does not say what it holds: it hangs");
  return holdingSchema.parse(answer[0]);
}
