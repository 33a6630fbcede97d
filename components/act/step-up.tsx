"use client";

import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useRef,
  useState,
} from "react";
import type { PresenceActions } from "@/components/act/presence-actions";
import {
  type Proof,
  type Prove,
  presenceFor,
  proveWith,
  type StepUpRequest,
  type TypedRequest,
} from "@/components/act/prove";

// Most members confirm with a passkey, so the dialog loads on demand.
const TypedProof = lazy(() =>
  import("@/components/act/typed-proof").then((module) => ({ default: module.TypedProof })),
);

const StepUpContext = createContext<Prove | null>(null);

/** The dialog that is open, and who waits for its outcome. */
interface Open {
  words: StepUpRequest;
  request: TypedRequest;
  resolve: (proof: Proof) => void;
}

const NOT_CONFIRMED: Proof = { kind: "REFUSED", message: "Not confirmed. Nothing was changed." };

interface StepUpProviderProps {
  /** Absent where every proof is sent with its act. */
  presence?: PresenceActions;
  children: ReactNode;
}

/** Step-up for everything inside: asks for a passkey, else for a password in a dialog of its own. */
export function StepUpProvider({ presence, children }: StepUpProviderProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const latest = useRef({ presence, open });
  latest.current = { presence, open };

  const prove = useCallback<Prove>(async (words) => {
    const { presence: ofPage } = latest.current;
    const actions = words.bound ?? (ofPage && presenceFor(ofPage, words.act));
    if (!actions) throw new Error("A proof that is not sent with its act needs the actions of the provider");
    const askTyped = (request: TypedRequest) =>
      new Promise<Proof>((resolve) => {
        latest.current.open?.resolve(NOT_CONFIRMED);
        setOpen({ words, request, resolve });
      });
    return proveWith(actions, words.instead, askTyped);
  }, []);

  const close = (proof: Proof) => {
    open?.resolve(proof);
    setOpen(null);
  };
  return (
    <StepUpContext value={prove}>
      {children}
      {open ? (
        <Suspense>
          <TypedProof
            {...open.words}
            {...open.request}
            onDone={() => close({ kind: "DONE" })}
            onCancel={() => close(NOT_CONFIRMED)}
          />
        </Suspense>
      ) : null}
    </StepUpContext>
  );
}

const withoutProvider: Prove = () => {
  throw new Error("Step-up needs a StepUpProvider around the page");
};

/** @returns asks the member to prove that it is them; resolves when that is settled */
export function useStepUp(): Prove {
  return useContext(StepUpContext) ?? withoutProvider;
}
