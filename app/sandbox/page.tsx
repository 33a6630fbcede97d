import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import {
  changeConnection,
  decidePending,
  deposit,
  moveClock,
  moveOutside,
  payToCard,
  purchase,
  sendBack,
  setReceiver,
  silence,
} from "@/app/sandbox/actions";
import { SandboxPage } from "@/components/sandbox/sandbox-page";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readSandboxPage } from "@/lib/views/sandbox/read-sandbox-page";

export const metadata: Metadata = { title: "Sandbox bank" };

const acts = {
  moveClock,
  deposit,
  sendBack,
  silence,
  purchase,
  payToCard,
  moveOutside,
  changeConnection,
  decidePending,
  setReceiver,
};

/** Not found where a real provider is configured. */
export default async function Sandbox() {
  const member = await requireMember("/sandbox");
  const { services, sandbox } = getRuntime();
  if (!sandbox) notFound();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readSandboxPage(services, sandbox, context, timeOf(member, context)),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="SANDBOX">
      <SandboxPage view={view} acts={acts} />
    </Shell>
  );
}
