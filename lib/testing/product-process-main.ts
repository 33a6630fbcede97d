/**
 * The product without its dashboard in its own process, configured by its environment like every other start. Run by
 * `product-process.ts`, which kills it.
 */
import { loadConfig } from "@/lib/platform/config";
import { openProduct } from "@/open-product";

const product = await openProduct(loadConfig(process.env), () => {});
await product.listen({ handle: (_request, response) => response.writeHead(404).end() });
process.send?.("open");
