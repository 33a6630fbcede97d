import type { Refused } from "@/lib/contract/refused";

/** `SAID`: it worked, and the page stays; otherwise the action redirects. */
export type FormAnswer = Refused | { kind: "SAID"; message: string };

/** The server action of a form, as `useActionState` calls it. */
export type FormAction = (previous: FormAnswer | null, form: FormData) => Promise<FormAnswer>;
