/** A time in UTC, such as `2026-01-31T19:30:00Z`, as it is written here; as it came where it is none. */
export function dateWords(time: string, language: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}
