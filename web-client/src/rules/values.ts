import type { OptionLine } from "../generated/protocol";
import type { Catalogue } from "../i18n/en";
import { points } from "../table/points";
import type { Limit, Value } from "./book";

type Named = Pick<OptionLine, "value_names">;

/** What a switch is set to, in words. */
export function valueText(value: Value, { value_names }: Named, text: Catalogue): string {
  if (typeof value === "boolean") return value ? text.on : text.off;
  if (typeof value === "number") return points(value);
  const names = value_names[value];
  return names === undefined ? value : text.said(names);
}

/** The same where it stands alone: with a capital. */
export function valueAlone(value: Value, option: Named, text: Catalogue): string {
  const said = valueText(value, option, text);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** All that a switch may be, in words. */
export function allowedText(option: Named & Pick<OptionLine, "type" | "values" | "least" | "most">, text: Catalogue): string {
  if (option.values.length > 0) return option.values.map((value) => valueText(value, option, text)).join(text.or);
  if (option.type === "boolean") return [text.on, text.off].join(text.or);
  return text.wholeNumber(points(option.least ?? 0), points(option.most ?? Number.MAX_SAFE_INTEGER));
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
  ].filter((part) => part !== "").join(text.listComma);
}
