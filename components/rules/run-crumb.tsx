import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

interface RunCrumbProps {
  rule: { name: string; href: string };
  /** Between the rule and here. */
  via?: { label: string; href: string };
  here: string;
}

/** The way back from a page below a rule. */
export function RunCrumb({ rule, via, here }: RunCrumbProps) {
  return (
    <p className="crumb">
      <Link href="/rules">Rules</Link>
      <ChevronIcon />
      <Link href={rule.href}>{rule.name}</Link>
      <ChevronIcon />
      {via ? (
        <>
          <Link href={via.href}>{via.label}</Link>
          <ChevronIcon />
        </>
      ) : null}
      <span>{here}</span>
    </p>
  );
}
