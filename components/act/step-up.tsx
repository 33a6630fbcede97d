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
import { presenceFor } from "@/components/act/presence-for";
import {
  type Proof,
  type Prove,
  proveWith,
  type StepUpRequest,
  type TypedRequest,
} from "@/components/act/prove";
import { shownByPage } from "@/components/act/shown-by-page";

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

/** Step-up for everything inside: asks for a passkey, else for a password in a dialog of its own. */
export function StepUpProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  const latest = useRef(open);
  latest.current = open;

  const prove = useCallback<Prove>(async (words) => {
    const askTyped = (request: TypedRequest) =>
      new Promise<Proof>((resolve) => {
        latest.current?.resolve(NOT_CONFIRMED);
        setOpen({ words, request, resolve });
      });
    return proveWith(words.bound ?? presenceFor(words.act, shownByPage()), words.instead, askTyped);
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
