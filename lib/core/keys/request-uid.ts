import { z } from "zod";

/** The id of a request in the address of its consent page; what it names is found by its hash alone. */
export const requestUidSchema = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
