/** What the other side's statement carries: the files of the banks know no other characters. */
export const ACH_LABEL = /^[A-Za-z0-9 ]{1,10}$/;
