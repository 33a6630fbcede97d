import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { SandboxPage } from "@/app/sandbox/_components/sandbox-page";
import { SimulationsPage } from "@/app/sandbox/_components/simulations-page";
import { getRuntime } from "@/lib/next/runtime";
import { readSandboxPage } from "@/lib/views/sandbox/read-sandbox-page";
import { readSimulationsPage } from "@/lib/views/sandbox/read-simulations-page";

export const metadata: Metadata = { title: "Sandbox bank" };

/** Of the sandbox bank, or of a real bank's own sandbox; not found with real money. */
export default memberPage({
  at: "/sandbox",
  current: "SANDBOX",
  load: async (reading) => {
    const { sandbox, simulations } = getRuntime();
    if (sandbox) return { kind: "SANDBOX" as const, page: await readSandboxPage(reading, sandbox) };
    if (!simulations) return null;
    return { kind: "SIMULATIONS" as const, page: await readSimulationsPage(reading, simulations) };
  },
  show: ({ view }) =>
    view.kind === "SANDBOX" ? <SandboxPage view={view.page} /> : <SimulationsPage view={view.page} />,
});
