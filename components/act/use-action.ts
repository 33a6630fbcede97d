"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useTransition } from "react";
import { type ActionRequest, type Attempt, actionMutation, NotDone } from "@/components/act/action-mutation";
import { CHANGE_UNKNOWN } from "@/components/act/answer-lost";
import { shownByPage } from "@/components/act/shown-by-page";
import { useStepUp } from "@/components/act/step-up";
import { refreshPage } from "@/components/act/survive-translation";
import type { Refused } from "@/lib/contract/refused";

type Router = ReturnType<typeof useRouter>;

type Requested<Input, Result extends { kind: string }> = ActionRequest<Input, Result>;

export interface ActionOptions<Input, Result extends { kind: string }>
  extends Omit<Requested<Input, Result>, "act" | "whenLost"> {
  /** What to say when no answer comes: by default, that the change may have happened. */
  whenLost?: Refused;
  onDone?: (result: Result, input: Input) => void;
  /** The server refused, the step-up failed, or no answer came. */
  onRefused?: (refused: Refused, input: Input) => void;
  /** Where to go then, busy until it is shown: by default the refreshed page. Null: nowhere. */
  afterwards?: ((router: Router, result: Result) => void) | null;
  /** Also refreshes after a refusal: what the page shows may be out of date. */
  refreshesWhenRefused?: boolean;
}

/** A page that was loaded ahead shows what was before the action; a refresh drops it. */
const droppingLoaded = (router: Router): Router => ({
  ...router,
  push: (...to) => {
    router.refresh();
    router.push(...to);
  },
});

const refresh = (router: Router) => refreshPage(router);
const NO_PROBLEMS: NonNullable<Refused["problems"]> = {};

/**
 * One action of a member, from the press to the refreshed page: step-up, request, refusal, lost answer.
 * @param act the server action itself, or what calls some; gets what the page shows with its input
 */
export function useAction<Result extends { kind: string }, Input = void>(
  act: Requested<Input, Result>["act"],
  options: ActionOptions<Input, Result> = {},
) {
  const { onDone, onRefused, afterwards = refresh, refreshesWhenRefused = false } = options;
  const router = useRouter();
  const prove = useStepUp();
  const [isFollowing, startFollowing] = useTransition();
  const mutation = useMutation<Result, Error, Attempt<Input>, void>({
    ...actionMutation({ whenLost: CHANGE_UNKNOWN, ...options, act }, prove),
    onSuccess: (result, { input }) => {
      onDone?.(result, input);
      if (afterwards) startFollowing(() => afterwards(droppingLoaded(router), result));
    },
    onError: (error, { input }) => {
      if (!(error instanceof NotDone)) return;
      onRefused?.(error.refused, input);
      // Without a network, a refresh would replace the page with the browser's own error.
      if (refreshesWhenRefused && !error.isLost) startFollowing(() => router.refresh());
    },
  });
  const { mutate } = mutation;
  const run = useCallback((input: Input) => mutate({ input, shown: shownByPage() }), [mutate]);
  const refusal = mutation.error instanceof NotDone ? mutation.error.refused : null;

  return {
    run,
    runWithRecoveryCode: (input: Input) => mutate({ input, shown: shownByPage(), instead: "RECOVERY_CODE" }),
    isBusy: mutation.isPending || isFollowing,
    /** What it was last run with. */
    input: mutation.variables?.input ?? null,
    result: mutation.data ?? null,
    refusal,
    message: refusal?.message ?? null,
    /** By field. */
    problems: refusal?.problems ?? NO_PROBLEMS,
    /** Forgets the last outcome. */
    forget: () => {
      if (!mutation.isPending) mutation.reset();
    },
  };
}
