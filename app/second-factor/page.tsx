import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { sessionAt } from "@/app/auth/member";
import { proposalOf, returnPath, signInHref } from "@/app/auth/return-path";
import { SecondFactorPage } from "@/app/second-factor/_components/second-factor-page";
import { formatShown } from "@/lib/contract/shown";
import { getRuntime } from "@/lib/next/runtime";
import { readFactorStep } from "@/lib/views/members/list-security";

export const metadata: Metadata = { title: "Second factor" };

interface PageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

/**
 * For members without a required second factor (`?next=`: where they were going). It shows only the organization's
 * name.
 */
export default async function Page({ searchParams }: PageProps) {
  const next = returnPath((await searchParams).next);
  const session = await sessionAt(next);
  if (session === null) redirect(signInHref(next));
  if (!session.lacksSecondFactor) redirect(next);
  const { services, isSandbox } = getRuntime();
  const step = await readFactorStep(services, session.actor);
  return (
    <SecondFactorPage
      view={{
        shown: formatShown({
          userId: session.actor.id,
          organizationId: session.organization.id,
          proposalId: proposalOf(next),
        }),
        organizationName: session.organization.name,
        others: session.organizations.filter(({ id }) => id !== session.organization.id),
        email: session.actor.email,
        step,
        isSandbox,
      }}
    />
  );
}
