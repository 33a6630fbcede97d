import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { SandboxPage } from "@/app/sandbox/_components/sandbox-page";
import { SimulationsPage } from "@/app/sandbox/_components/simulations-page";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readSandboxPage } from "@/lib/views/sandbox/read-sandbox-page";
import { readSimulationsPage } from "@/lib/views/sandbox/read-simulations-page";

export const metadata: Metadata = { title: "Sandbox bank" };

/** Of the sandbox bank, or of a real bank's own sandbox; not found with real money. */
export default async function Sandbox() {
  const member = await requireMember("/sandbox");
  const { services, sandbox, simulations } = getRuntime();
  const context = memberContext(services, member);
  const time = timeOf(member, context);
  if (!sandbox && !simulations) notFound();
  const shell = await shellOf(member, context);
  return (
    <Shell view={shell} current="SANDBOX">
      {sandbox ? <SandboxPage view={await readSandboxPage({ services, context, time }, sandbox)} /> : null}
      {simulations && !sandbox ? (
        <SimulationsPage view={await readSimulationsPage({ services, context, time }, simulations)} />
      ) : null}
    </Shell>
  );
}
