import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { Statement } from "@/app/accounts/[id]/statement/_components/statement";
import { openAccountPage } from "@/app/accounts/account-page";
import { organizationTimeOf, shellOf } from "@/app/page-setting";
import { Shell } from "@/components/shell/shell";
import { getRuntime } from "@/lib/next/runtime";
import { readStatement } from "@/lib/views/accounts/read-statement";

export const metadata: Metadata = { title: "Statement" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[]>>;
}

/** Four-digit years that the books can contain. */
const day = z.iso.date().regex(/^20/).nullable().catch(null);

const searchSchema = z.object({
  month: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
    .nullable()
    .catch(null),
  from: day,
  to: day,
  /** `all` shows every movement. */
  rows: z.literal("all").nullable().catch(null),
});

/** The statement of an account for a month or a date range. */
export default async function StatementPage({ params, searchParams }: Props) {
  const { id, member, context } = await openAccountPage(params, "/statement");
  const { services, isSandbox } = getRuntime();
  const { rows, ...period } = searchSchema.parse(await searchParams);
  const asked = { ...period, isWhole: rows === "all" };
  const [view, shell] = await Promise.all([
    readStatement(
      {
        services,
        context,
        // In the organization's zone, so that a statement is the same for every reader.
        time: organizationTimeOf(member, context),
      },
      id,
      asked,
      {
        organizationName: member.organization.name,
        isSandbox,
      },
    ),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="ACCOUNTS">
      <Statement view={view} />
    </Shell>
  );
}
