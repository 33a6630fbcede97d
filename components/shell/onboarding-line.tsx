import { Link } from "@/components/ui/link";

/** On every page of a new organization, until its first steps were ended: how to come back to them. */
export function OnboardingLine({ href }: { href: string }) {
  return (
    <p className="onb-l">
      <span>This organization is not set up yet.</span>{" "}
      <Link className="link" href={href}>
        Go on with the first steps
      </Link>
    </p>
  );
}
