import { SignInForms } from "@/components/auth/sign-in-forms";
import { SandboxLine } from "@/components/shell/sandbox-line";
import { SignInScene } from "@/components/sluice/sign-in-scene";
import { Mark } from "@/components/ui/brand";
import type { SignInActions, SignInView } from "@/lib/contract/views/auth-view";

/** The page in front of all others. */
export function SignInPage({ view, actions }: { view: SignInView; actions: SignInActions }) {
  return (
    <main className="sign">
      <div className="sign-f">
        <p className="brand sign-m">
          <Mark size={30} />
          <span>Sluice</span>
        </p>
        <SignInForms organizationName={view.organizationName} actions={actions} />
        <div>
          {view.isSandbox ? <SandboxLine place="topbar" /> : null}
          {view.organizationName ? <p className="meta">Hosted by {view.organizationName}.</p> : null}
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
