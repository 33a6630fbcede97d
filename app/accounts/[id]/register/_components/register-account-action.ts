import type { RegisterAccountInput, RegisterAccountResult } from "@/lib/contract/register-account";

export type RegisterAccountAction = (input: RegisterAccountInput) => Promise<RegisterAccountResult>;
