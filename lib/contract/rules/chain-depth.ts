/** Rules that may set each other off in one chain (decisions page, "Arrivals"). */
export const MAXIMUM_CHAIN_DEPTH = 10;
