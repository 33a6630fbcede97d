import { FlaskConical } from "lucide-react";

const PLACE_CLASS = { rail: "sbx", topbar: "sbx-t", page: "sbx-m only-s" };

/** Shown until a real bank is configured. */
export function SandboxLine({ place }: { place: "rail" | "topbar" | "page" }) {
  return (
    <p className={PLACE_CLASS[place]}>
      <FlaskConical className="ic" />
      <span>Sandbox bank: no real money</span>
    </p>
  );
}

export function SkipLink() {
  return (
    <a className="skip" href="#main">
      Skip to content
    </a>
  );
}
