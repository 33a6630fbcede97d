/**
 * The product with a CPU profile from SIGUSR2 on, written to the file of `BENCH_PROFILE` when the process ends by
 * itself. Run by `proof/bench/profile.ts`.
 */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { z } from "zod";
import { prepareStart, serve } from "@/server";

const path = z.string().min(1).parse(process.env.BENCH_PROFILE);
const session = new Session();
session.connect();
session.post("Profiler.enable");
process.once("SIGUSR2", () => session.post("Profiler.start"));
// A session of the same process answers at once, so there is enough time.
process.once("exit", () => {
  session.post("Profiler.stop", (_, { profile }) => writeFileSync(path, JSON.stringify(profile)));
});
await serve(await prepareStart(() => {}), false, () => {});
process.send?.("open");
