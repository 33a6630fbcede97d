/** Rules that may set each other off in one chain (decisions page, "Arrivals"). */
export const MAXIMUM_CHAIN_DEPTH = 10;

/** Runs that one cause sets off, over all branches of its chain: money that is split may set off a rule at each place. */
export const MAXIMUM_RUNS_OF_A_CAUSE = 50;
