/**
 * The product as `npm start` runs it, with the dashboard if the process has the role, configured by its environment.
 * Run by `product-process.ts`, which kills it.
 */
import { prepareStart, serve } from "@/server";

await serve(await prepareStart(() => {}), false, () => {});
process.send?.("open");
