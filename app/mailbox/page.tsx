import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { z } from "zod";
import { Mailbox } from "@/app/mailbox/_components/mailbox";
import { pageClass } from "@/components/layout/page-class";
import { AT_THIS_MACHINE_HEADER } from "@/lib/core/shared/network";
import { getRuntime } from "@/lib/next/runtime";
import { readMailbox } from "@/lib/views/notifications/read-mailbox";

export const metadata: Metadata = { title: "Mailbox" };

const searchSchema = z.object({
  email: z.uuid().optional().catch(undefined),
  sms: z.uuid().optional().catch(undefined),
  face: z.enum(["AS_SENT", "PLAIN_TEXT", "SOURCE"]).catch("AS_SENT"),
});

interface Props {
  searchParams: Promise<Record<string, string | string[]>>;
}

/** Email and SMS without providers; 404 except on this machine. */
export default async function MailboxPage({ searchParams }: Props) {
  const { services, hasMailbox } = getRuntime();
  // Needs no sign-in and contains password reset links.
  const isAtThisMachine = (await headers()).get(AT_THIS_MACHINE_HEADER) === "1";
  if (!hasMailbox || !isAtThisMachine) notFound();
  const view = await readMailbox(services, searchSchema.parse(await searchParams));
  return (
    <main id="main" className={pageClass({ frame: "rail", isWide: true })}>
      <Mailbox view={view} />
    </main>
  );
}
