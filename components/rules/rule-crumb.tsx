import Link from "next/link";
import { ChevronIcon } from "@/components/ui/icons";

interface RuleCrumbProps {
  ruleId: string;
  name: string;
  /** Below the rule: `Version 4`. */
  here: string;
}

/** The way back to the rule and the list of rules. */
export function RuleCrumb({ ruleId, name, here }: RuleCrumbProps) {
  return (
    <p className="crumb">
      <Link href="/rules">Rules</Link>
      <ChevronIcon />
      <Link href={`/rules/${ruleId}`}>{name}</Link>
      <ChevronIcon />
      <span>{here}</span>
    </p>
  );
}
