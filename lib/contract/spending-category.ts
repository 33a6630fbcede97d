import { z } from "zod";

/** The eight buckets of spending (decisions page, "Financial profile"). */
export const spendingCategorySchema = z
  .enum([
    "HOUSING_AND_UTILITIES",
    "FOOD_AND_DRINK",
    "TRANSPORTATION",
    "SHOPPING",
    "HEALTH_AND_PERSONAL_CARE",
    "ENTERTAINMENT_AND_TRAVEL",
    "DEBT_AND_FEES",
    "OTHER",
  ])
  .meta({ id: "SpendingCategory" });
export type SpendingCategory = z.infer<typeof spendingCategorySchema>;
