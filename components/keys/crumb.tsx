import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

/** The way back to the list of keys. */
export function KeyCrumb({ here }: { here: string }) {
  return (
    <p className="crumb">
      <Link href="/settings/api-keys">API keys</Link>
      <ChevronIcon />
      <span>{here}</span>
    </p>
  );
}
