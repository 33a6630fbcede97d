import type { ReactNode } from "react";
import { QueryProvider } from "@/components/act/query-provider";
import { BRAND_CLASS, Mark } from "@/components/layout/brand";
import { SandboxLine } from "@/components/layout/frame-parts";
import { SignInScene } from "@/components/sluice/scenes";

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
    <main
      className="grid grid-cols-[minmax(420px,5fr)_7fr] min-h-screen max-sm:grid-cols-[1fr]"
      data-shown={shown}
    >
      <div className="flex flex-col justify-between py-10 px-16 border-r-3 border-double border-rule-strong max-sm:gap-12 max-sm:min-h-screen max-sm:py-8 max-sm:px-5 max-sm:border-0 max-[381px]:px-4">
        <p className={BRAND_CLASS}>
          <Mark size={30} />
          <span className="text-[24px]">Sluice</span>
        </p>
        <QueryProvider>{children}</QueryProvider>
        <div>
          {isSandbox ? <SandboxLine place="sign" /> : null}
          {foot}
        </div>
      </div>
      <div className="relative overflow-hidden max-sm:hidden">
        <SignInScene />
        <p className="absolute top-16 right-14 text-right font-display text-[40px]/11.5 font-[350] tracking-[-0.02em]">
          Nothing moves
          <br />
          until you say so.
        </p>
      </div>
    </main>
  );
}

export function SignColumn({ children }: { children: ReactNode }) {
  return (
    <div className="w-full max-w-92 wrap-anywhere [&_form_.button]:min-h-11 [&_.input]:min-h-11">
      {children}
    </div>
  );
}
