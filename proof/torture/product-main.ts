/**
 * The product with its dashboard in a process of its own, as `npm start` runs it, but with a clock that goes wrong by
 * `TORTURE_CLOCK_SKEW_MS`, as a machine's does until somebody sets it. Run by `product-fleet.ts`, which kills it.
 */
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
await serve(await prepareStart(() => {}), false, () => {});
process.send?.("open");
