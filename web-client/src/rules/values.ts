import type { Catalogue } from "../i18n/en";
import { points } from "../table/points";
import type { Limit, Value } from "./book";

/** What a switch is set to, in words. */
export function valueText(value: Value, text: Catalogue): string {
  if (typeof value === "boolean") return value ? text.on : text.off;
  if (typeof value === "number") return points(value);
  return text.optionValues[value] ?? value;
}

interface Worth {
  points: number;
  doubles: number;
  limit: Limit;
}

/** What a row gives, in words; "" where that is nothing of its own. */
export function worthText({ points: worth, doubles, limit }: Worth, text: Catalogue): string {
  return [
    worth === 0 ? "" : text.pointsValue(worth),
    doubles === 0 ? "" : text.doublesValue(doubles),
    limit === null ? "" : (text.limits[limit] ?? limit),
  ].filter((part) => part !== "").join(", ");
}
