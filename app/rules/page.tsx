import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { shellOf, timeOf } from "@/app/page-setting";
import { RulesList } from "@/app/rules/_components/rules-list";
import { Shell } from "@/components/shell/shell";
import { rulesHref } from "@/lib/contract/search/list-search";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readRulesPage } from "@/lib/views/rules/read-rules-page";

export const metadata: Metadata = { title: "Rules" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Every rule. Search and page are in the URL. */
export default async function RulesPage({ searchParams }: Props) {
  const query = await searchParams;
  dropEmptyParameters("/rules", query);
  const search = rulesSearchSchema.parse(query);
  const member = await requireMember(rulesHref(search));
  const context = memberContext(getRuntime().services, member);
  const [view, shell] = await Promise.all([
    readRulesPage({ services: getRuntime().services, context, time: timeOf(member, context) }, search),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="RULES">
      <RulesList view={view} />
    </Shell>
  );
}
