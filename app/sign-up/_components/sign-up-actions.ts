import type { FormAction, FormAnswer } from "@/components/parts/sign-in/form-action";

export interface SignUpActions {
  begin: FormAction;
  verify: FormAction;
  resend: () => Promise<FormAnswer>;
  startOver: () => Promise<void>;
}
