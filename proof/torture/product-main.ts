/**
 * The product with its dashboard in its own process, as `npm start` runs it, but with a clock off by
 * `TORTURE_CLOCK_SKEW_MS`, like an unsynchronized machine's. Run by `product-fleet.ts`, which kills it.
 */
import { sendWithSecondKeys } from "@/proof/torture/bank/second-key";
import { prepareStart, serve } from "@/server";

const RealDate = Date;
const skewMs = Number(process.env.TORTURE_CLOCK_SKEW_MS ?? 0);
const skewedNow = () => RealDate.now() + skewMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [skewedNow()] : given, newTarget),
  get: (target, property, receiver) =>
    property === "now" ? skewedNow : Reflect.get(target, property, receiver),
});
if (process.env.TORTURE_FAULT === "second-key") sendWithSecondKeys();
await serve(await prepareStart(() => {}), false, () => {});
process.send?.("open");
