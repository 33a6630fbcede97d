import type { ReactNode } from "react";
import { QueryProvider } from "@/components/actions/query-provider";
import { SandboxLine } from "@/components/shell/frame-parts";
import { SignInScene } from "@/components/sluice/scenes";
import { Mark } from "@/components/ui/brand";

interface SignFrameProps {
  /** For pages about an organization (lib/contract/shown.ts). */
  shown?: string;
  isSandbox: boolean;
  foot?: ReactNode;
  children: ReactNode;
}

/** Pages before sign-in: the form at the left, the scene beside it. */
export function SignFrame({ shown = "", isSandbox, foot, children }: SignFrameProps) {
  return (
    <main className="sign" data-shown={shown}>
      <div className="sign-f">
        <p className="brand sign-m">
          <Mark size={30} />
          <span>Sluice</span>
        </p>
        <QueryProvider>{children}</QueryProvider>
        <div>
          {isSandbox ? <SandboxLine place="topbar" /> : null}
          {foot}
        </div>
      </div>
      <div className="sign-a">
        <SignInScene />
        <p className="display">
          Nothing moves
          <br />
          until you say so.
        </p>
      </div>
    </main>
  );
}

export function SignColumn({ children }: { children: ReactNode }) {
  return <div className="sign-b inv">{children}</div>;
}
