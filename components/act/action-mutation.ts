import { unstable_rethrow } from "next/navigation";
import { isUnknownAction, whenThrown } from "@/components/act/answer-lost";
import type { Prove, StepUpRequest, TypedInstead } from "@/components/act/prove";
import type { Refused } from "@/lib/contract/refused";

/** The server refused, the step-up failed, or no answer came. */
export class NotDone extends Error {
  override readonly name = "NotDone";
  constructor(
    readonly refused: Refused,
    readonly isLost = false,
  ) {
    super(refused.message);
  }
}

export interface Attempt<Input> {
  input: Input;
  /** What the page showed at the press; a repetition and the end of a step-up send the same. */
  shown: string;
  /** Confirms with this instead of the usual way. */
  instead?: TypedInstead;
}

export interface ActionRequest<Input, Result extends { kind: string }> {
  /** A server action, or what calls some. */
  act: (input: Input, shown: string) => Promise<Result | Refused>;
  /** What to say when no answer comes: `nothingSent` for what changes nothing, otherwise `outcomeUnknown`. */
  whenLost: Refused;
  /** The step-up it needs; null for none. */
  proof?: (input: Input) => StepUpRequest | null;
  /** Sent twice, it takes effect once, so a lost answer is requested again. */
  isRepeatable?: boolean;
}

const REPEAT_AFTER_MS = 1_000;
/** At 0, the library would look again and again whether an action in progress has ended. */
const KEPT_MS = 1_000;

/** The options of `useMutation`, apart from React so that tests need no browser. */
export function actionMutation<Input, Result extends { kind: string }>(
  { act, whenLost, proof, isRepeatable = false }: ActionRequest<Input, Result>,
  prove: Prove,
) {
  return {
    /** Runs once, also where the action is repeated. */
    onMutate: async ({ input, instead }: Attempt<Input>): Promise<void> => {
      const request = proof?.(input) ?? null;
      if (request === null) return;
      const proven = await prove({ ...request, instead });
      if (proven.kind === "REFUSED") throw new NotDone(proven);
    },
    mutationFn: async ({ input, shown }: Attempt<Input>): Promise<Result> => {
      const answer = await act(input, shown).catch((error: unknown) => {
        // A redirect arrives as an error for the router.
        unstable_rethrow(error);
        if (error instanceof NotDone) throw error;
        throw new NotDone(whenThrown(error, whenLost), !isUnknownAction(error));
      });
      if (isRefused(answer)) throw new NotDone(answer);
      return answer;
    },
    retry: (failureCount: number, error: Error) =>
      isRepeatable && failureCount < 1 && error instanceof NotDone && error.isLost,
    retryDelay: REPEAT_AFTER_MS,
    // The error boundary gets what is neither refused nor lost: redirects, and faults of our own.
    throwOnError: (error: Error) => !(error instanceof NotDone),
    // By default an action without a network waits, and runs when nobody expects it any longer.
    networkMode: "always" as const,
    // Input and answers contain passwords, recovery codes and new keys: they end with what shows them.
    gcTime: KEPT_MS,
  };
}

function isRefused<Result extends { kind: string }>(answer: Result | Refused): answer is Refused {
  return answer.kind === "REFUSED";
}
