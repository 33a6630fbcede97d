/**
 * The product as `npm start` runs it, with the dashboard where the process has the role, configured by its environment.
 * Run by `product-process.ts`, which kills it.
 */
import { serve } from "@/server";

await serve(false, () => {});
process.send?.("open");
